"""The answers of aggregation annotators."""

import msgspec
import pytest

from tatian.aggregation.data.records import AggregationAnswer
from tatian.text import Authorship
from tatian.text.layers import Record

TWO = AggregationAnswer(("the candidates", "the French politicians"))


@pytest.mark.parametrize("answer", [TWO, AggregationAnswer()])
def test_answers_survive_json(answer):
    record = Record("r1", "aggregation", "i1", Authorship("ann", kind="person"), answer)
    decoded = msgspec.json.decode(msgspec.json.encode(record), type=Record[AggregationAnswer])
    assert decoded == record


def test_no_phrase_means_not_applicable():
    assert AggregationAnswer().not_applicable
    assert not TWO.not_applicable


@pytest.mark.parametrize(
    ("phrases", "message"),
    [
        (("a", "b", "c"), "at most 2"),
        (("a", " "), "empty phrase"),
        (("the cities", "The Cities "), "same phrase twice"),
        (("N/A",), "by having no phrases"),
    ],
)
def test_answers_that_break_the_form_are_refused(phrases, message):
    with pytest.raises(ValueError, match=message):
        AggregationAnswer(phrases)
