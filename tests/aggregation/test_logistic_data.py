"""The logistic ranker on real news and on the papers' printed examples."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tatian.aggregation.background import Backgrounds
from tatian.aggregation.data import Instance
from tatian.aggregation.data.jsonl import read
from tatian.aggregation.metrics import score
from tatian.aggregation.models import Ranker
from tatian.aggregation.models.frequency import FrequencyRanker
from tatian.aggregation.models.logistic.ranker import LogisticRanker
from tatian.knowledge import open_base

from .published_examples import SETS, published_examples, published_text


@pytest.fixture(scope="module")
def news(data: Path) -> dict[str, list[Instance]]:
    backgrounds = Backgrounds(open_base("starter"))
    folder = data / "aggregation"
    return {
        part: [backgrounds.fill(one) for one in read(str(folder / f"news-{part}.jsonl"))]
        for part in ("train", "val")
    }


def mean_average_precision(ranker: Ranker, task: list[Instance]) -> float:
    return score(task, {one.id: ranker.rank(one) for one in task}).map


def test_the_shipped_ranker_is_far_above_frequency(news: dict[str, list[Instance]]) -> None:
    frequency = mean_average_precision(FrequencyRanker(news["train"]), news["val"])
    assert mean_average_precision(LogisticRanker(), news["val"]) > frequency + 0.2


def test_training_takes_seconds_and_helps(news: dict[str, list[Instance]]) -> None:
    begun = time.process_time()
    ranker = LogisticRanker(news["train"])
    assert time.process_time() - begun < 30
    assert mean_average_precision(ranker, news["val"]) > 0.51


@pytest.mark.parametrize("type", SETS)
def test_the_printed_examples_are_ranked_with_all_gold_in_the_first_six(
    data: Path, type: str
) -> None:
    examples = published_examples(published_text(data, "tesa-thesis.txt"))
    (example,) = (one for one in examples if one.type == type)
    assert len(example.candidates) == 24
    assert len(example.background) == len(example.entities)
    first = [phrase for phrase, _ in LogisticRanker().rank(example)[:6]]
    assert set(example.aggregations) <= set(first)
