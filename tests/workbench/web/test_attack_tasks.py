"""The same attacks on every task."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.errors import TatianError
from tatian.workbench.campaigns.item_files import read_items
from tatian.workbench.tasks import tasks

NAMES = (
    "type base merged highlights start end sentence sentences reason note ratings marks system "
    "criterion coverage faithfulness redundancy fluency outputs reference id text kind words "
    "missing unfaithful redundant answer judgements pages skipped written date sources gold"
).split()
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.sampled_from([2**31, 2**53, -(2**53), 1.5, -0.0, 1e300])
    | st.sampled_from(["", "x", "written", "skipped", "no-consolidation", "\u202e", "é" * 99])
)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6)
    ),
    max_leaves=20,
)
OBJECT = st.dictionaries(st.sampled_from(NAMES), JSON, max_size=8)
TASK = pytest.mark.parametrize("name", sorted(tasks.builtin))


@TASK
@given(answer=JSON, seed=st.integers(0, 2**31 - 1))
@settings(max_examples=settings.default.max_examples // 2)
def test_any_answer_is_accepted_or_refused(name: str, answer: Any, seed: int) -> None:
    task = tasks.create(name)
    content = task.demo()[0].content
    try:
        kept = task.from_page(content, seed, {}, answer)
    except TatianError:
        return
    task.answer_to_page(content, seed, {}, kept)


@TASK
@given(content=OBJECT)
@settings(max_examples=settings.default.max_examples // 2)
def test_any_content_is_accepted_or_refused(name: str, content: dict[str, Any]) -> None:
    task = tasks.create(name)
    try:
        kept = task.content(content)
    except TatianError:
        return
    assert task.to_page(kept, 1, {})


def _changed(value: Any, data: st.DataObject) -> Any:
    """Draw the value with one part replaced or left out."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 3)):
        name = data.draw(st.sampled_from(sorted(value)))
        if not data.draw(st.integers(0, 4)):
            return {key: part for key, part in value.items() if key != name}
        return {**value, name: _changed(value[name], data)}
    if isinstance(value, list) and value and data.draw(st.integers(0, 3)):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], _changed(value[place], data), *value[place + 1 :]]
    return data.draw(JSON)


@TASK
@given(data=st.data())
@settings(max_examples=settings.default.max_examples)
def test_an_item_with_one_error_is_accepted_or_refused(name: str, data: st.DataObject) -> None:
    task = tasks.create(name)
    item = msgspec.to_builtins(data.draw(st.sampled_from(task.demo())))
    content = _changed(item["content"], data)
    if not isinstance(content, dict):
        return
    try:
        shown = task.to_page(task.content(content), 1, {})
    except TatianError:
        return
    assert shown


@given(data=st.data())
@settings(max_examples=settings.default.max_examples)
def test_a_union_with_one_error_is_accepted_or_refused(data: st.DataObject) -> None:
    task = tasks.create("union")
    right = {
        "type": "written",
        "base": 0,
        "merged": "All of it.",
        "highlights": [{"start": 0, "end": 3, "sentence": 1}],
    }
    try:
        kept = task.from_page(task.demo()[0].content, 1, {}, _changed(right, data))
    except TatianError:
        return
    assert kept["type"] in ("written", "skipped")


@TASK
@given(options=OBJECT)
@settings(max_examples=settings.default.max_examples // 4)
def test_any_options_are_accepted_or_refused(name: str, options: dict[str, Any]) -> None:
    task = tasks.create(name)
    try:
        task.check_options(options)
    except TatianError:
        return
    assert task.to_page(task.demo()[0].content, 1, options)


@TASK
@given(
    data=st.binary(max_size=200)
    | st.text(max_size=200).map(str.encode)
    | OBJECT.map(lambda value: json.dumps(value).encode()),
    ending=st.sampled_from(["csv", "tsv", "jsonl", "json", "gz", "zip", ""]),
)
@settings(max_examples=settings.default.max_examples // 2)
def test_any_file_is_read_or_refused(name: str, data: bytes, ending: str) -> None:
    try:
        read_items(tasks.create(name), f"file.{ending}", data)
    except TatianError:
        return
