"""The sets written for training: whole, and a task that gives nothing away."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from tatian.aggregation.data.records import problems

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def written() -> ModuleType:
    spec = importlib.util.spec_from_file_location("written", ROOT / "scripts" / "written_sets.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_set_is_told_of_in_a_context_without_its_phrases(written: ModuleType) -> None:
    sets = written.read()
    assert len(sets) == 1437
    assert len({frozenset(one.entities) for one in sets}) == len(sets)
    for one in sets:
        assert not list(problems(one, needs=["aggregations"])), one.id
        assert 2 <= len(one.entities) <= 5, one.id
        told = f"{one.title} {one.context}"
        assert all(entity in told for entity in one.entities), one.id
        assert not any(phrase != phrase.lower() for phrase in one.aggregations), one.id


def test_a_wrong_candidate_says_no_less_than_a_right_phrase_does(written: ModuleType) -> None:
    sets = {one.id: one for one in written.read()}
    for one in written.task(list(sets.values())[::10]):
        assert len(set(one.candidates)) == 24, one.id
        wrong = set(one.candidates) - set(one.aggregations)
        assert not any(written.says_no_more(phrase, sets[one.id]) for phrase in wrong), one.id


def test_each_part_has_phrases_that_no_other_part_has(written: ModuleType) -> None:
    task = written.task(written.read()[::4])
    parts = Counter(one.source for one in task)
    assert len(parts) == written.PARTS
    for part in parts:
        others = {phrase for one in task if one.source != part for phrase in one.aggregations}
        assert any(
            candidate not in others
            for one in task
            if one.source == part
            for candidate in set(one.candidates) - set(one.aggregations)
        )
