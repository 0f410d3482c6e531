"""Which sentences hold only at the time of their report."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable
from tatian.consolidation.passing import is_passing
from tatian.consolidation.spans import read_spans
from tatian.pipeline import Pipeline
from tatian.text import Document

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


def passes(pipeline: Pipeline, sentence: str) -> bool:
    document = pipeline.process(Document("a", sentence))
    return is_passing(document, read_spans(0, document).spans[0])


@pytest.mark.parametrize(
    "sentence",
    [
        "Two teams are searching the lower levels.",
        "Residents are being told to stay indoors.",
        "Police are asking people to keep away from the quay.",
        "Keep windows and doors shut.",
        "A spokesman could not confirm the figure.",
        "Officials would not say how many had died.",
        "It is too soon to say what caused the fire.",
    ],
)
def test_states_requests_and_what_is_not_yet_known_pass(sentence: str, pipeline: Pipeline) -> None:
    assert passes(pipeline, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The river rose by two metres.",
        "The council said that 40 people had been hurt.",
        "The bridge carries 31,000 vehicles a day.",
        "The mine has been closed since 1994.",
    ],
)
def test_acts_and_lasting_facts_do_not(sentence: str, pipeline: Pipeline) -> None:
    assert not passes(pipeline, sentence)
