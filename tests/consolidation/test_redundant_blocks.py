"""Blocks of later sources that add too little to the text before them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import tatian
from tatian.consolidation.redundant_blocks import BlockFeatures, TextBefore, find_blocks
from tatian.consolidation.spans import Dependency, SourceSpan
from tatian.text.content import concepts

from .bundles import account, bundle
from .plans import coverage, span

NOTHING_BEFORE = TextBefore.of((), coverage([]))


def after(dependency: Dependency, text: str = "He left.") -> SourceSpan:
    """A span of the second source, behind its first."""
    return span(1, 1, text, dependency)


def blocks(spans: Sequence[SourceSpan], before: TextBefore = NOTHING_BEFORE) -> list[list[int]]:
    kept = {span.key for span in spans}
    return [[span.indices[0] for span in block] for block in find_blocks(spans, kept, before)]


@pytest.mark.parametrize("dependency", ["name", "before", "noun"])
def test_a_span_shares_the_block_of_the_one_it_depends_on(dependency: Dependency) -> None:
    assert blocks([span(1, 0), after(dependency, "The coroner left.")]) == [[0, 1]]


def test_an_independent_span_begins_a_block() -> None:
    assert blocks([span(1, 0), after(""), span(1, 2)]) == [[0], [1], [2]]


def test_a_noun_that_the_text_before_mentions_depends_on_nothing() -> None:
    before = TextBefore(coverage([]), frozenset(), frozenset(concepts(["coroner"])))
    assert blocks([span(1, 0), after("noun", "The coroner left.")], before) == [[0], [1]]


def test_a_span_whose_predecessor_was_dropped_begins_a_block() -> None:
    spans = [span(1, 0), span(1, 1), span(1, 2, dependency="before")]
    kept = {spans[0].key, spans[2].key}
    assert [len(block) for block in find_blocks(spans, kept, NOTHING_BEFORE)] == [1, 1]


def test_as_few_spans_cover_one_as_add_to_each_other() -> None:
    first, second, third, repeated = span(0, 0), span(0, 1), span(0, 2), span(1, 0)
    covers = {(repeated, first): "1100", (repeated, second): "0010", (repeated, third): "1000"}
    before = TextBefore.of(
        [first.key, second.key, third.key], coverage([first, second, third, repeated], covers)
    )
    assert before.find_covering(repeated.key) == (first.key, second.key)
    assert before.covered_share(repeated.key) == 0.75


@pytest.mark.parametrize(
    "changes",
    [
        {"covered": 0.4},
        {"new_words": 0.5},
        {"new_names": 1},
        {"new_claims": 1},
        {"quotation": True},
        {"source_covered": 0.2},
    ],
)
def test_what_is_new_makes_a_block_less_redundant(changes: dict[str, float]) -> None:
    known = BlockFeatures(0.8, 0.1, 0, 0, quotation=False, source_covered=0.6)
    assert known._replace(**changes).redundancy() < known.redundancy()


SUNK = (
    "A ferry with 212 people on board sank off Halverne in thick fog early on Tuesday, the "
    "coastguard said. Four tugs and a lifeboat brought all of the passengers ashore within two "
    "hours. The captain, Mara Lind, said the engine had failed before the ferry hit a rock. "
    "Divers will look at the wreck on Wednesday."
)


def text_with(*sentences: str) -> str:
    """Return the consolidated text of the sinking and a second source with some sentences."""
    return tatian.consolidate(bundle(SUNK, " ".join(sentences))).text


CLOSED = "The harbour master, Jon Eddel, closed the northern channel until the weekend."


@pytest.mark.parametrize(
    ("sentence", "stays"),
    [
        ("Tugs and a lifeboat took the passengers ashore in about two hours at dawn.", False),
        ("Tugs and a lifeboat took the passengers ashore with 14 crew and a cook, Ole Ramm.", True),
        ("“We heard a terrible bang below and ran up,” a passenger said on a tug ashore.", True),
    ],
)
def test_a_block_goes_if_it_adds_no_fact_that_matters(sentence: str, stays: bool) -> None:
    assert (sentence in text_with(CLOSED, sentence)) == stays


@pytest.mark.parametrize(
    ("sentence", "stays"),
    [
        ("The coastguard said that a ferry had sunk off Halverne.", False),
        ("The coastguard praised its crew.", True),
    ],
)
def test_a_brief_block_goes_if_nearly_all_of_it_is_known(sentence: str, stays: bool) -> None:
    assert (sentence in text_with(CLOSED, sentence)) == stays


@pytest.mark.parametrize(
    ("sentence", "stays"),
    [
        (
            "The captain, Mara Lind, said that the engine of the ferry had failed before the ship "
            "hit a rock off Halverne in thick fog.",
            False,
        ),
        ("Tugs and a lifeboat took the passengers ashore with 14 crew and a cook.", True),
    ],
)
def test_a_block_of_another_day_goes_only_if_it_is_surely_known(sentence: str, stays: bool) -> None:
    sources = [
        account("a", SUNK, "2027-05-05"),
        account("b", f"{CLOSED} {sentence}", "2027-05-04"),
    ]
    assert (sentence in tatian.consolidate(sources).text) == stays


@pytest.mark.parametrize(
    ("later", "stays"),
    [
        ("Fishermen at Skerry said that the vicar deserved praise for the winter.", True),
        ("The coastguard told the vicar that divers would look at the wreck on Wednesday.", False),
    ],
)
def test_a_block_that_introduces_somebody_stays_for_what_stays(later: str, stays: bool) -> None:
    known = "Passengers on board came ashore on tugs and a lifeboat and were given blankets by a"
    assert (known in text_with(CLOSED, f"{known} vicar.", later)) == stays
