"""Phrases from what backgrounds and contexts call the things of a set."""

from __future__ import annotations

import pytest

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.facts.generator import FactGenerator
from tatian.aggregation.models.facts.senses import roles_in, traits_in


@pytest.fixture(scope="module")
def generator() -> FactGenerator:
    return FactGenerator()


def phrases(generator: FactGenerator, type: str, context: str = "", **about: str) -> list[str]:
    names = {name.replace("_", " "): text for name, text in about.items()}
    instance = Instance("i", tuple(names), type, context=context, background=names)
    return [one.phrase for one in generator.generate(instance)]


def nouns(text: str, type: str) -> set[str]:
    return {value for slot, value in traits_in(text, type) if slot == "noun"}


def test_a_noun_that_the_lattice_lacks_is_taken_from_the_background(
    generator: FactGenerator,
) -> None:
    found = phrases(
        generator,
        "organization",
        Velm="Velm is a Dutch puppet workshop in Delft.",
        Ardo="Ardo is a Dutch puppet workshop founded by two brothers.",
    )
    assert found[0] == "Dutch puppet workshops"


def test_compound_noun_keeps_its_own_type() -> None:
    assert "house" not in nouns("Orsa is a Spanish fashion house.", "organization")
    assert "house" in nouns("Orsa is a house in Spain.", "location")


def test_shared_premodifiers_go_with_shared_nouns(generator: FactGenerator) -> None:
    found = phrases(
        generator,
        "organization",
        Kordex="Kordex is a Swiss multinational corporation headquartered in Basel.",
        Tamura="Tamura is a Japanese multinational electronics corporation.",
    )
    assert "multinational corporations" in found


def test_a_premodifier_of_one_fits_another_whose_background_has_the_word(
    generator: FactGenerator,
) -> None:
    found = phrases(
        generator,
        "organization",
        Norline="Norline is a company that runs ferries between the islands.",
        Havet="Havet is a Norwegian ferry company.",
    )
    assert "ferry companies" in found


def test_different_nouns_share_a_hypernym(generator: FactGenerator) -> None:
    found = phrases(
        generator,
        "person",
        Mia_Dahl="Mia Dahl is a Swedish ski jumper.",
        Leo_Frisk="Leo Frisk is a Swedish biathlete.",
    )
    assert "Swedish athletes" in found


def test_a_shared_location_is_read_from_the_background(generator: FactGenerator) -> None:
    found = phrases(
        generator,
        "organization",
        Hopfen="Hopfen is a brewery in Salem, Oregon.",
        Malt="Malt is a brewery in Bend, Oregon.",
    )
    assert "breweries in Oregon" in found


def test_a_shared_role_in_the_text_becomes_a_phrase(generator: FactGenerator) -> None:
    context = "The Green candidate, Ada Wirth, met Ben Sole, a liberal mayoral candidate."
    found = phrases(
        generator,
        "person",
        context,
        Ada_Wirth="Ada Wirth is a German teacher who ran for mayor in 2011.",
        Ben_Sole="Ben Sole is a German lawyer.",
    )
    assert "candidates" in found


def test_a_role_is_read_before_and_after_a_name() -> None:
    text = "The Green candidate, Ada Wirth, met Ben Sole, a liberal mayoral candidate."
    for name in ("Ada Wirth", "Ben Sole"):
        assert ("role", "candidate") in roles_in(text, name, "person")


def test_a_name_is_no_role() -> None:
    assert not roles_in(
        "He joined the Club for Growth, Heritage Action.", "Heritage Action", "organization"
    )


def test_counted_nouns_name_the_set(generator: FactGenerator) -> None:
    context = "Elbgas and Rheinkraft cut the heating. Both utilities blamed the cold."
    background = "is a German gas supplier."
    found = phrases(
        generator,
        "organization",
        context,
        Elbgas=f"Elbgas {background}",
        Rheinkraft=f"Rheinkraft {background}",
    )
    assert "utilities" in found


def test_counted_measures_are_not_used_as_names(generator: FactGenerator) -> None:
    context = "Ada Wirth beat Ben Sole in both rounds."
    found = phrases(generator, "person", context, Ada_Wirth="A player.", Ben_Sole="A player.")
    assert "rounds" not in found


def test_the_printed_examples_are_among_the_first_ten(generator: FactGenerator) -> None:
    context = "Segolene Royal, the left's candidate, met Francois Bayrou, a presidential candidate."
    people = Instance(
        "p",
        ("Francois Bayrou", "Nicolas Sarkozy", "Segolene Royal"),
        "person",
        context=context,
        background={
            "Francois Bayrou": "Francois Bayrou is a French politician who ran for president.",
            "Nicolas Sarkozy": "Nicolas Sarkozy is a French politician and former president.",
            "Segolene Royal": "Segolene Royal is a French politician who wanted to be president.",
        },
    )
    cities = Instance("c", ("Chicago", "London"), "location")
    companies = Instance(
        "o",
        ("Microsoft Corp.", "Sony Corp."),
        "organization",
        background={
            "Microsoft Corp.": "Microsoft Corp. is an American multinational software company.",
            "Sony Corp.": "Sony Corp. is a Japanese multinational corporation.",
        },
    )
    wanted = [
        (people, {"politicians", "French politicians", "French presidential candidates"}),
        (cities, {"cities", "major cities", "major metropolitan cities"}),
        (companies, {"technology companies", "multinational corporations"}),
    ]
    for instance, gold in wanted:
        assert gold <= {one.phrase for one in generator.generate(instance)}
