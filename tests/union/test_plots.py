"""The paper's plots: what they count, and that any browser and reader can take them in."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError
from tatian.union.data import Instance
from tatian.union.plots import (
    Labels,
    Point,
    bars,
    compression_histogram,
    learning_curves,
    lines,
    lowest_histogram,
    parse_curves,
)
from tatian.union.plots.figures import binned
from tatian.union.ratings import Rating, opinions

LABELS = Labels("A & B", "where", "how <many>", scale=100)
SVG = "{http://www.w3.org/2000/svg}"
CURVES = "model,size,rouge1,rouge1_error,nli\nsmall,100,0.8,0.01,0.5\nsmall,50,0.7,0.02,0.4\n"


def tree(svg):
    return ElementTree.fromstring(svg)


def classed(svg, tag, name):
    return [node for node in tree(svg).iter(SVG + tag) if node.get("class") == name]


def test_a_drawing_has_a_title_and_a_description_that_repeats_its_values():
    svg = tree(bars(["x", "y"], {"one": [0.25, 0.5]}, LABELS))
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == "title desc"
    assert svg.find(SVG + "title").text == "A & B"
    assert svg.find(SVG + "desc").text == "how <many> by where. one: x 25.0, y 50.0."


def test_bars_are_as_high_as_their_values():
    svg = bars(["x", "y"], {"one": [0.25, 0.5]}, LABELS)
    _, low, high = classed(svg, "rect", "s0")
    assert float(high.get("height")) == pytest.approx(2 * float(low.get("height")), abs=0.2)
    assert low.find(SVG + "title").text == "one, x: 25.0"


def test_each_series_has_a_name_and_a_colour():
    svg = bars(["x"], {"one": [1], "two": [2]}, LABELS)
    assert len(classed(svg, "rect", "s1")) == 2
    assert [node.text for node in classed(svg, "text", "key")] == ["one", "two"]


def test_lines_go_from_left_to_right_with_a_stroke_for_each_error():
    svg = lines({"one": [Point(2, 0.5, 0.1), Point(1, 0.2)]}, LABELS)
    (line,) = classed(svg, "polyline", "l0")
    places = [float(point.split(",")[0]) for point in line.get("points").split()]
    assert places == sorted(places)
    assert len(classed(svg, "path", "e0")) == 1
    assert "one, 2: 50.0 ± 10.0" in svg


def test_series_differ_in_more_than_colour():
    svg = lines({"one": [Point(1, 1)], "two": [Point(1, 2)]}, LABELS)
    shapes = [classed(svg, "path", f"s{number}")[0].get("d")[-12:] for number in (0, 1)]
    assert shapes[0] != shapes[1]
    assert "stroke-dasharray:7 4" in svg


def test_a_drawing_is_dark_where_the_reader_asks_for_it_and_fetches_nothing():
    svg = bars(["x"], {"one": [1]}, LABELS)
    assert "prefers-color-scheme:dark" in svg
    assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]


@given(
    st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=6),
    st.text(max_size=10),
)
def test_any_values_and_names_give_a_drawing_inside_its_frame(values, name):
    svg = bars([str(n) for n in range(len(values))], {name: values}, LABELS)
    for node in classed(svg, "rect", "s0"):
        assert float(node.get("height")) >= -0.1
        assert 0 <= float(node.get("y")) <= 420


def test_compression_is_counted_in_tenths():
    assert binned([-0.5, 0.0, 0.05, 0.1, 0.95, 1.0, 1.2]) == pytest.approx(
        [1 / 7, 2 / 7, 1 / 7, 0, 0, 0, 0, 0, 0, 0, 2 / 7, 1 / 7]
    )


def test_figure_4_shows_each_split():
    one = Instance("1", ("Fire crews came.", "Crews came."), "Fire crews came.")
    svg = compression_histogram({"train": [one, one], "dev": [one]})
    assert "train (2): &lt;0 0.0" in svg
    assert "90 100.0" in svg
    with pytest.raises(EmptyInput, match="no unions in 'test'"):
        compression_histogram({"test": [Instance("1", ("A.", "B."))]})


def test_figure_5_shows_each_system():
    ratings = [Rating("1", "a", "", 4, 4, 4), Rating("2", "a", "", 2, 4, 4)]
    assert "a: 1 0.0, 2 50.0, 3 0.0, 4 50.0." in lowest_histogram(opinions(ratings))
    with pytest.raises(EmptyInput, match="nobody rated"):
        lowest_histogram(opinions([Rating("1", "a", coverage=4)]))


def test_figure_7_reads_a_metric_and_its_errors():
    curves, metric = parse_curves(CURVES)
    assert metric == "rouge1"
    assert curves == {"small": [Point(100, 0.8, 0.01), Point(50, 0.7, 0.02)]}
    assert "small: 70.0 at 50, 80.0 at 100." in learning_curves(curves, metric)
    assert parse_curves(CURVES, "nli")[0]["small"][0] == Point(100, 0.5)


@pytest.mark.parametrize(
    ("text", "metric", "message"),
    [
        ("model,rouge1\na,1\n", None, "f:1: expected the columns model, size and"),
        (CURVES, "bleu", "f:1: no column 'bleu': there are rouge1, nli"),
        ("model,size,rouge1\na,big,1\n", None, "f:2: not a number: "),
        ("model,size,rouge1\n", None, "f: no points in it"),
    ],
)
def test_bad_curves_are_named_by_file_and_line(text, metric, message):
    with pytest.raises(InputError) as caught:
        parse_curves(text, metric, path="f")
    assert str(caught.value).startswith(message)
