"""Values are grouped by key."""

from __future__ import annotations

from tatian.grouping import grouped


def test_keys_and_values_keep_their_order() -> None:
    groups = grouped([("b", 1), ("a", 2), ("b", 0)])
    assert list(groups.items()) == [("b", [1, 0]), ("a", [2])]


def test_without_pairs_there_are_no_groups() -> None:
    assert grouped(iter([])) == {}
