"""The text while it is being put together."""

from __future__ import annotations

from tatian.consolidation.draft import Draft, Told

from tatian.consolidation.units import flatten
from tatian.text.content import concept
from tatian.text.provenance import glue, render
from tatian.union.models import Fate, Merged, Outcome, Passage
from tatian.union.models.copying import copy_tokens

from .bundles import copied, processed, units

ONE, TWO = "The ferry sank.", "It sank in fog."


def drafted(sentences: int, *outcomes: tuple[Fate, tuple[int, ...]]) -> tuple[Draft, list[Told]]:
    """A draft of a group of two sentences that a merger made so many sentences of."""
    documents = processed(ONE, TWO)
    draft = Draft(documents, units(documents))
    members = flatten(draft.accounts)
    tokens = [copy_tokens(Passage(documents[unit.account], unit.body)) for unit in members]
    merged = Merged(
        tuple([*tokens, ()][:sentences]),
        tuple(Outcome(fate, "why", into) for fate, into in outcomes),
    )
    return draft, draft.add(members, merged)


def fates(draft: Draft) -> list[Fate]:
    return [draft.settled[key].fate for key in sorted(draft.settled)]


def test_a_sentence_knows_what_it_expresses() -> None:
    draft = copied(processed(ONE))
    assert draft.told[0].concepts() == {concept("ferry"), concept("sank")}


def test_a_sentence_carries_those_whose_fate_it_is() -> None:
    draft, (told,) = drafted(1, ("kept", (0,)), ("redundant", (0,)))
    assert [unit.account for unit in told.units] == [0, 1]
    assert fates(draft) == ["kept", "redundant"]


def test_the_one_whose_wording_it_follows_comes_first() -> None:
    _, (told,) = drafted(1, ("merged", (0,)), ("kept", (0,)))
    assert [unit.account for unit in told.units] == [1, 0]


def test_a_sentence_that_took_something_in_was_merged() -> None:
    draft, _ = drafted(1, ("kept", (0,)), ("merged", (0,)))
    assert fates(draft) == ["merged", "merged"]


def test_a_sentence_without_words_is_not_told() -> None:
    draft, told = drafted(3, ("kept", (0,)), ("kept", (2,)))
    assert [render(one.tokens) for one in told] == [ONE, TWO]
    assert fates(draft) == ["kept", "unused"]


def test_what_no_outcome_names_is_told_with_those_it_has_words_of() -> None:
    draft, told = drafted(2, ("kept", (0,)), ("unused", ()))
    assert [[unit.account for unit in one.units] for one in told] == [[0], [1]]
    assert fates(draft) == ["kept", "unused"]


def test_what_has_no_words_of_anybody_is_told_with_the_first() -> None:
    documents = processed(ONE, TWO)
    draft = Draft(documents, units(documents))
    outcomes = (Outcome("unused", "why"), Outcome("unused", "why"))
    (told,) = draft.add(flatten(draft.accounts), Merged(((glue("Fog"),),), outcomes))
    assert [unit.account for unit in told.units] == [0]


def test_dropping_sends_a_sentences_sources_to_the_one_that_says_it() -> None:
    draft = copied(processed(ONE, TWO))
    first, second = draft.told
    draft.drop(first, second, "says it")
    draft.sweep()
    assert draft.told == [second]
    assert draft.settled[(0, 0)].fate == "redundant"
    assert draft.settled[(0, 0)].into == [second]


def test_dropping_goes_on_from_one_to_the_next() -> None:
    draft = copied(processed(f"{ONE} {TWO} Fog came."))
    first, second, third = draft.told
    draft.drop(first, second, "says it")
    draft.drop(second, third, "says it")
    draft.sweep()
    assert draft.settled[(0, 0)].into == draft.settled[(0, 1)].into == [third]


def test_a_source_that_another_sentence_still_carries_keeps_its_fate() -> None:
    draft, told = drafted(2, ("merged", (0, 1)), ("merged", (1,)))
    draft.arrange([told])
    draft.drop(told[1], told[0], "says it")
    draft.sweep()
    assert draft.settled[(0, 0)].fate == "merged"
    assert draft.settled[(0, 0)].into == [told[0]]
    assert draft.settled[(1, 0)].fate == "redundant"


def test_the_carriers_of_a_place_are_those_of_its_sentence() -> None:
    draft = copied(processed(f"{ONE} {TWO}"))
    assert draft.carriers("a", 4) == [draft.told[0]]
    assert draft.carriers("a", len(ONE) + 4) == [draft.told[1]]
