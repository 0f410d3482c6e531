"""Long accounts, sentence by sentence: which sentences of two accounts tell the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from tatian.consolidation.passages import MIN_LONG_SPANS, Passages, align_passages
from tatian.consolidation.spans import Key, SourceSpans, read_spans

from .bundles import bundle, consolidate, processed

COMMON = "The ferry sank in fog."
FORMULA = "The master spoke."


def passage(names: Iterable[int]) -> str:
    """Sentences that no other passage has."""
    return " ".join(f"Diver{n} met pilot{n} near buoy{n}." for n in names)


def long(*texts: str) -> list[SourceSpans]:
    return [read_spans(number, one) for number, one in enumerate(processed(*texts))]


def aligned(*texts: str) -> list[tuple[str, str]]:
    """The pairs of sentences that tell the same, by their words."""
    accounts = long(*texts)

    def words(key: Key) -> str:
        document = accounts[key[0]].document
        return f"{key[1]} {document.sentences[key[1]].of(document.text)}"

    return [(words(one), words(two)) for one, two in align_passages(accounts).pairs]


class TestAlign:
    def test_short_accounts_are_compared_as_wholes(self) -> None:
        short = passage(range(MIN_LONG_SPANS - 1))
        assert align_passages(long(short, passage(range(MIN_LONG_SPANS)))) == Passages()

    def test_of_two_sentences_alike_the_one_in_the_like_passage_is_meant(self) -> None:
        found = aligned(
            f"{passage(range(150))} {COMMON} {passage(range(150, 210))}",
            f"{passage(range(300, 350))} {COMMON} {passage(range(350, 360))} "
            f"{passage(range(140, 150))} {COMMON} {passage(range(150, 300))}",
        )
        assert [pair for pair in found if COMMON in pair[0]] == [
            (f"150 {COMMON}", f"71 {COMMON}"),
        ]

    def test_frequent_formula_alone_is_no_match(self) -> None:
        often = [f"{passage(range(n, n + 7))} {FORMULA}" for n in range(0, 210, 7)]
        other = [f"{passage(range(n, n + 7))} {FORMULA}" for n in range(300, 510, 7)]
        assert not aligned(" ".join(often), " ".join(other))

    def test_a_sentence_that_says_much_is_found_wherever_it_stands(self) -> None:
        saying = "Whoever hoards grain in a silver barn will weep before the autumn harvest."
        found = aligned(
            f"{passage(range(20))} {saying} {passage(range(20, 210))}",
            f"{passage(range(300, 480))} {saying} {passage(range(480, 510))}",
        )
        assert found == [(f"20 {saying}", f"180 {saying}")]

    def test_a_third_account_that_is_like_both_speaks_for_two_sentences(self) -> None:
        one, two = "The lantern fell.", "A lantern burned."
        first = f"Some lantern sank. {passage(range(210))} {one}"
        second = f"That lantern broke. {passage(range(300, 510))} {two}"
        third = f"{passage(range(600, 810))} The lantern fell and burned."
        pair = (f"211 {one}", f"211 {two}")
        assert pair not in aligned(first, second)
        assert pair in aligned(first, second, third)

    def test_meaning_counts_beside_words(self) -> None:
        accounts = long(
            f"{passage(range(210))} {COMMON}", f"{passage(range(300, 510))} The boat went down."
        )
        keys = [span.key for one in accounts for span in one.spans]
        vectors = {key: np.eye(len(keys), dtype=np.float32)[n] for n, key in enumerate(keys)}
        assert not align_passages(accounts, vectors).pairs
        for n in range(200, 211):
            vectors[1, n] = vectors[0, n]
        assert ((0, 210), (1, 210)) in align_passages(accounts, vectors).pairs

    def test_sentences_of_a_quotation_are_encoded_one_by_one(self) -> None:
        quoted = 'She said, "The lantern fell. The pier burned."'
        accounts = long(*[f"{passage(range(n, n + 210))} {quoted}" for n in (0, 300)])
        asked: list[str] = []

        def encode(texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
            asked.extend(texts)
            return np.ones((len(texts), 2), np.float32)

        spans = [span for one in accounts for span in one.spans]
        align_passages(accounts, {span.key: np.ones(2, np.float32) for span in spans}, encode)
        assert asked == ['She said, "The lantern fell.', 'The pier burned."'] * 2


class TestGroups:
    def test_equivalent_sentences_are_one_group(self) -> None:
        pairs = {((0, 1), (1, 1)): 2.0, ((1, 1), (2, 1)): 1.0}
        assert Passages(frozenset((0, 1, 2)), pairs).groups() == [((0, 1), (1, 1), (2, 1))]

    def test_a_group_has_one_sentence_of_an_account_the_surest(self) -> None:
        pairs = {((0, 1), (1, 1)): 1.0, ((0, 1), (1, 2)): 2.0}
        assert Passages(frozenset((0, 1)), pairs).groups() == [((0, 1), (1, 2))]

    def test_spans_covered_by_one_sentence_are_grouped_first(self) -> None:
        found = Passages(frozenset((0, 1)), {((0, 1), (1, 1)): 9.0})
        assert found.groups([((1, 2), (0, 1))]) == [((0, 1), (1, 2))]

    def test_groups_that_hardly_agree_stay_apart(self) -> None:
        pairs = {((0, 1), (1, 1)): 3.0, ((2, 1), (3, 1)): 3.0, ((1, 1), (2, 1)): 1.0}
        groups = Passages(frozenset(range(4)), pairs).groups()
        assert groups == [((0, 1), (1, 1)), ((2, 1), (3, 1))]


@pytest.fixture(scope="module")
def woven() -> list[list[tuple[str, int]]]:
    """The groups of two long accounts that share a passage, each with something of its own."""
    ours = " ".join(f"Diver{n} met pilot{n} near buoy{n} at dusk." for n in range(5))
    theirs = " ".join(f"Diver{n} met pilot{n} near buoy{n} with ropes." for n in range(5))
    texts = [f"{ours} {passage(range(10, 210))}", f"{passage(range(300, 500))} {theirs}"]
    result = consolidate(bundle(*texts))
    return [[(place.document, place.sentence) for place in group] for group in result.groups]


def test_sentences_that_both_stay_are_grouped(woven: list[list[tuple[str, int]]]) -> None:
    assert woven == [[("a", n), ("b", 200 + n)] for n in range(5)]
