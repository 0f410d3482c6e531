"""Relations between the spans of two sentences: checked, compared, settled, exported."""

from __future__ import annotations

import msgspec
import pytest

from tatian.errors import InputError
from tatian.text.layers import Authorship, Record
from tatian.workbench.quality.cases import RULES
from tatian.workbench.tasks import Json, NewItem, Task, tasks

FIRST, SECOND = "The ferry Alba ran aground.", "The boat stranded."
CONTENT: Json = {"sentences": [FIRST, SECOND]}


def span(text: str, part: str) -> Json:
    start = text.index(part)
    return {"start": start, "end": start + len(part)}


def related(kind: str, first: str, second: str) -> Json:
    return {"kind": kind, "first": [span(FIRST, first)], "second": [span(SECOND, second)]}


NAMED = related("entails", "The ferry Alba", "The boat")
SAME = related("equivalent", "ran aground", "stranded")


@pytest.fixture
def task() -> Task:
    return tasks.create("union.relations")


def test_relations_are_stored_in_their_order_each_once(task: Task) -> None:
    sent = {"relations": [SAME, NAMED, SAME], "note": " "}
    assert task.from_page(CONTENT, 1, {}, sent) == {"relations": [NAMED, SAME]}


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        ({**SAME, "first": []}, "words of both sentences"),
        ({**SAME, "kind": "disjoint"}, "Invalid enum value"),
        ({**SAME, "second": [{"start": 9, "end": 99}]}, "outside its sentence"),
        ({**SAME, "first": [{"start": 3, "end": 4}]}, "without words"),
    ],
)
def test_invalid_answers_are_refused(task: Task, relation: Json, said: str) -> None:
    with pytest.raises(InputError, match=said):
        task.from_page(CONTENT, 1, {}, {"relations": [relation]})


def test_the_score_is_the_f1_of_related_words_with_their_kind(task: Task) -> None:
    gold = {"relations": [NAMED, SAME]}
    assert task.score(CONTENT, gold, gold) == 1
    assert task.score(CONTENT, gold, {"relations": [NAMED]}) == pytest.approx(2 * 6 / (8 + 6))
    turned = {**NAMED, "kind": "entailed"}
    assert task.score(CONTENT, {"relations": [NAMED]}, {"relations": [turned]}) == 0


def test_agreement_counts_words_and_kinds(task: Task) -> None:
    turned = {**NAMED, "kind": "equivalent"}
    given = {"ann": {"relations": [NAMED, SAME]}, "bo": {"relations": [turned, SAME]}}
    measures = {one.name: one.value for one in task.agreement({"x": CONTENT}, {"x": given})}
    assert measures["F1 of related words"] == pytest.approx(2 / 8)
    assert measures["F1 whatever the kind"] == 1
    assert measures["alpha of kinds"] is not None


def test_a_rule_keeps_what_enough_people_drew_and_names_the_rest(task: Task) -> None:
    given = {
        "ann": {"relations": [NAMED, SAME]}, "bo": {"relations": [SAME]}, "cid": {"relations": []},
    }  # fmt: skip
    settled = task.settle(CONTENT, given, RULES["majority"])
    assert settled.answer == {"relations": [SAME]}
    where = {one.where: one.choices for one in settled.differences}
    assert where["“The ferry Alba” and “The boat”"] == {
        "ann": "the first says more", "bo": "not related", "cid": "not related",
    }  # fmt: skip


def test_the_export_has_the_sentences_and_the_expert(task: Task) -> None:
    record = Record("1", task.name, "x", Authorship("ann"), {"relations": [SAME]})
    (file,) = task.export([NewItem("x", CONTENT)], [record])
    assert msgspec.json.decode(file.data) == {
        "type": "relations", "id": "x", "by": "ann", "sentences": [FIRST, SECOND],
        "relations": [SAME],
    }  # fmt: skip
