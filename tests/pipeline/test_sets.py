"""The sets of a document that are worth a name, and their names."""

from __future__ import annotations

import re

import pytest

from tatian.aggregation.models import Proposal
from tatian.knowledge import open_base
from tatian.pipeline import Pipeline
from tatian.pipeline.pipeline import find_sets
from tatian.text import (
    CHAINS,
    ENTITY_SETS,
    LINKS,
    SENTENCES,
    Chain,
    Document,
    EntitySet,
    Link,
    Mention,
    Metadata,
    split,
)

RULES = {"analyser": "rules", "detector": "names", "resolver": "match"}


class Echo:
    """Names a set by its members."""

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        return ((" + ".join(entities.names), 1.0), ("all of them", 0.5))


class Explained(Echo):
    """The same, and says why."""

    def explain(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        return tuple(Proposal(*one, ("it says so",)) for one in self.aggregate(entities, context))


def document(text: str, **types: str) -> Document:
    """A text whose capitalised words are names of people unless `types` says more."""
    chains: dict[str, list[Mention]] = {}
    for found in re.finditer(r"\b[A-Z]\w*", text):
        type = types.get(found[0], "PER")
        chains.setdefault(found[0], []).append(Mention(*found.span(), type))
    layer = [Chain(name, tuple(found), found[0].type) for name, found in chains.items()]
    made = Document("a", text).with_layer(CHAINS, layer, "test")
    return made.with_layer(SENTENCES, split(text), "test")


def sets(text: str, **types: str) -> list[tuple[str, ...]]:
    found = find_sets(document(text, **types), Echo())
    return [entities.names for entities in found.get(ENTITY_SETS)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Held and Rowe met.", ("Held", "Rowe")),
        ("Held, Garrick and Rowe met.", ("Held", "Garrick", "Rowe")),
        ("Held, Garrick, and Rowe met.", ("Held", "Garrick", "Rowe")),
        ("Held,\nGarrick,\n  and Rowe met.", ("Held", "Garrick", "Rowe")),
        ("Held and Garrick and Rowe met.", ("Held", "Garrick", "Rowe")),
    ],
)
def test_an_enumeration_is_a_set(text: str, names: tuple[str, ...]) -> None:
    assert sets(text) == [names]


@pytest.mark.parametrize(
    "text", ["Held met Rowe.", "Held, Rowe.", "Held left. Rowe came.", "Held."]
)
def test_names_that_are_only_close_form_no_set(text: str) -> None:
    assert sets(text) == []


def test_a_set_is_of_one_type() -> None:
    assert sets("Held and Halverne met.", Halverne="LOC") == []


def test_two_enumerations_are_two_sets() -> None:
    assert sets("Held and Rowe met Marsh and Crane.") == [("Held", "Rowe"), ("Marsh", "Crane")]
    assert sets("Held and Rowe, Marsh and Crane.") == [("Held", "Rowe"), ("Marsh", "Crane")]


def test_a_set_has_at_most_six_members() -> None:
    """TESA §3.1."""
    assert [len(found) for found in sets("A, B, C, D, E and F met.")] == [6]
    assert sets("A, B, C, D, E, F and G met.") == []


def test_a_set_has_a_score_and_reasons() -> None:
    (found,) = find_sets(document("Held and Rowe met."), Echo()).get(ENTITY_SETS)
    assert found.worth == 0.6
    assert found.reasons == ("listed together",)


def test_the_phrases_come_from_the_aggregator_best_first_with_their_scores() -> None:
    (found,) = find_sets(document("Held and Rowe met."), Echo()).get(ENTITY_SETS)
    assert found.phrases == ("Held + Rowe", "all of them")
    assert found.scores == (1.0, 0.5)
    assert found.support == ((), ())


def test_an_aggregator_can_give_support_for_its_phrases() -> None:
    (found,) = find_sets(document("Held and Rowe met."), Explained()).get(ENTITY_SETS)
    assert found.support == (("it says so",), ("it says so",))


def test_type_in_the_base_precedes_that_of_the_text() -> None:
    made = document("Macron and Merkel met.", Merkel="ORG")
    links = [Link(0, 6, ("Emmanuel Macron",)), Link(11, 17, ("Angela Merkel",))]
    made = made.with_layer(LINKS, links, "test")
    assert find_sets(made, Echo()).get(ENTITY_SETS) == ()
    (found,) = find_sets(made, Echo(), open_base()).get(ENTITY_SETS)
    assert (found.names, found.type) == (("Macron", "Merkel"), "PER")


def test_the_members_are_chains_of_the_document() -> None:
    made = Pipeline(**RULES, aggregator="heads").process(
        Document("a", "They met Minister Held and Minister Rowe.")
    )
    (entities,) = made.get(ENTITY_SETS)
    assert set(entities.chains) <= {chain.id for chain in made.get(CHAINS)}
    assert entities.phrases == ("the two ministers",)
    assert entities.names == ("Held", "Rowe")


def test_document_without_sets_has_an_empty_layer() -> None:
    made = Pipeline(**RULES, aggregator="heads").process(Document("a", "It sank."))
    assert made.get(ENTITY_SETS) == ()


def test_by_default_facts_name_what_is_linked() -> None:
    text = "They sued Google and Microsoft."
    made = Pipeline(analyser="rules", resolver="match").process(Document("a", text))
    (entities,) = made.get(ENTITY_SETS)
    assert entities.phrases[0] == "the two tech giants"
    assert "Google: one of the tech giants" in entities.support[0]


def test_facts_are_those_of_the_day_of_publication() -> None:
    text = "They met George W. Bush and Bill Clinton."
    phrases = []
    for date in ("2000-05-01", "2015-05-01"):
        made = Document("a", text, Metadata(date=date))
        done = Pipeline(analyser="rules", resolver="match").process(made)
        phrases.append({one for found in done.get(ENTITY_SETS) for one in found.phrases})
    assert not any("former" in one for one in phrases[0])
    assert any("former" in one for one in phrases[1])
