"""Alignment: the least edits, offsets both ways, long texts in little memory."""

from __future__ import annotations

import random
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import OffsetMap, Span, align

SHORT = st.text("ab c.", max_size=14)


def distance(source: str, target: str) -> int:
    """The edit distance by the full table."""
    row = list(range(len(target) + 1))
    for i, left in enumerate(source, 1):
        above, row = row, [i]
        for j, right in enumerate(target, 1):
            row.append(min(above[j - 1] + (left != right), above[j] + 1, row[-1] + 1))
    return row[-1]


def assert_tiles(found: OffsetMap, source: int, target: int) -> None:
    for blocks, length in (
        ([block[0] for block in found.blocks], source),
        ([block[1] for block in found.blocks], target),
    ):
        assert all(a.end == b.start for a, b in pairwise(blocks))
        assert (blocks[0].start, blocks[-1].end) == (0, length) if blocks else length == 0


TRANSCRIPT = "Jewish refugees were turned away from the UK"
RECOGNIZED = "jewish refute. these were turned away from the u_k"


@pytest.mark.parametrize(
    ("phrase", "heard"),
    [
        ("Jewish refugees", "jewish refute. these"),
        ("turned away", "turned away"),
        ("UK", "u_k"),
        (TRANSCRIPT, RECOGNIZED),
    ],
)
@pytest.mark.parametrize("ignore_case", [False, True])
def test_a_phrase_of_a_transcript_is_found_in_what_was_recognized(
    phrase: str, heard: str, ignore_case: bool
) -> None:
    start = TRANSCRIPT.index(phrase)
    found = align(TRANSCRIPT, RECOGNIZED, ignore_case=ignore_case)
    assert found.target_span(Span(start, start + len(phrase))).of(RECOGNIZED) == heard


def test_a_phrase_that_was_recognized_is_found_in_the_transcript() -> None:
    found = align(TRANSCRIPT, RECOGNIZED)
    assert found.source_span(Span(0, 20)).of(TRANSCRIPT) == "Jewish refugees"
    at = RECOGNIZED.index("away")
    assert TRANSCRIPT[found.source_span(Span(at, at)).start] == "a"


def test_omitted_word_is_aligned_to_an_empty_span() -> None:
    source, target = "one two three", "one three"
    found = align(source, target)
    assert not found.target_span(Span(4, 7))
    assert found.target_span(Span(8, 13)).of(target) == "three"


def test_letters_added_to_a_word_belong_to_it_but_a_comma_does_not() -> None:
    source, target = "two dog ran", "two dogs, ran"
    assert align(source, target).target_span(Span(4, 7)).of(target) == "dogs"
    assert align(target, source).source_span(Span(4, 7)).of(target) == "dogs"


def test_words_inserted_at_the_edge_of_a_phrase_stay_outside() -> None:
    source, target = "the UK today", "the UK once more today"
    assert align(source, target).target_span(Span(4, 6)).of(target) == "UK"


def test_case_can_be_ignored_where_lower_case_changes_the_length() -> None:
    source, target = "İSTANBUL is big", "İstanbul IS BIG"
    found = align(source, target, ignore_case=True)
    assert found.distance == 0
    assert found.target_span(Span(9, 11)).of(target) == "IS"


@given(SHORT, SHORT)
def test_characters_are_aligned_at_the_least_number_of_edits(source: str, target: str) -> None:
    found = align(source, target)
    assert found.distance == distance(source, target)
    assert_tiles(found, len(source), len(target))


@given(SHORT, SHORT)
def test_offsets_keep_their_order_and_stay_inside(source: str, target: str) -> None:
    found = align(source, target)
    mapped = [found.target_span(Span(offset, offset)).start for offset in range(len(source) + 1)]
    assert mapped == sorted(mapped)
    assert mapped[-1] == len(target)
    assert all(0 <= offset <= len(target) for offset in mapped)


@given(SHORT, SHORT, st.data())
def test_spans_inside_each_other_stay_inside_each_other(
    source: str, target: str, draw: st.DataObject
) -> None:
    a, b, c, d = sorted(draw.draw(st.integers(0, len(source))) for _ in range(4))
    found = align(source, target)
    inner, outer = found.target_span(Span(b, c)), found.target_span(Span(a, d))
    assert not inner or outer.contains(inner)


@given(st.text(max_size=60))
def test_identical_texts_are_aligned_one_to_one(text: str) -> None:
    found = align(text, text)
    assert found.distance == 0
    for place in (Span(i, i) for i in range(len(text) + 1)):
        assert found.target_span(place) == place == found.source_span(place)


def test_texts_of_100_000_characters_need_little_memory() -> None:
    chance = random.Random(1)
    source = "".join(chance.choices("etaoin shrdlu", k=100_000))
    target = "".join(char for char in source if chance.random() > 0.05)
    tracemalloc.start()
    found = align(source, target)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.distance == len(source) - len(target)
    assert peak < 50_000_000
