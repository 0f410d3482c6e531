"""Windows over long sentences: every word kept once, every window within the room."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.pieces import PieceWindow, cut_windows

lengths = st.lists(st.integers(1, 16), min_size=1, max_size=400)


def test_short_sequences_give_one_window() -> None:
    assert cut_windows([2, 3], 5) == [PieceWindow(0, 2, 0, 2)]
    assert cut_windows([], 5) == []


@given(lengths, st.integers(64, 200))
def test_every_word_is_kept_by_exactly_one_window(pieces: list[int], room: int) -> None:
    windows = cut_windows(pieces, room)
    kept = [place for window in windows for place in range(window.begin, window.end)]
    assert kept == list(range(len(pieces)))


@given(lengths, st.integers(64, 200))
def test_windows_do_not_exceed_the_limit(pieces: list[int], room: int) -> None:
    for window in cut_windows(pieces, room):
        assert sum(pieces[window.first : window.last]) <= room


@given(lengths, st.integers(64, 200))
def test_windows_overlap(pieces: list[int], room: int) -> None:
    for left, right in pairwise(cut_windows(pieces, room)):
        assert right.first < left.end == right.begin < left.last
