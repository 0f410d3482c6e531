"""Counts in words."""

from __future__ import annotations

from tatian.text.plurals import in_words


def test_small_counts_are_written_in_words() -> None:
    assert [in_words(2), in_words(12), in_words(13)] == ["two", "twelve", "13"]
