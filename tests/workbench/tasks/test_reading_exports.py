"""Exports in the tasks' formats, read as items."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tatian.text.layers import Authorship, Record
from tatian.workbench.tasks import NewItem, tasks

WORDS = st.text("abcé ;,\"'\t\r\n", min_size=1, max_size=12).filter(str.strip)
PAIRS = st.lists(st.tuples(WORDS, WORDS).map(list), min_size=1, max_size=4)
ANN = Authorship("ann", kind="person")


def read(
    task: str, lines: list[dict[str, Any]], mapping: dict[str, str] | None = None
) -> list[NewItem]:
    return read_again(task, b"".join(msgspec.json.encode(line) + b"\n" for line in lines), mapping)


def read_again(task: str, data: bytes, mapping: dict[str, str] | None = None) -> list[NewItem]:
    return list(tasks.create(task).read("f.jsonl", data, mapping or {}))


def exported(task: str, items: list[NewItem], answers: list[dict[str, Any]]) -> dict[str, bytes]:
    records = [
        Record(item.key, task, item.key, ANN, answer)
        for item, answer in zip(items, answers, strict=False)
    ]
    return {one.name: one.data for one in tasks.create(task).export(items, records)}


@st.composite
def instance(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an aggregation instance."""
    names = ["Lisbon", "Porto", "Faro", "São Tomé; island"]
    entities = draw(st.lists(st.sampled_from(names), min_size=2, unique=True))
    known = draw(st.lists(st.sampled_from(entities), unique=True))
    return {
        "entities": entities,
        "type": draw(st.sampled_from(["person", "location", "organization"])),
        "title": draw(st.just("") | WORDS),
        "context": draw(st.just("") | WORDS),
        "background": {name: draw(WORDS) for name in known},
    }


@given(st.lists(instance(), min_size=1, max_size=4))
def test_exported_aggregation_instances_are_read_again(given: list[dict[str, Any]]) -> None:
    items = read("aggregation", given)
    assert read_again("aggregation", exported("aggregation", items, [])["instances.jsonl"]) == items


@given(PAIRS, WORDS)
def test_exported_unions_are_read_as_gold_on_request(pairs: list[list[str]], merged: str) -> None:
    items = read("union", [{"sentences": pair} for pair in pairs])
    answer = {"type": "written", "base": 0, "merged": merged, "highlights": []}
    data = exported("union", items, [answer] * len(items))["unions.jsonl"]
    assert read_again("union", data) == items
    found = read_again("union", data, {"gold": "merged"})
    assert [one.gold is not None and one.gold["merged"] for one in found] == [merged] * len(items)


@given(PAIRS, WORDS)
def test_exported_marked_unions_are_read_without_marks(pairs: list[list[str]], merged: str) -> None:
    items = read("union.mark", [{"sentences": pair, "merged": merged} for pair in pairs])
    answers = [{"missing": [{"start": 0, "end": 1, "sentence": 0}]}] * len(items)
    assert read_again("union.mark", exported("union.mark", items, answers)["marks.jsonl"]) == items
