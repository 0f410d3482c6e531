"""Which prediction belongs to which gold mention when spans overlap."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tatian.formats.links import build_document
from tatian.mentions.metrics import score
from tatian.scoring.linking import LinkItem, assign, shared_page
from tatian.text import Document, Link

LENGTH = 12
spans = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 5)).map(
    lambda pair: (pair[0], min(LENGTH, sum(pair)))
)
sides = st.dictionaries(spans, st.sets(st.sampled_from("AB"), min_size=1, max_size=2), max_size=5)


def items(side: dict[tuple[int, int], set[str]]) -> list[LinkItem]:
    return [
        LinkItem(start, end, tuple(sorted(titles)), Link(start, end))
        for (start, end), titles in sorted(side.items())
    ]


def text(side: dict[tuple[int, int], set[str]]) -> Document:
    mentions = (Link(one.start, one.end, one.titles) for one in items(side))
    return build_document("t", "x" * LENGTH, tuple(mentions))


def most(gold: list[LinkItem], predicted: list[LinkItem]) -> int:
    """The size of the largest matching, by trying all."""
    slots = [*range(len(predicted)), *([None] * len(gold))]
    best = 0
    for chosen in set(permutations(slots, len(gold))):
        pairs = zip(gold, chosen, strict=True)
        best = max(best, sum(_fits(one, predicted[at]) for one, at in pairs if at is not None))
    return best


def _fits(one: LinkItem, other: LinkItem) -> bool:
    overlap = one.start < other.end and other.start < one.end
    return overlap and shared_page(one, other)


@given(
    st.dictionaries(spans, st.sets(st.sampled_from("AB"), min_size=1), max_size=3),
    st.dictionaries(spans, st.sets(st.sampled_from("AB"), min_size=1), max_size=3),
)
def test_as_many_gold_mentions_as_possible_get_a_prediction(
    gold: dict[tuple[int, int], set[str]], predicted: dict[tuple[int, int], set[str]]
) -> None:
    one, other = items(gold), items(predicted)
    found = assign(one, other, "weak", shared_page)
    assert len(found) == most(one, other)
    assert len(set(found.values())) == len(found)
    assert all(_fits(one[here], other[there]) for here, there in found.items())


@given(sides, sides)
def test_weak_matching_never_finds_less_than_strong(
    gold: dict[tuple[int, int], set[str]], predicted: dict[tuple[int, int], set[str]]
) -> None:
    one, other = [text(gold)], [text(predicted)]
    for task in ("full", "detection"):
        strong, weak = (score(one, other, match=match).total(task) for match in ("strong", "weak"))
        assert strong.found <= weak.found


@given(sides, sides)
def test_counts_never_exceed_what_there_is(
    gold: dict[tuple[int, int], set[str]], predicted: dict[tuple[int, int], set[str]]
) -> None:
    found = score([text(gold)], [text(predicted)], match="weak")
    for task in ("full", "detection", "linking"):
        counts = found.total(task)
        assert 0 <= counts.right <= counts.predicted
        assert 0 <= counts.found <= counts.gold
    assert found.total("full").found <= found.total("detection").found


@given(sides)
def test_exact_predictions_score_1(side: dict[tuple[int, int], set[str]]) -> None:
    for match in ("strong", "weak"):
        found = score([text(side)], [text(side)], match=match)
        assert found.rates("full", "macro").f1 == 1


def test_equal_spans_are_paired_before_those_that_overlap() -> None:
    gold = items({(0, 4): {"A"}, (2, 6): {"A"}})
    predicted = items({(2, 6): {"A"}})
    assert assign(gold, predicted, "weak", shared_page) == {1: 0}


def test_longer_overlaps_are_paired_before_shorter_ones() -> None:
    gold = items({(0, 4): {"A"}, (4, 6): {"A"}})
    assert assign(gold, items({(1, 5): {"A"}}), "weak", shared_page) == {0: 0}


def test_a_pair_is_given_up_where_that_finds_one_more() -> None:
    gold = items({(0, 4): {"A"}, (4, 9): {"A"}})
    predicted = items({(0, 2): {"A"}, (2, 9): {"A"}})
    assert assign(gold, predicted, "weak", shared_page) == {0: 0, 1: 1}
