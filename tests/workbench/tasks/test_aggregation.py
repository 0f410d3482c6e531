"""The aggregation task: items, answers, gold, export, data of the page."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tatian.aggregation.data.cleanup import AnswerRecord
from tatian.errors import InputError
from tatian.text.layers import Authorship, Record
from tatian.workbench.tasks.aggregation import AggregationTask

CONTENT: dict[str, Any] = {
    "entities": ["Nicole Sarre", "Ségolène Roux"],
    "type": "person",
    "title": "Sarre Wins",
    "context": "Ms. Roux lost to Nicole Sarre. Segolene Roux, no friend of Sarre’s, said little.",
    "background": {"Nicole Sarre": "A French politician."},
}


@pytest.fixture
def task() -> AggregationTask:
    return AggregationTask()


def marked(runs: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(run["text"], run["entity"]) for run in runs if "entity" in run]


def whole(runs: list[dict[str, Any]]) -> str:
    return "".join(run["text"] for run in runs)


def test_mentions_are_found_by_name_last_name_and_without_accents(task: AggregationTask) -> None:
    shown = task.to_page(CONTENT, 1, {})
    assert whole(shown["context"]) == CONTENT["context"]
    found = [("Roux", 1), ("Nicole Sarre", 0), ("Segolene Roux", 1), ("Sarre", 0)]
    assert marked(shown["context"]) == found
    assert marked(shown["title"]) == [("Sarre", 0)]


def test_given_mentions_are_used_and_the_inner_of_two(task: AggregationTask) -> None:
    context = "the rival of Roux won; Roux left"
    mentions = {"Nicole Sarre": [[0, 17]], "Ségolène Roux": [[13, 17]]}
    shown = task.to_page({**CONTENT, "context": context, "mentions": mentions}, 1, {})
    assert marked(shown["context"]) == [("the rival of ", 0), ("Roux", 1)]


def test_a_name_within_a_longer_one_is_not_marked(task: AggregationTask) -> None:
    content = {
        "entities": ["New York", "New York City"],
        "type": "location",
        "context": "New York City sued New York.",
    }
    shown = task.to_page(content, 1, {})
    assert marked(shown["context"]) == [("New York City", 1), ("New York", 0)]


@pytest.mark.parametrize(
    ("type", "names", "standard"),
    [
        ("person", ["A", "B"], "The two people"),
        ("location", ["A", "B", "C"], "The three areas"),
        ("organization", ["A", "B", "C", "D"], "The four organizations"),
    ],
)
def test_the_prompt_follows_type_and_size(
    task: AggregationTask, type: str, names: list[str], standard: str
) -> None:
    shown = task.to_page({"entities": names, "type": type, "title": "T"}, 1, {})
    *others, last = names
    lead = f"In this article, {', '.join(others)} and {last} are discussed."
    assert shown["prompt"] == {"lead": lead, "standard": standard}


def test_links_go_to_wikipedia_or_where_the_item_says(task: AggregationTask) -> None:
    own = {"Nicole Sarre": "https://fr.wikipedia.org/wiki/Nicole_Sarre"}
    first, second = task.to_page({**CONTENT, "links": own}, 1, {})["entities"]
    assert first["link"] == own["Nicole Sarre"]
    assert second["link"].endswith("search=S%C3%A9gol%C3%A8ne%20Roux")
    assert second["background"] == ""


def test_without_background_neither_text_nor_link_is_given(task: AggregationTask) -> None:
    shown = task.to_page(CONTENT, 1, {"background": False})
    assert [(one["background"], one["link"]) for one in shown["entities"]] == [("", "")] * 2
    assert "politician" not in json.dumps(shown)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"entities": ["A"]}, "a set has at least 2"),
        ({"entities": ["A", "a"]}, "a second time"),
        ({"entities": [str(number) for number in range(13)], "background": {}}, "at most 12"),
        ({"type": "film"}, "'film' is none of"),
        ({"context": "x" * 10_001}, "take an excerpt"),
        ({"mentions": {"Nicole Sarre": [[0, 999]]}}, "not within the context"),
        ({"links": {"Nicole Sarre": "javascript:alert(1)"}}, "not an https address"),
        ({"links": {"Nicole Sarre": "http://example.org"}}, "not an https address"),
        ({"links": {"Somebody": "https://example.org"}}, "not among the entities"),
    ],
)
def test_wrong_instances_are_refused(
    task: AggregationTask, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        task.content({**CONTENT, **change})


def test_phrases_are_stored_as_written_without_needless_spaces(task: AggregationTask) -> None:
    stored = task.from_page(CONTENT, 1, {}, {"phrases": [" The  French politicians ", ""]})
    assert stored == {"phrases": ["The French politicians"]}
    again = task.answer_to_page(CONTENT, 1, {}, stored)
    assert again == {"phrases": ["The French politicians"], "not_applicable": False}


def test_not_applicable_is_an_answer_without_phrases(task: AggregationTask) -> None:
    stored = task.from_page(CONTENT, 1, {}, {"phrases": [], "not_applicable": True})
    assert stored == {"phrases": []}
    assert task.answer_to_page(CONTENT, 1, {}, stored) == {"phrases": [], "not_applicable": True}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({}, "write a phrase"),
        ({"phrases": ["  "]}, "write a phrase"),
        ({"phrases": ["rivals"], "not_applicable": True}, "exclude each other"),
        ({"phrases": ["they"]}, "“they”: Pronouns"),
        ({"phrases": ["rivals", "the rivals"]}, "“the rivals”: It is the first phrase again"),
        ({"phrases": ["a", "b", "c"]}, "at most 2"),
        ({"phrases": "rivals"}, "not an answer of this page"),
        (None, "not an answer of this page"),
    ],
)
def test_invalid_answers_are_refused(task: AggregationTask, answer: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        task.from_page(CONTENT, 1, {}, answer)


GOLD = {"phrases": ["french politicians", "rivals"], "note": "Why."}


@pytest.mark.parametrize(
    ("phrases", "worth"),
    [
        (["The two French politicians"], 1.0),
        (["the politicians"], 0.5),
        (["lawyers"], 0.0),
        (["lawyers", "rivals"], 1.0),
        ([], 0.0),
    ],
)
def test_the_best_phrase_is_scored(task: AggregationTask, phrases: list[str], worth: float) -> None:
    assert task.score(CONTENT, GOLD, {"phrases": phrases}) == worth


def test_not_applicable_is_right_if_gold_is_empty(task: AggregationTask) -> None:
    assert task.score(CONTENT, {"phrases": []}, {"phrases": []}) == 1.0
    assert task.score(CONTENT, {"phrases": []}, {"phrases": ["rivals"]}) == 0.0


def test_feedback_has_the_accepted_phrases_and_the_worth_of_ones_own(
    task: AggregationTask,
) -> None:
    said = task.feedback(CONTENT, GOLD, {"phrases": ["rivals", "politicians"]})
    assert said["gold"] == GOLD["phrases"]
    assert [one["worth"] for one in said["own"]] == [1.0, 0.5]
    assert (said["note"], said["score"]) == ("Why.", 1.0)


def test_items_are_read_from_jsonl_with_gold_on_request(task: AggregationTask) -> None:
    line = {"id": "x", **CONTENT, "aggregations": ["politicians"], "candidates": ["politicians"]}
    data = json.dumps(line).encode()
    (plain,) = task.read("f.jsonl", data, {})
    assert (plain.key, plain.content, plain.gold) == ("x", task.content(CONTENT), None)
    (told,) = task.read("f.jsonl", data, {"gold": "aggregations"})
    assert told.gold == {"phrases": ["politicians"], "note": ""}


def test_items_are_read_from_a_table(task: AggregationTask) -> None:
    rows = ("entities,type,title,gold", "Lyon; Nantes,LOCATION,Rain,French cities; cities")
    data = "\n".join((*rows, "A;B,person,,")).encode()
    first, second = task.read("f.csv", data, {})
    assert first.content == {"entities": ["Lyon", "Nantes"], "type": "location", "title": "Rain"}
    assert first.gold == {"phrases": ["French cities", "cities"], "note": ""}
    assert (second.key, second.gold) == ("2", None)


@pytest.mark.parametrize(
    ("word", "type"),
    [
        ("people", "person"),
        ("Area", "location"),
        ("areas", "location"),
        ("organizations", "organization"),
    ],
)
def test_synonyms_of_types_are_understood(task: AggregationTask, word: str, type: str) -> None:
    (item,) = task.read("f.csv", f"entities,type\nA; B,{word}\n".encode(), {})
    assert item.content["type"] == type


def test_a_bad_line_is_named(task: AggregationTask) -> None:
    data = b'{"entities": ["A", "B"], "type": "person"}\n{"entities": ["A"], "type": "person"}\n'
    with pytest.raises(InputError) as refused:
        list(task.read("f.jsonl", data, {}))
    assert "f.jsonl" in str(refused.value)
    assert "2" in str(refused.value)


def test_the_export_carries_answers_with_their_instances(task: AggregationTask) -> None:
    (item,) = task.read("f.jsonl", json.dumps({"id": "x", **CONTENT}).encode(), {})
    records = [
        Record("1", "aggregation", "x", Authorship("ann", kind="person"), {"phrases": ["rivals"]}),
        Record("2", "aggregation", "x", Authorship("bo", kind="person"), {"phrases": []}),
        Record("3", "aggregation", "y", Authorship("bo", kind="person"), {"phrases": []}),
    ]
    answers, instances = task.export([item], records)
    found = [msgspec.json.decode(line, type=AnswerRecord) for line in answers.data.splitlines()]
    assert [(one.answer.phrases, one.answer.not_applicable) for one in found] == [
        (("rivals",), False),
        ((), True),
    ]
    assert all(one.instance is not None and one.instance.id == "x" for one in found)
    assert json.loads(instances.data)["entities"] == CONTENT["entities"]


def test_the_suggestion_names_what_all_share(task: AggregationTask) -> None:
    countries = {"entities": ["France", "Italy"], "type": "location"}
    draft = task.suggest(countries)
    assert draft is not None
    assert draft["none"] is False
    assert "countries" in draft["first"]
    task.from_page(countries, 1, {}, {"phrases": [draft["first"]]})


def test_unknown_sets_get_no_suggestion(task: AggregationTask) -> None:
    assert task.suggest({"entities": ["Qwxz Vrr", "Zzyx Krr"], "type": "person"}) is None
