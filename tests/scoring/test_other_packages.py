"""A metric of another package, made as docs/scoring.md says, to the letter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tatian.errors import TatianError
from tatian.scoring import Metric
from tatian.scoring.metric import METRICS, find

from .. import outside


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    outside.install(outside.guide("scoring.md", "Add a metric"), folder)
    return folder


def test_metric_in_the_guide_works(package: Path) -> None:
    outside.follow(outside.guide("scoring.md", "Add a metric"), package)


def test_a_metric_of_another_task_is_refused(package: Path) -> None:
    done = outside.run("tatian coref score key.conll key.conll --metric kept 2>&1 || true", package)
    assert "'kept' is not a coreference metric" in done


def test_objects_that_are_no_metric_are_refused() -> None:
    with pytest.raises(TatianError, match="'collections:Counter' is not a union metric"):
        find("union", "collections:Counter")


@pytest.mark.parametrize("task", METRICS)
def test_every_metric_is_found_by_name_and_describes_itself(task) -> None:
    for name in METRICS[task]:
        metric = find(task, name)
        assert isinstance(metric, Metric)
        assert (metric.name, metric.task) == (name, task)
        assert metric.description


def test_the_page_says_where_every_metric_is() -> None:
    page = (outside.DOCS / "scoring.md").read_text("utf-8")
    rows = re.findall(r"^\|[^|]*\| (.*?) \| `(tatian\.[\w.]+)` \|$", page, re.MULTILINE)
    told = {(name, module) for names, module in rows for name in re.findall(r"`([^`]+)`", names)}
    known = {
        (name, target.partition(":")[0])
        for metrics in METRICS.values()
        for name, target in metrics.items()
    }
    assert known <= told
