"""`tatian campaign confirm` makes the second round of mention detection out of the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command
from .test_campaign import Inside, status

pytest.importorskip("sqlalchemy")

TEXT = "The voters choose; then voters wait."
ANSWER = {"mentions": [{"start": 4, "end": 10, "term": "voters", "title": "Voting"}]}


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    lines = [{"id": "v", "text": TEXT, "topic": "Elections"}, {"id": "w", "text": "Hm."}]
    (tmp_path / "texts.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    record = {
        "id": "r1", "task": "mentions.detect", "item": "v", "answer": ANSWER,
        "made": {"by": "ann", "kind": "person", "at": "2026-01-02T03:04:05Z"},
    }  # fmt: skip
    (tmp_path / "records.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    command = Inside(tmp_path)
    made = command("campaign", "create", "links", "texts.jsonl", "--task", "mentions.detect", "-q")
    assert made == (0, "", "")
    return command


@pytest.fixture
def answered(tatian: Command) -> Command:
    done = tatian("campaign", "import", "links", "records.jsonl", "-q")
    assert done == (0, "", "")
    return tatian


def exported(tatian: Command, id: str) -> tuple[dict[str, Any], list[int]]:
    """What a campaign says of itself, and where its candidates begin."""
    done = tatian("campaign", "export", id, "--to", "items")
    about, *items = map(json.loads, done.out.splitlines())
    return about, [one["start"] for item in items for one in item["content"]["candidates"]]


def test_what_was_linked_is_to_be_confirmed(answered: Command) -> None:
    done = answered("campaign", "confirm", "links", "second")
    assert done.err == (
        "tatian: note: campaign 'second' has 1 candidate in 1 text and is a draft: 'tatian "
        "campaign open second' lets people begin\n"
    )
    about, places = exported(answered, "second")
    assert (about["task"], about["title"]) == ("mentions.confirm", "links: confirmation")
    assert about["settings"]["annotators"] == 10
    assert places == [4]


def test_options_say_how_many_judge_and_open_the_campaign(answered: Command) -> None:
    done = answered(
        "campaign", "confirm", "links", "second", "--annotators", "5", "--open", "-q",
    )  # fmt: skip
    assert done == (0, "", "")
    about, _ = exported(answered, "second")
    assert about["settings"]["annotators"] == 5
    assert status(answered, "second")["state"] == "open"


def test_people_are_asked_on_the_same_terms_and_go_back_with_other_codes(tatian: Command) -> None:
    terms = {"consent": "May we?", "requirements": "Fluent.", "pay": {"item": 0.2}}
    codes = {"code": "C", "failed": "F", "excluded": "E", "over": "O"}
    panel = {"person": "PID", **codes, "redirect": "https://panel.example/?cc={code}"}
    Path("paid.json").write_text(json.dumps({**terms, "panel": panel, "least": 2}), "utf-8")
    tatian(
        "campaign", "create", "paid", "texts.jsonl", "--task", "mentions.detect",
        "--settings", "paid.json", "-q",
    )  # fmt: skip
    linked = json.loads(Path("records.jsonl").read_text("utf-8"))
    nothing = {**linked, "id": "r2", "item": "w", "answer": {"mentions": []}}
    Path("both.jsonl").write_text(f"{json.dumps(linked)}\n{json.dumps(nothing)}\n", "utf-8")
    assert tatian("campaign", "import", "paid", "both.jsonl", "-q").status == 0
    assert tatian("campaign", "confirm", "paid", "second", "-q").status == 0
    about, places = exported(tatian, "second")
    assert len(places) == 1
    second = about["settings"]
    assert {name: second[name] for name in terms} == terms
    assert second["panel"] == {"person": "PID"}
    assert second["least"] == 1, "no more than there are texts"


def test_other_places_of_a_term_are_candidates_where_asked(answered: Command) -> None:
    assert answered("campaign", "confirm", "links", "second", "--repeats", "-q").status == 0
    assert exported(answered, "second")[1] == [4, 24]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("links", "second"), "nobody has linked anything in campaign 'links' yet"),
        (("nowhere", "second"), "nowhere"),
    ],
)
def test_without_anything_to_confirm_there_is_no_campaign(
    tatian: Command, arguments: tuple[str, ...], message: str
) -> None:
    done = tatian("campaign", "confirm", *arguments)
    assert done.status == 2
    assert message in done.err
    assert tatian("campaign", "status", "second").status == 2


def test_only_a_detection_campaign_can_be_confirmed(answered: Command) -> None:
    answered("campaign", "confirm", "links", "second", "-q")
    done = answered("campaign", "confirm", "second", "third")
    assert done.status == 2
    assert "asks for 'mentions.confirm': only what 'mentions.detect' gathered" in done.err


def test_opening_a_second_round_at_once_warns_of_what_cannot_work(answered: Command) -> None:
    blank = {"consent": " "}
    Path("blank.json").write_text(json.dumps(blank), "utf-8")
    create = ("campaign", "create", "first", "texts.jsonl", "--task", "mentions.detect", "-q")
    answered(*create, "--settings", "blank.json", "--database", "new.db")
    answered("campaign", "import", "first", "records.jsonl", "-q", "--database", "new.db")
    confirm = ("campaign", "confirm", "first", "--database", "new.db")
    assert "warning" not in answered(*confirm, "draft").err
    warning = "tatian: warning: the text of 'consent' in its settings is blank"
    assert warning in answered(*confirm, "second", "--open").err
