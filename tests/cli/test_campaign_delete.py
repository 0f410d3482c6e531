"""`tatian campaign delete` deletes what is not open, and only when that is said twice."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from .harness import Command, Inside

pytest.importorskip("sqlalchemy")


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, where there is a draft of one pair."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    (tmp_path / "pairs.csv").write_text("sentence1Text,sentence2Text\nA ferry.,A boat.\n", "utf-8")
    command = Inside(tmp_path)
    made = command("campaign", "create", "ferries", "pairs.csv", "--task", "union", "-q")
    assert made.status == 0
    return command


def ids(tatian: Command) -> list[str]:
    return [one["id"] for one in json.loads(tatian("campaign", "status", "--format", "json").out)]


def test_deleting_a_draft_is_logged(tatian: Command) -> None:
    done = tatian("campaign", "delete", "ferries", "--yes")
    assert done.err == "tatian: note: campaign 'ferries' is deleted, with 1 items and 0 answers\n"
    assert ids(tatian) == []
    (entry,) = json.loads(tatian("campaign", "audit", "--format", "json").out)
    assert (entry["action"], entry["subject"]) == ("campaign.delete", "ferries")


def test_deleting_without_a_terminal_needs_an_option(tatian: Command) -> None:
    assert "--yes" in tatian("campaign", "delete", "ferries").error
    assert ids(tatian) == ["ferries"]


def test_deleting_an_open_campaign_is_refused(tatian: Command) -> None:
    tatian("campaign", "open", "ferries", "-q")
    assert "close it before" in tatian("campaign", "delete", "ferries", "--yes").error
    assert ids(tatian) == ["ferries"]


@pytest.mark.parametrize(("typed", "left"), [("ferries", []), ("fairies", ["ferries"])])
def test_deleting_on_a_terminal_asks_for_the_id(
    typed: str, left: list[str], tatian: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    import click

    from tatian.cli.campaign import settings

    terminal = SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(settings, "sys", terminal)
    monkeypatch.setattr(click, "prompt", lambda *_, **__: typed)
    tatian("campaign", "delete", "ferries", "-q")
    assert ids(tatian) == left
