"""The paper's plots: what they count."""

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.union.data import UnionInstance
from tatian.union.plots import (
    bin_rates,
    compression_histogram,
    learning_curves,
    lowest_histogram,
    parse_curves,
)
from tatian.union.ratings import Rating, human_scores
from tatian.views.chart import ChartPoint

CURVES = "model,size,rouge1,rouge1_error,nli\nsmall,100,0.8,0.01,0.5\nsmall,50,0.7,0.02,0.4\n"


def test_compression_is_counted_in_tenths():
    assert bin_rates([-0.5, 0.0, 0.05, 0.1, 0.95, 1.0, 1.2]) == pytest.approx(
        [1 / 7, 2 / 7, 1 / 7, 0, 0, 0, 0, 0, 0, 0, 2 / 7, 1 / 7]
    )


def test_figure_4_shows_each_split():
    one = UnionInstance("1", ("Fire crews came.", "Crews came."), "Fire crews came.")
    svg = compression_histogram({"train": [one, one], "dev": [one]})
    assert "train (2): &lt;0 0.0" in svg
    assert "90 100.0" in svg
    with pytest.raises(EmptyInput, match="no unions in 'test'"):
        compression_histogram({"test": [UnionInstance("1", ("A.", "B."))]})


def test_figure_5_shows_each_system():
    ratings = [Rating("1", "a", "", 4, 4, 4), Rating("2", "a", "", 2, 4, 4)]
    assert "a: 1 0.0, 2 50.0, 3 0.0, 4 50.0." in lowest_histogram(human_scores(ratings))
    with pytest.raises(EmptyInput, match="nobody rated"):
        lowest_histogram(human_scores([Rating("1", "a", coverage=4)]))


def test_figure_7_reads_a_metric_and_its_errors():
    curves, metric = parse_curves(CURVES)
    assert metric == "rouge1"
    assert curves == {"small": [ChartPoint(100, 0.8, 0.01), ChartPoint(50, 0.7, 0.02)]}
    assert "small: 70.0 at 50, 80.0 at 100." in learning_curves(curves, metric)
    assert parse_curves(CURVES, "nli")[0]["small"][0] == ChartPoint(100, 0.5)


@pytest.mark.parametrize(
    ("text", "metric", "message"),
    [
        ("model,rouge1\na,1\n", None, "f:1: expected the columns model, size and"),
        (CURVES, "bleu", "f:1: no column 'bleu': there are rouge1, nli"),
        ("model,size,rouge1\na,big,1\n", None, "f:2: not a number: "),
        ("model,size,rouge1\n", None, "f: the file contains no points"),
    ],
)
def test_bad_curves_are_named_by_file_and_line(text, metric, message):
    with pytest.raises(InputError) as caught:
        parse_curves(text, metric, path="f")
    assert str(caught.value).startswith(message)
