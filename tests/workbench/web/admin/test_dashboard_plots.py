"""Coordinates of plots: within the picture, true to the figures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tatian.workbench.web.admin.dashboard_plots import (
    HEIGHT,
    MOST_BARS,
    WIDTH,
    Value,
    bars,
    columns,
    curve,
    nice,
)

amounts = st.floats(0, 1e12)
points = st.lists(st.tuples(st.text(max_size=5), amounts), max_size=60)


@given(st.floats(1e-9, 1e12))
def test_a_round_number_is_near_and_not_below(value: float) -> None:
    assert value * (1 - 1e-6) <= nice(value) <= value * 2.01


@given(points)
def test_columns_stay_within_the_picture(given_points: list[tuple[str, float]]) -> None:
    plot = columns("id", "t", "d", given_points, ("a", "b"))
    assert len(plot.columns) == len(plot.table.rows) == len(given_points)
    for one in plot.columns:
        assert 0 <= one.x <= one.x + one.width <= WIDTH
        assert 0 <= one.y <= one.y + one.height <= HEIGHT


@given(points, st.none() | amounts)
def test_a_curve_of_anything_is_drawn(
    given_points: list[tuple[str, float]], level: float | None
) -> None:
    plot = curve("id", "t", "d", given_points, level, "wanted", ("a", "b"))
    assert plot.line.count("M") == bool(given_points)
    assert plot.level is None or 0 <= plot.level <= HEIGHT


@given(st.lists(st.none() | amounts, max_size=40), st.none() | amounts)
def test_bars_are_of_those_who_have_a_value_and_the_table_is_of_all(
    values: list[float | None], mark: float | None
) -> None:
    plot = bars("i", "t", "d", [Value("x", one, "") for one in values], ("a", "b"), mark=mark)
    known = [one for one in values if one is not None]
    assert len(plot.bars) == min(len(known), MOST_BARS)
    assert len(plot.table.rows) == len(values)
    assert all(0 <= one.width <= WIDTH for one in plot.bars)


def test_the_longest_bar_belongs_to_the_largest_value() -> None:
    plot = bars("i", "t", "d", [Value("a", 1, "1"), Value("b", 4, "4")], ("a", "b"))
    assert plot.bars[1].width == 4 * plot.bars[0].width
