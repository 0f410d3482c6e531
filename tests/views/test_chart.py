"""Charts: as high as their values, and any browser and reader can take them in."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.views.chart import ChartLabels, ChartPoint, draw_bars, draw_lines

LABELS = ChartLabels("A & B", "where", "how <many>", scale=100)
SVG = "{http://www.w3.org/2000/svg}"


def tree(svg):
    return ElementTree.fromstring(svg)


def classed(svg, tag, name):
    return [node for node in tree(svg).iter(SVG + tag) if node.get("class") == name]


def test_a_chart_has_a_title_and_a_description_that_repeats_its_values():
    svg = tree(draw_bars(["x", "y"], {"one": [0.25, 0.5]}, LABELS))
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == "title desc"
    assert svg.find(SVG + "title").text == "A & B"
    assert svg.find(SVG + "desc").text == "how <many> by where. one: x 25.0, y 50.0."


def test_bars_are_as_high_as_their_values():
    svg = draw_bars(["x", "y"], {"one": [0.25, 0.5]}, LABELS)
    _, low, high = classed(svg, "rect", "s0")
    assert float(high.get("height")) == pytest.approx(2 * float(low.get("height")), abs=0.2)
    assert low.find(SVG + "title").text == "one, x: 25.0"


def test_series_have_names_and_colours():
    svg = draw_bars(["x"], {"one": [1], "two": [2]}, LABELS)
    assert len(classed(svg, "rect", "s1")) == 2
    assert [node.text for node in classed(svg, "text", "key")] == ["one", "two"]


def test_lines_go_from_left_to_right_with_error_bars():
    svg = draw_lines({"one": [ChartPoint(2, 0.5, 0.1), ChartPoint(1, 0.2)]}, LABELS)
    (line,) = classed(svg, "polyline", "l0")
    places = [float(point.split(",")[0]) for point in line.get("points").split()]
    assert places == sorted(places)
    assert len(classed(svg, "path", "e0")) == 1
    assert "one, 2: 50.0 ± 10.0" in svg


def test_series_differ_in_more_than_colour():
    svg = draw_lines({"one": [ChartPoint(1, 1)], "two": [ChartPoint(1, 2)]}, LABELS)
    shapes = [classed(svg, "path", f"s{number}")[0].get("d")[-12:] for number in (0, 1)]
    assert shapes[0] != shapes[1]
    assert "stroke-dasharray:7 4" in svg


def test_a_chart_has_a_dark_theme_and_loads_nothing():
    svg = draw_bars(["x"], {"one": [1]}, LABELS)
    assert "prefers-color-scheme:dark" in svg
    assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]


@given(
    st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=6),
    st.text(max_size=10),
)
def test_charts_of_any_values_stay_inside_their_frame(values, name):
    svg = draw_bars([str(n) for n in range(len(values))], {name: values}, LABELS)
    for node in classed(svg, "rect", "s0"):
        assert float(node.get("height")) >= -0.1
        assert 0 <= float(node.get("y")) <= 420
