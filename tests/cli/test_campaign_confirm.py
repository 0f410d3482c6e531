"""`tatian campaign confirm` makes the second round of mention detection out of the first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tatian.workbench.campaigns import campaigns, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.storage.database import Database

from .harness import Command
from .test_campaign import Inside, entered, status

TEXT = "The voters choose; then voters wait."
ANSWER = {"mentions": [{"start": 4, "end": 10, "term": "voters", "title": "Voting"}]}


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    lines = [{"id": "v", "text": TEXT, "topic": "Elections"}, {"id": "w", "text": "Hm."}]
    (tmp_path / "texts.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    (tmp_path / "plain.json").write_text('{"shuffled": false}', "utf-8")
    command = Inside(tmp_path)
    assert command(*create("links", "plain.json")) == (0, "", "")
    return command


def create(id: str, settings: str) -> tuple[str, ...]:
    asked = ("--task", "mentions.detect", "--settings", settings, "--open", "-q")
    return ("campaign", "create", id, "texts.jsonl", *asked)


@pytest.fixture
def answered(tatian: Command, tmp_path: Path) -> Command:
    entered(tmp_path, "Ann", "links", ANSWER)
    return tatian


def read_campaign(directory: Path, id: str) -> tuple[Campaign, list[int]]:
    """A campaign, and where its candidates begin."""
    database = Database(str(directory / "tatian-workbench.db"))
    with database.reading() as connection:
        campaign = campaigns.get(connection, id)
        found = items.list_items(connection, campaign)
    database.close()
    return campaign, [one["start"] for item in found for one in item.content["candidates"]]


def test_confirm_makes_a_campaign_of_the_links(answered: Command, tmp_path: Path) -> None:
    done = answered("campaign", "confirm", "links", "second")
    assert done.err == (
        "tatian: note: campaign 'second' has 1 candidate in 1 text and is a draft: 'tatian "
        "campaign open second' lets people begin\n"
    )
    second, places = read_campaign(tmp_path, "second")
    assert (second.task, second.title) == ("mentions.confirm", "links: confirmation")
    assert second.settings.annotators == 10
    assert places == [4]


def test_all_links_are_candidates_once(tatian: Command, tmp_path: Path) -> None:
    Path("two.json").write_text('{"annotators": 2, "shuffled": false}', "utf-8")
    tatian(*create("both", "two.json"))
    same, other = {**ANSWER["mentions"][0], "title": "voting"}, {"start": 24, "end": 30}
    entered(tmp_path, "Ann", "both", ANSWER)
    entered(tmp_path, "Bob", "both", {"mentions": [same, {**same, **other}]})
    assert tatian("campaign", "confirm", "both", "second", "-q").status == 0
    assert read_campaign(tmp_path, "second")[1] == [4, 24]


def test_options_say_how_many_judge_and_open_the_campaign(
    answered: Command, tmp_path: Path
) -> None:
    done = answered(
        "campaign", "confirm", "links", "second", "--annotators", "5", "--open", "-q",
    )  # fmt: skip
    assert done == (0, "", "")
    assert read_campaign(tmp_path, "second")[0].settings.annotators == 5
    assert status(answered, "second")["state"] == "open"


def test_people_are_asked_on_the_same_terms_and_go_back_with_other_codes(
    tatian: Command, tmp_path: Path
) -> None:
    terms = {"consent": "May we?", "requirements": "Fluent.", "pay": {"item": 0.2}}
    codes = {"code": "C", "failed": "F", "excluded": "E", "over": "O"}
    panel = {"person": "PID", **codes, "redirect": "https://panel.example/?cc={code}"}
    chosen = {"panel": panel, "least": 2, "shuffled": False, **terms}
    Path("paid.json").write_text(json.dumps(chosen), "utf-8")
    tatian(*create("paid", "paid.json"))
    entered(tmp_path, "Ann", "paid", ANSWER, {"mentions": []})
    assert tatian("campaign", "confirm", "paid", "second", "-q").status == 0
    assert len(read_campaign(tmp_path, "second")[1]) == 1
    second = json.loads(tatian("campaign", "settings", "second").out)
    assert {name: second[name] for name in terms} == terms
    assert second["panel"] == {"person": "PID"}
    assert second["least"] == 1, "no more than there are texts"


def test_repeats_adds_other_places_of_a_term(answered: Command, tmp_path: Path) -> None:
    assert answered("campaign", "confirm", "links", "second", "--repeats", "-q").status == 0
    assert read_campaign(tmp_path, "second")[1] == [4, 24]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("links", "second"), "nobody has linked anything in campaign 'links' yet"),
        (("nowhere", "second"), "nowhere"),
    ],
)
def test_confirm_without_links_creates_no_campaign(
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


def test_opening_a_second_round_at_once_warns_of_what_cannot_work(
    answered: Command, tmp_path: Path
) -> None:
    blank = {"consent": " ", "shuffled": False}
    Path("blank.json").write_text(json.dumps(blank), "utf-8")
    answered(*create("first", "blank.json"), "--database", "new.db")
    entered(tmp_path, "Ann", "first", ANSWER, database="new.db")
    confirm = ("campaign", "confirm", "first", "--database", "new.db")
    assert "warning" not in answered(*confirm, "draft").err
    warning = "tatian: warning: the text of 'consent' in its settings is blank"
    assert warning in answered(*confirm, "second", "--open").err
