"""Chains across documents."""

from __future__ import annotations

from tatian.pipeline import CrossChain, Pipeline, link_chains
from tatian.text import Document


def linked(*texts: str) -> tuple[CrossChain, ...]:
    pipeline = Pipeline(analyser="rules", detector="names", resolver="match")
    return link_chains(
        [pipeline.process(Document(chr(97 + n), text)) for n, text in enumerate(texts)]
    )


def shared(*texts: str) -> dict[str, list[str]]:
    """The chains that several documents have, by name: the documents."""
    return {
        chain.name: [document for document, _ in chain.members]
        for chain in linked(*texts)
        if len(chain.members) > 1
    }


def test_a_name_is_the_same_thing_in_every_document() -> None:
    assert shared("It sank near Halverne.", "Fog lay near Halverne.") == {"Halverne": ["a", "b"]}


def test_a_chain_is_called_by_its_fullest_name() -> None:
    assert shared("They asked Captain Verrick.", "They asked Jonas Verrick.") == {
        "Jonas Verrick": ["a", "b"]
    }


def test_people_with_different_first_names_stay_apart() -> None:
    assert shared("They asked Jonas Verrick.", "They asked Anna Verrick.") == {}


def test_a_surname_that_fits_two_people_joins_the_first() -> None:
    found = linked("They asked Jonas Verrick and Anna Verrick.", "They asked Captain Verrick.")
    assert [(chain.name, len(chain.members)) for chain in found] == [
        ("Jonas Verrick", 2),
        ("Anna Verrick", 1),
    ]


def test_common_things_meet_by_their_noun() -> None:
    story = "A ferry ran aground. Tugs pulled the ferry free."
    assert list(shared(story, story).values()) == [["a", "b"]]


def test_a_pronoun_goes_with_its_chain() -> None:
    (chain,) = linked("They asked Jonas Verrick. He left.", "They asked Jonas Verrick.")
    assert [(document, len(one.mentions)) for document, one in chain.members] == [
        ("a", 2),
        ("b", 1),
    ]
    assert [document for document, _ in chain.mentions()] == ["a", "a", "b"]


def test_chains_are_numbered_in_order_of_appearance() -> None:
    found = linked("It left Halverne near Sennick.", "Fog lay near Cape Lorn.")
    assert [chain.id for chain in found] == ["e1", "e2", "e3"]


def test_every_chain_of_every_document_is_in_exactly_one() -> None:
    texts = ("They asked Jonas Verrick near Halverne.", "They asked Anna Verrick near Halverne.")
    members = [(document, one.id) for chain in linked(*texts) for document, one in chain.members]
    assert len(members) == len(set(members)) == 4


def test_no_documents_have_no_chains() -> None:
    assert link_chains([]) == ()
