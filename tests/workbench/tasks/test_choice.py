"""Sorting errors by cause and skipped pairs by reason: one choice for each question."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tatian.errors import InputError
from tatian.text.layers import Authorship, Record
from tatian.workbench.quality.cases import RULES
from tatian.workbench.tasks import Json, NewItem, Task, tasks

SENTENCES = ["Dozens were hurt.", "53 were hurt."]
CONTENT: Json = {
    "sentences": SENTENCES,
    "reference": "53 were hurt.",
    "systems": {"t5": "Dozens were hurt.", "gpt": "53 hurt.", "copy": "Dozens were hurt."},
}
NONE = "no error"


@pytest.fixture
def causes() -> Task:
    return tasks.create("union.errors")


def chosen(causes: Task, coverage: str = "uni-directional entailment", **more: str) -> Json:
    """Choices as they are stored: one cause for the union of 't5' and 'copy'."""
    keys = [
        f"{name}:{who}"
        for who in ("t5", "gpt")
        for name in ("coverage", "faithfulness", "redundancy")
    ]
    return {"chosen": dict.fromkeys(keys, NONE) | {"coverage:t5": coverage} | more}


def sent(causes: Task, stored: Json, seed: int) -> Json:
    return causes.answer_to_page(CONTENT, seed, {}, stored)


def test_no_page_names_a_system(causes: Task) -> None:
    shown = msgspec.json.encode(causes.to_page(CONTENT, 3, {})).decode()
    assert not [name for name in CONTENT["systems"] if f'"{name}"' in shown or f":{name}" in shown]


def test_a_union_that_two_systems_wrote_is_sorted_once_for_both(causes: Task) -> None:
    assert len(causes.to_page(CONTENT, 3, {})["groups"]) == 2
    record = Record("1", "union.errors", "x", Authorship("ann"), chosen(causes))
    (file,) = causes.export([NewItem("x", CONTENT)], [record])
    line = msgspec.json.decode(file.data)
    assert [one["system"] for one in line["errors"]] == ["t5", "copy"]
    assert line["outputs"] == 3


@pytest.mark.parametrize("seed", range(4))
def test_answers_are_stored_by_system_in_any_order(causes: Task, seed: int) -> None:
    stored = chosen(causes)
    assert causes.from_page(CONTENT, seed, {}, sent(causes, stored, seed)) == stored


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"coverage:0": ""}, "is none of no error, uni-directional"),
        ({"beauty:0": NONE}, "there is no question 'beauty:0'"),
    ],
)
def test_invalid_answers_are_refused(causes: Task, change: Json, said: str) -> None:
    page = sent(causes, chosen(causes), 1)
    page["chosen"] |= change
    with pytest.raises(InputError, match=said):
        causes.from_page(CONTENT, 1, {}, page)


def test_a_question_left_open_is_refused(causes: Task) -> None:
    page = sent(causes, chosen(causes), 1)
    del page["chosen"]["coverage:0"]
    with pytest.raises(InputError, match="no answer to: Why is something missing"):
        causes.from_page(CONTENT, 1, {}, page)


def test_the_score_is_the_share_of_right_choices(causes: Task) -> None:
    gold = chosen(causes)
    assert causes.score(CONTENT, gold, gold) == 1
    assert causes.score(CONTENT, gold, chosen(causes, NONE)) == pytest.approx(5 / 6)


def test_agreement_is_alpha_by_criterion_and_equal_choices(causes: Task) -> None:
    given = {"ann": chosen(causes), "bo": chosen(causes, "paraphrase")}
    measures = {one.name: one for one in causes.agreement({"x": CONTENT}, {"x": given})}
    assert list(measures) == [
        "alpha of coverage", "alpha of faithfulness", "alpha of redundancy", "equal choices",
    ]  # fmt: skip
    assert measures["equal choices"].value == pytest.approx(5 / 6)


def test_a_rule_settles_agreed_choices_and_names_the_others(causes: Task) -> None:
    given = {
        "ann": chosen(causes), "bo": chosen(causes), "cid": chosen(causes, "paraphrase"),
    }  # fmt: skip
    settled = causes.settle(CONTENT, given, RULES["majority"])
    assert settled.answer == chosen(causes)
    (dispute,) = settled.differences
    assert dispute.where == "Why is something missing? “Dozens were hurt.”"


def test_a_skipped_pair_is_read_from_the_export_of_a_union_campaign() -> None:
    task = tasks.create("union.skips")
    line: dict[str, Any] = {"id": "a", "sentences": SENTENCES, "skip": "unnatural", "by": "eve"}
    item = task.item(line, 1)
    assert item.content == {"sentences": SENTENCES, "reason": "unnatural"}
    assert "unnatural" not in str(task.to_page(item.content, 1, {})["texts"])
    record = Record("1", task.name, "a", Authorship("ann"), {"chosen": {"category": "mistake"}})
    (file,) = task.export([item], [record])
    assert msgspec.json.decode(file.data) == {
        "type": "skip", "id": "a", "by": "ann", "category": "mistake", "reason": "unnatural",
    }  # fmt: skip
