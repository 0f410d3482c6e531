"""The union task without a browser: what it reads, accepts, scores and exports."""

from __future__ import annotations

import io
from typing import Any

import pytest

from tatian.errors import AssetError, InputError
from tatian.text.layers import Authorship, Record
from tatian.union import data
from tatian.workbench.tasks import Json, NewItem, tasks, union

STORM = "A storm tore the roof off a school in Marlow."
WINDS = "Winds ripped off the roof of Hillside School, and nobody was hurt."
CONTENT: Json = {"sentences": [STORM, WINDS]}
task = tasks.create("union")


def mark(text: str, sentence: int = 1) -> Json:
    start = [STORM, WINDS][sentence].index(text)
    return {"start": start, "end": start + len(text), "sentence": sentence}


def write_union(merged: str, *marks: Json, base: int = 0) -> Json:
    return {"type": "written", "base": base, "merged": merged, "highlights": list(marks)}


def received(answer: Any) -> Json:
    return task.from_page(CONTENT, 1, {}, answer)


def record(id: str, answer: Json, by: str = "ann", item: str = "1", **more: Any) -> Record[Json]:
    author = Authorship(by, "guidelines 1", "person", "2026-01-01T00:00:00Z")
    return Record(id, "union", item, author, answer, **more)


def exported(records: list[Record[Json]], *items: NewItem) -> dict[str, bytes]:
    given = items or (NewItem("1", CONTENT),)
    return {one.name: one.data for one in task.export(given, records)}


def read(name: str, text: str, **mapping: str) -> list[NewItem]:
    return list(task.read(name, text.encode(), mapping))


def test_pairs_are_read_from_csv_and_their_unions_left_out() -> None:
    (item,) = read("a.csv", f'sentence1Text,sentence2Text,mergedText\n{STORM},"{WINDS}",Both.\n')
    assert item == NewItem("1", CONTENT)


def test_a_union_in_a_file_is_gold_where_the_mapping_says_so() -> None:
    text = f'sentence1Text,sentence2Text,mergedText\n{STORM},"{WINDS}",Both.\n'
    (item,) = read("a.csv", text, gold="mergedText")
    assert item.gold == {"type": "written", "merged": "Both."}


def test_jsonl_brings_ids_dates_stages_and_gold() -> None:
    line = (
        '{"id": 7, "sentences": ["a b", "a c"], "date": "2024-05-11", "stage": 0, '
        '"gold": {"type": "skipped", "reason": "unnatural", "note": "why"}}'
    )
    (item,) = read("a.jsonl", line)
    assert (item.key, item.stage) == ("7", 0)
    assert item.content == {"sentences": ["a b", "a c"], "date": "2024-05-11"}
    assert item.gold == {"type": "skipped", "reason": "unnatural", "note": "why"}


def test_exported_annotations_become_gold_with_base_and_highlights() -> None:
    line = (
        '{"sentences": ["a b", "a c"], "merged": "a b c", "base": 0, '
        '"highlights": [{"start": 2, "end": 3, "sentence": 1}]}'
    )
    (item,) = read("a.jsonl", line, gold="merged")
    assert item.gold is not None
    assert item.gold["base"] == 0
    assert item.gold["highlights"] == [{"start": 2, "end": 3, "sentence": 1}]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"sentences": ["only one"]}', "two sentences or more"),
        ('{"sentences": ["one", "  "]}', "none of them empty"),
        ('{"sentences": [1, 2]}', "sentences"),
        ('{"sentences": ["a", "b"], "gold": {"type": "written", "merged": " "}}', "empty"),
        ('{"sentences": ["a", "b"], "gold": {"type": "other"}}', "gold"),
        (
            '{"sentences": ["a", "b"], "gold": {"type": "written", "merged": "c", "base": 5}}',
            "base 5",
        ),
    ],
)
def test_invalid_items_are_refused_with_their_line(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        read("bad.jsonl", '{"sentences": ["a", "b"]}\n' + line)
    assert error.value.line == 2


def test_order_of_sentences_depends_on_the_seed() -> None:
    orders = {
        tuple(one["id"] for one in task.to_page(CONTENT, seed, {})["sentences"])
        for seed in range(20)
    }
    assert orders == {(0, 1), (1, 0)}
    assert task.to_page(CONTENT, 3, {}) == task.to_page(CONTENT, 3, {})


def test_a_campaign_can_keep_the_order() -> None:
    shown = [task.to_page(CONTENT, seed, {"shuffled": False})["sentences"] for seed in range(20)]
    assert all([one["id"] for one in sentences] == [0, 1] for sentences in shown)


def test_answers_are_stored_with_normal_spaces() -> None:
    answer = write_union(
        " A storm at  Hillside,\n and nobody hurt ", mark("nobody"), mark("Hillside")
    )
    assert received(answer) == write_union(
        "A storm at Hillside, and nobody hurt", mark("Hillside"), mark("nobody")
    )


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (write_union("A storm.", mark("Hillside")), "'Hillside'"),
        (write_union("A storm.", {"start": 0, "end": 999, "sentence": 1}), "outside"),
        (write_union("A storm.", {"start": 0, "end": 1, "sentence": 4}), "not there"),
        (write_union("A storm.", mark("storm", 0)), "base sentence"),
        (write_union("A storm.", {"start": 5, "end": 2, "sentence": 1}), "not a span"),
        (write_union("   "), "empty"),
        (write_union("A storm.", base=9), "base 9"),
        ({"type": "skipped", "reason": "lazy"}, "reason"),
        ({"type": "skipped"}, "reason"),
        ({"merged": "no type"}, "type"),
        ([], "not a union"),
        (None, "not a union"),
    ],
)
def test_an_answer_that_breaks_a_rule_of_the_page_is_refused(answer: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        received(answer)


def test_the_right_answer_scores_one() -> None:
    gold = write_union("A storm tore the roof off Hillside School.", mark("Hillside School"))
    assert task.score(CONTENT, gold, gold) == 1


def test_highlights_and_wording_count_half_each() -> None:
    gold = write_union("one two three four", mark("Hillside School"))
    assert task.score(CONTENT, gold, write_union("one two three four", mark("nobody"))) == 0.5
    assert task.score(CONTENT, gold, write_union("five six", mark("Hillside School"))) == 0.5
    half = write_union("one two three four", mark("Hillside"))
    assert task.score(CONTENT, gold, half) == pytest.approx((1 + 2 / 3) / 2)


def test_another_base_is_no_mistake_and_only_the_wording_counts() -> None:
    gold = write_union("one two three", mark("Hillside"))
    assert task.score(CONTENT, gold, write_union("one two three", mark("Marlow", 0), base=1)) == 1


@pytest.mark.parametrize("base", [0, 1])
def test_missing_highlights_score_half_at_most(base: int) -> None:
    gold = write_union("one two three", mark("Hillside"))
    assert task.score(CONTENT, gold, write_union("one two three", base=base)) == 0.5


def test_skips_are_scored_by_their_reason() -> None:
    gold = {"type": "skipped", "reason": "unnatural"}
    assert task.score(CONTENT, gold, {"type": "skipped", "reason": "unnatural"}) == 1
    assert task.score(CONTENT, gold, {"type": "skipped", "reason": "disagreement"}) == 0.5
    assert task.score(CONTENT, gold, write_union("A union.")) == 0


def test_the_export_is_what_the_union_commands_read() -> None:
    answer = write_union("A storm at Hillside.", mark("Hillside"))
    files = exported([record("a", answer)])
    (pair,) = data.parse(io.StringIO(files["unions.csv"].decode()), "csv")
    assert (pair.sentences, pair.merged) == ((STORM, WINDS), "A storm at Hillside.")
    (full,) = data.parse(io.StringIO(files["unions.jsonl"].decode()), "jsonl")
    assert (full.base, full.by, full.highlights[0].of(WINDS)) == (0, "ann", "Hillside")


def test_of_several_unions_the_one_nearest_to_all_is_exported() -> None:
    texts = {"ann": "A storm hit Hillside.", "bob": "A storm hit Hillside.", "eve": "Rain fell."}
    files = exported([record(by, write_union(text), by) for by, text in texts.items()])
    assert files["unions.csv"].decode().count("A storm hit Hillside.") == 1
    assert "Rain" not in files["unions.csv"].decode()
    assert files["answers.jsonl"].count(b"\n") == 3


def test_items_skipped_by_most_are_exported_as_skipped() -> None:
    skip = {"type": "skipped", "reason": "unnatural", "note": "odd"}
    files = exported(
        [record("a", skip), record("b", skip, "bob"), record("c", write_union("Rain."), "eve")]
    )
    assert list(data.parse(io.StringIO(files["unions.csv"].decode()), "csv")) == []
    skipped = list(data.parse(io.StringIO(files["skipped.jsonl"].decode()), "jsonl"))
    assert [(one.skip, one.note, one.by) for one in skipped] == [
        ("unnatural", "odd", "ann"),
        ("unnatural", "odd", "bob"),
    ]


def test_a_corrected_answer_is_not_exported_any_more() -> None:
    records = [record("a", write_union("Old.")), record("b", write_union("New."), replaces="a")]
    files = exported(records)
    assert b"Old." not in files["answers.jsonl"]
    assert b"New." in files["answers.jsonl"]


def test_a_suggestion_can_be_submitted_as_it_is() -> None:
    state = task.suggest(CONTENT)
    assert state is not None
    tried = state["tried"][str(state["base"])]
    answer = write_union(tried["merged"], *tried["highlights"], base=state["base"])
    assert received(answer)["base"] == state["base"]


def test_a_failing_model_gives_no_suggestion(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Any:
        raise AssetError("no weights")

    monkeypatch.setattr(union, "_tools", absent)
    assert task.suggest(CONTENT) is None


@pytest.mark.parametrize("base", [0, 1])
def test_a_base_that_is_left_unchanged_does_not_pass_the_subtle_cases(base: int) -> None:
    subtle = [item for item in task.demo() if item.stage == 1]
    unchanged = [write_union(item.content["sentences"][base], base=base) for item in subtle]
    scores = [
        task.score(item.content, item.gold or {}, one)
        for item, one in zip(subtle, unchanged, strict=True)
    ]
    assert sum(scores) / len(scores) < (task.demo_stages[1].pass_mark or 0)


def test_the_guidelines_come_in_tabs_that_cover_every_reason_to_skip() -> None:
    text = task.guidelines()
    assert text.count("\n## ") >= 5
    for reason in ("Nothing to consolidate", "unnatural", "Context is missing", "They disagree"):
        assert reason in text
