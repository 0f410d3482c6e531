"""Jobs on processes of this machine."""

from __future__ import annotations

from types import ModuleType

import pytest

from tatian.engine import Failed, open_engine
from tatian.engine.worker import CRASHED
from tatian.errors import InputError, MissingExtra, TatianError


def test_ordered_results_are_in_input_order(jobs: ModuleType) -> None:
    job = jobs.Doubling(parts=((["slow"], [1], [2, 3]), ([4],)))
    found = list(open_engine(processes=2).run(job, ordered=True))
    assert found == [["slow"], [2], [4, 6], [8]]


def test_unordered_results_are_yielded_once_each(jobs: ModuleType) -> None:
    job = jobs.Doubling(parts=((["slow"], [1], [2], [3]),))
    found = list(open_engine(processes=2).run(job))
    assert sorted(map(str, found)) == ["['slow']", "[2]", "[4]", "[6]"]


def test_a_failed_item_is_reported_and_the_others_are_processed(jobs: ModuleType) -> None:
    items = [1, "error", "memory", Failed("torn"), "endless", "kill", 2]
    engine = open_engine(processes=1, patience=0.5)
    (found,) = engine.run(jobs.Doubling(parts=((items,),)))
    assert found == [
        2,
        "ValueError: what is this?",
        "out of memory",
        "torn",
        "not done within 0.5 seconds",
        CRASHED,
        4,
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"parts": (([1], "broken"),)}, "part: cannot be read on"),
        ({"parts": (([1],),), "unloadable": True}, "no such weights"),
    ],
)
def test_an_error_of_the_whole_job_ends_the_run(
    jobs: ModuleType, settings: dict[str, object], message: str
) -> None:
    with pytest.raises(TatianError, match=message):
        list(open_engine(processes=1).run(jobs.Doubling(**settings)))


def test_an_address_without_ray_is_an_error() -> None:
    with pytest.raises(InputError, match="give --engine ray"):
        open_engine("local", address="head:6379")


def test_a_missing_ray_is_an_error_with_the_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tatian\[ray\]'"):
        open_engine("ray")
