"""Sentences of a layout that retell each other are merged, under proof in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pytest

from tatian.analysis import Entailment
from tatian.analysis.installed import unavailable
from tatian.consolidation.editor import MergeLimits, SentenceEditor, merge_candidates, open_editor
from tatian.consolidation.layout import laid_out
from tatian.consolidation.report import write
from tatian.consolidation.result import Layout
from tatian.consolidation.weave import Plan, plan
from tatian.errors import InputError
from tatian.pipeline import Pipeline
from tatian.text import Document
from tatian.union.models import Merged, Passage
from tatian.union.models.tracing import trace

from .promises import tokens_are_where_they_say

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")

WIRE = "The ferry Anna ran aground off Halverne on Monday with 80 people on board."
ECHO = "The ferry Anna, built in 1988, ran aground off Halverne in thick fog."
UNION = (
    "The ferry Anna, built in 1988, ran aground off Halverne in thick fog on Monday with 80 people "
    "on board."
)


class Writing:
    """A merger that always writes one text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def merge(self, passages: Sequence[Passage]) -> Merged:
        return trace(self.text, passages).merged()


def saying(chance: float):
    def entails(pairs: Iterable[tuple[str, str]]) -> Iterator[Entailment]:
        return (Entailment(chance, 1 - chance, 0.0) for _ in pairs)

    return entails


@pytest.fixture(scope="module")
def planned() -> Plan:
    process = Pipeline().process
    return plan([process(Document("wire", WIRE)), process(Document("echo", ECHO))])


@pytest.fixture(scope="module")
def layout(planned: Plan) -> Layout:
    return laid_out(planned)


def test_sentences_that_share_much_are_candidates(planned: Plan, layout: Layout) -> None:
    (found,) = merge_candidates(planned, layout, MergeLimits())
    assert (found.first, found.second) == (0, 1)
    assert merge_candidates(planned, layout, MergeLimits(covered=0.99)) == []


def test_a_supported_union_takes_the_place_of_both(planned: Plan, layout: Layout) -> None:
    edited = SentenceEditor(Writing(UNION), saying(0.9)).edit(planned, layout)
    assert edited.text == UNION
    assert set(edited.places.values()) == {(0,)}
    result = write(planned, edited)
    tokens_are_where_they_say(result)
    (sentence,) = result.sentences
    behind = {s.document for token in sentence.tokens for s in token.sources}
    assert behind == {"wire", "echo"}


def test_a_union_that_does_not_support_its_sentences_is_not_written(
    planned: Plan, layout: Layout
) -> None:
    assert SentenceEditor(Writing(UNION), saying(0.2)).edit(planned, layout) == layout


def test_a_union_that_the_accounts_do_not_support_is_not_written(
    planned: Plan, layout: Layout
) -> None:
    false = UNION.replace("80 people", "88 people")
    assert SentenceEditor(Writing(false), saying(0.9)).edit(planned, layout) == layout


def test_a_union_that_saves_nothing_is_not_written(planned: Plan, layout: Layout) -> None:
    both = f"{WIRE[:-1]}; {ECHO}"
    assert SentenceEditor(Writing(both), saying(0.9)).edit(planned, layout) == layout


def test_an_editor_of_no_known_name_is_refused() -> None:
    with pytest.raises(InputError, match="is no editor"):
        open_editor("medium")
