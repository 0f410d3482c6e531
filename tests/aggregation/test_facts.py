"""Phrases for sets of entities from the facts of a small base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import generators
from tatian.aggregation.models.facts.generator import FactGenerator
from tatian.errors import InputError

from .small_world import people, small_world


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FactGenerator]:
    with small_world(Path(tmp_path_factory.mktemp("world"))) as base:
        yield FactGenerator(base)


def phrases(generator: FactGenerator, instance: Instance, limit: int = 10) -> list[str]:
    return [one.phrase for one in generator.generate(instance, limit)]


def places(*names: str) -> Instance:
    return Instance("i", names, "location")


def companies(*names: str) -> Instance:
    return Instance("i", names, "organization")


def test_nationality_and_occupation_make_the_first_phrase(generator: FactGenerator) -> None:
    found = generator.generate(people("Ana Brüll", "Marc Ober", "Luc Denis"))
    assert found[0].phrase == "French politicians"


def test_every_phrase_names_the_facts_of_every_entity(generator: FactGenerator) -> None:
    first = generator.generate(people("Ana Brüll", "Luc Denis"))[0]
    assert first.support == (
        "Ana Brüll: nationality France",
        "Ana Brüll: occupation politician",
        "Luc Denis: nationality France",
        "Luc Denis: occupation politician",
    )


def test_scores_descend_between_1_and_0(generator: FactGenerator) -> None:
    scores = [one.score for one in generator.generate(people("Ana Brüll", "Luc Denis"))]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)


def test_contradicted_nationality_is_not_used(generator: FactGenerator) -> None:
    found = phrases(generator, people("Ana Brüll", "Otto Kern"))
    assert found[0] == "politicians"
    assert not any("French" in phrase or "German" in phrase for phrase in found)


def test_contradicted_occupation_is_not_used(generator: FactGenerator) -> None:
    found = phrases(generator, people("Ana Brüll", "Marc Ober", "Nils Berg"))
    assert not any("politician" in phrase for phrase in found)


def test_occupations_in_different_sports_are_generalised(generator: FactGenerator) -> None:
    assert phrases(generator, people("Ida Voss", "Per Lund"))[0] == "athletes"


def test_bare_types_are_never_proposed(generator: FactGenerator) -> None:
    everything = [
        *phrases(generator, people("Nils Berg", "Per Lund")),
        *phrases(generator, places("Lyon", "France")),
        *phrases(generator, companies("Le Jour", "Acme Chips")),
    ]
    assert not {"people", "persons", "places", "organizations"} & {*everything}


def test_team_mates_are_players_of_their_team(generator: FactGenerator) -> None:
    assert phrases(generator, people("Mia Hits", "Bo Catch"))[0] == "Rockford Reds players"


def test_band_members_are_called_members(generator: FactGenerator) -> None:
    assert phrases(generator, people("Una Drum", "Vic Bass"))[0] == "members of the Pebbles"


def test_offices_are_made_plural_at_their_head(generator: FactGenerator) -> None:
    found = phrases(generator, people("Ron First", "Joe Last"))
    assert "presidents of the United States" in found


def test_at_a_date_an_office_that_ended_is_former(generator: FactGenerator) -> None:
    found = phrases(generator, people("Ron First", "Joe Last", date="2015-05-01"))
    assert "former presidents of the United States" in found
    assert "presidents of the United States" not in found


def test_people_are_no_politicians_long_before_their_first_office(generator: FactGenerator) -> None:
    early = phrases(generator, people("Sam Rich", "Tom Gold", date="2006-03-01"))
    assert early[0] == "American businesspeople"
    early = phrases(generator, people("Sam Rich", "Joe Last", date="2006-03-01"))
    assert not any("politician" in phrase or "president" in phrase for phrase in early)


def test_without_a_date_every_office_counts(generator: FactGenerator) -> None:
    assert "presidents of the United States" in phrases(generator, people("Sam Rich", "Joe Last"))


def test_cities_of_one_country_and_of_one_continent(generator: FactGenerator) -> None:
    assert phrases(generator, places("Lyon", "Nantes"))[0] == "French cities"
    assert "European cities" in phrases(generator, places("Lyon", "Bonn"))


def test_an_ambiguous_name_is_resolved_by_the_other_entities(generator: FactGenerator) -> None:
    assert phrases(generator, places("Springfield", "Ohia"))[0] == "U.S. states"
    assert phrases(generator, places("Springfield", "Waxford"))[0] == "cities in Texas"
    senses = generator.senses(people("Voss", "Otto Kern"))
    assert senses[0].title == "Jan Voss"


def test_accents_and_titles_do_not_hide_an_entity(generator: FactGenerator) -> None:
    senses = generator.senses(people("Ana Brull", "Mr. Ober"))
    assert [sense.title for sense in senses] == ["Ana Brüll", "Marc Ober"]


def test_different_industries_share_a_hypernym(generator: FactGenerator) -> None:
    found = phrases(generator, companies("Acme Chips", "Bolt Soft"))
    assert found[0] == "American technology companies"


def test_different_kinds_of_media_are_news_organizations(generator: FactGenerator) -> None:
    found = phrases(generator, companies("Le Jour", "Radio Sept"))
    assert found[0] == "French news organizations"


def test_an_international_organization_has_no_nationality(generator: FactGenerator) -> None:
    found = phrases(generator, companies("World Corn Council", "World Rye Council"))
    assert found[0] == "intergovernmental organizations"
    assert not any("French" in phrase for phrase in found)


def test_background_gives_traits_of_entities_that_the_base_lacks(generator: FactGenerator) -> None:
    told = {
        "Zed Unknown": "Zed Unknown is a French politician and writer who was born in 1950.",
        "Yan Unknown": "Yan Unknown was a French painter, sculptor and politician from Lille.",
    }
    instance = Instance("i", tuple(told), "person", background=told)
    first = generator.generate(instance)[0]
    assert first.phrase == "French politicians"
    assert "Zed Unknown: described as “politician”" in first.support


def test_an_unknown_pair_gets_no_phrases(generator: FactGenerator) -> None:
    assert generator.generate(people("Zed Unknown", "Yan Unknown")) == ()


def test_unknown_entity_in_the_set_lowers_the_score(generator: FactGenerator) -> None:
    known = generator.generate(people("Ana Brüll", "Marc Ober", "Luc Denis"))[0]
    partly = generator.generate(people("Ana Brüll", "Marc Ober", "Zed Unknown"))[0]
    assert partly.phrase == known.phrase
    assert partly.score < known.score


def test_a_pair_with_one_unknown_entity_gets_no_phrases(generator: FactGenerator) -> None:
    assert generator.generate(people("Ana Brüll", "Zed Unknown")) == ()


def test_named_group_gets_its_name(generator: FactGenerator) -> None:
    assert "Baltic states" in phrases(generator, places("Estonia", "Latvia", "Lithuania"))


def test_phrases_are_not_repeated(generator: FactGenerator) -> None:
    found = phrases(generator, people("Ana Brüll", "Marc Ober", "Luc Denis"))
    assert len({phrase.lower() for phrase in found}) == len(found)


def test_number_of_phrases_is_limited(generator: FactGenerator) -> None:
    assert len(phrases(generator, people("Ana Brüll", "Luc Denis"), limit=1)) == 1


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        (people(), "instance 'i': entities: none"),
        (people("Ana Brüll"), "only 'Ana Brüll'; a set has at least 2"),
        (people("Ana Brüll", "ana brüll"), "'ana brüll' a second time"),
        (people("Ana Brüll", "Ana Brull"), "are both Ana Brüll: name each entity once"),
        (people("Ana Brüll", "Lyon"), "mixed types: 'Lyon' is known as location, not as person"),
        (Instance("i", ("Lyon", "Bonn"), "town"), "type: 'town' is none of person, location"),
        (people("Ana Brüll", " "), r"entities\[1\]: empty"),
        (people("Lyon", "Bonn"), "type: all entities are known as location, none as person"),
    ],
)
def test_an_invalid_set_is_refused(
    generator: FactGenerator, instance: Instance, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        generator.generate(instance)


def test_other_entities_are_called_by_their_kind() -> None:
    generator = FactGenerator()
    assert phrases(generator, places("Mars", "Venus")) == ["terrestrial planets", "planets"]
    assert phrases(generator, places("Mars", "Jupiter")) == ["planets"]
    assert phrases(generator, companies("French Revolution", "Russian Revolution")) == [
        "revolutions"
    ]


def test_an_entity_of_another_kind_and_a_place_get_no_phrases() -> None:
    assert phrases(FactGenerator(), places("Mars", "Paris")) == []


def test_names_of_things_are_not_taken_for_people() -> None:
    generator = FactGenerator()
    assert phrases(generator, people("Rose", "Grass")) == []
    assert phrases(generator, people("Superman", "Batman")) == ["fictional characters"]


def test_nouns_without_a_plural_are_not_used() -> None:
    assert phrases(FactGenerator(), companies("Special education", "Higher education")) == []


def test_a_pope_has_neither_nationality_nor_faith_added() -> None:
    found = phrases(FactGenerator(), people("Pope Francis", "Pope Benedict XVI"))
    assert found[0] == "popes"
    assert not {"Vatican popes", "Catholic popes"} & {*found}


def test_different_things_of_one_town_are_its_institutions() -> None:
    found = phrases(FactGenerator(), companies("Berlin Philharmonic", "Bundestag"))
    assert found[0] == "Berlin institutions"


def test_the_generator_is_registered_as_tatian() -> None:
    assert generators.default == "tatian"
    assert isinstance(generators.create(), FactGenerator)


def test_thesis_example_works_with_the_starter_base() -> None:
    names = ("Francois Bayrou", "Nicolas Sarkozy", "Segolene Royal")
    context = "The presidential candidates met on Wednesday."
    found = FactGenerator().generate(people(*names, context=context))
    assert found[0].phrase == "French politicians"
    assert "French presidential candidates" in [one.phrase for one in found]
