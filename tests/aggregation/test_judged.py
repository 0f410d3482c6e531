"""The news candidates judged by reading: which instances, and indices that point into them."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tatian.aggregation.data import Instance, jsonl

JUDGED = Path(__file__).parents[2] / "benchmarks" / "aggregation_judged.json"


@pytest.fixture(scope="module")
def judged() -> dict[str, list[int]]:
    return json.loads(JUDGED.read_text("utf-8"))["judged"]


@pytest.fixture(scope="module")
def news(data: Path) -> dict[str, Instance]:
    path = data / "aggregation" / "news-val.jsonl"
    return {one.id: one for one in jsonl.read(str(path), needs=["aggregations", "candidates"])}


def test_the_judged_are_the_first_150_by_the_digest_of_their_ids(judged, news) -> None:
    assert list(judged) == sorted(news, key=lambda id: sha256(id.encode()).hexdigest())[:150]


def test_every_judged_instance_has_a_right_candidate_and_indices_point_into_its_list(
    judged, news
) -> None:
    for id, right in judged.items():
        assert right, id
        assert all(type(index) is int for index in right), id
        assert right == sorted(set(right)), id
        assert 0 <= right[0] <= right[-1] < len(news[id].candidates), id
