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


def test_options_name_the_title_and_open_the_campaign(answered: Command) -> None:
    done = answered(
        "campaign", "confirm", "links", "second", "--title", "Judge", "--annotators", "5",
        "--open", "-q",
    )  # fmt: skip
    assert done == (0, "", "")
    about, _ = exported(answered, "second")
    assert (about["title"], about["settings"]["annotators"]) == ("Judge", 5)
    assert status(answered, "second")["state"] == "open"


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
