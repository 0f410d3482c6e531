"""Threads: as many as wanted, results in order, little read ahead."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.loading import AHEAD, batches, in_threads, thread_count
from tatian.errors import InputError


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(threads: int) -> None:
    assert list(in_threads(lambda item: item * 2, range(100), threads)) == list(range(0, 200, 2))


@given(st.lists(st.integers(1, 200), max_size=60), st.integers(1, 256))
def test_batches_hold_every_item_once_and_stay_within_the_budget(
    lengths: list[int], budget: int
) -> None:
    found = batches(lengths, budget)
    assert sorted(index for batch in found for index in batch) == list(range(len(lengths)))
    for batch in found:
        assert len(batch) == 1 or max(lengths[i] for i in batch) * len(batch) <= budget


@pytest.mark.parametrize("threads", [1, 2])
def test_only_a_little_is_read_ahead(threads: int) -> None:
    read: list[int] = []

    def items() -> Iterator[int]:
        for item in range(1000):
            read.append(item)
            yield item

    results = in_threads(lambda item: item, items(), threads)
    next(results)
    assert 1 < len(read) <= AHEAD * threads


def test_several_threads_work_at_once() -> None:
    barrier = threading.Barrier(2, timeout=30)
    assert len(list(in_threads(lambda _: barrier.wait(), range(2), 2))) == 2


def test_a_single_item_starts_no_thread() -> None:
    assert list(in_threads(lambda _: threading.current_thread(), range(1), 2)) == [
        threading.current_thread()
    ]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_failure_reaches_the_caller(threads: int) -> None:
    def fail(item: int) -> int:
        raise InputError("no")

    with pytest.raises(InputError, match="no"):
        list(in_threads(fail, range(3), threads))


def test_number_of_threads_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TATIAN_THREADS", "3")
    assert thread_count(2) == 2
    assert thread_count() == 3
    monkeypatch.delenv("TATIAN_THREADS")
    assert thread_count() >= 1


@pytest.mark.parametrize("value", ["0", "two", "-1"])
def test_invalid_number_of_threads_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TATIAN_THREADS", value)
    with pytest.raises(InputError, match=f"TATIAN_THREADS is '{value}'"):
        thread_count()
    with pytest.raises(InputError, match="at least one"):
        thread_count(0)
