"""Windows of sentences: against the definition, tried on every window."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tatian.pipeline.instances.extraction import (
    MAX_TOGETHER,
    Window,
    possible_sets,
    windows,
    with_neighbour,
)


def find_windows(*sentences: str, widest: int | None = None) -> set[tuple[str, int, int]]:
    """Windows of sentences whose letters are entities."""
    present = [frozenset(ord(letter) for letter in one) for one in sentences]
    return {
        ("".join(map(chr, one.entities)), one.first, one.last)
        for one in windows(present, widest)
        if one is not None
    }


def test_two_entities_may_be_two_sentences_apart_but_not_three() -> None:
    assert find_windows("a", "b") == {("ab", 0, 1)}
    assert find_windows("a", "", "b") == set()


def test_three_entities_may_take_three_sentences() -> None:
    assert find_windows("a", "b", "c") == {("ab", 0, 1), ("bc", 1, 2), ("abc", 0, 2)}
    assert ("ac", 0, 2) not in find_windows("a", "b", "c")


def test_every_window_that_mentions_the_set_is_one_of_its_own() -> None:
    assert find_windows("ab", "", "ab") == {("ab", 0, 0), ("ab", 2, 2)}
    assert find_windows("a", "b", "a") == {("ab", 0, 1), ("ab", 1, 2)}


def test_no_window_is_longer_than_it_needs_to_be() -> None:
    assert find_windows("a", "ab", "b") == {("ab", 1, 1)}


def test_a_width_of_the_users_own_holds_for_sets_of_any_size() -> None:
    assert find_windows("a", "", "b", widest=3) == {("ab", 0, 2)}
    assert find_windows("a", "b", "c", widest=1) == set()


def test_a_window_with_too_many_entities_is_skipped() -> None:
    crowd = frozenset(range(MAX_TOGETHER + 1))
    assert list(windows([crowd])) == [None]
    assert None not in list(windows([frozenset(range(MAX_TOGETHER))]))


@given(st.lists(st.frozensets(st.integers(0, 6)), max_size=7))
def test_windows_are_those_of_the_definition(present: list[frozenset[int]]) -> None:
    expected = set()
    for size in range(2, 7):
        for chosen in combinations(range(7), size):
            spans = [
                (first, last)
                for first in range(len(present))
                for last in range(first, min(len(present), first + size))
                if set(chosen) <= frozenset().union(*present[first : last + 1])
            ]
            expected |= {
                Window(chosen, first, last)
                for first, last in spans
                if not any((a, b) != (first, last) and first <= a and b <= last for a, b in spans)
            }
    got = list(windows(present))
    assert set(got) == expected
    assert len(got) == len(expected)


def test_a_single_sentence_gains_the_one_before_it() -> None:
    assert with_neighbour(Window((0, 1), 3, 3), 5) == (2, 3)


def test_the_first_sentence_gains_the_one_after_it() -> None:
    assert with_neighbour(Window((0, 1), 0, 0), 5) == (0, 1)
    assert with_neighbour(Window((0, 1), 0, 0), 1) == (0, 0)


def test_a_longer_window_gains_nothing() -> None:
    assert with_neighbour(Window((0, 1), 2, 3), 5) == (2, 3)


def test_sets_have_two_to_six_members() -> None:
    assert [possible_sets(count) for count in (0, 1, 2, 3, 7)] == [0, 0, 1, 4, 119]
