"""`tatian campaign create --consent`, and what is said where nobody is told what data is for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command, Inside

pytest.importorskip("sqlalchemy")

WARNING = (
    "tatian: warning: people come from a panel or are paid, and nothing tells them what their "
    "answers are used for: give the campaign a consent text ('consent' in its settings)\n"
)


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    (tmp_path / "pairs.csv").write_text("sentence1Text,sentence2Text\nA b.,A c.\n", "utf-8")
    (tmp_path / "paid.json").write_text('{"pay": {"item": 0.5}, "consent": ""}', "utf-8")
    (tmp_path / "mine.md").write_text("\ufeffFor **science**.\n", "utf-8")
    return Inside(tmp_path)


CREATE = ("campaign", "create", "ferries", "pairs.csv", "--task", "union")


def consent(tatian: Command) -> str:
    return str(json.loads(tatian("campaign", "settings", "ferries").out)["consent"])


def test_a_file_holds_what_people_agree_to(tatian: Command) -> None:
    assert tatian(*CREATE, "--consent", "mine.md", "-q") == (0, "", "")
    assert consent(tatian) == "For **science**.\n"


def test_default_is_a_text_that_says_what_the_data_is_for(tatian: Command) -> None:
    assert tatian(*CREATE, "--consent", "default", "-q") == (0, "", "")
    assert "train artificial intelligence models" in consent(tatian)


def test_a_file_that_is_not_there_is_named(tatian: Command) -> None:
    assert tatian(*CREATE, "--consent", "none.md").error == "none.md: no such file or directory"


def test_opening_warns_where_paid_people_are_not_told(tatian: Command) -> None:
    tatian(*CREATE, "--settings", "paid.json")
    assert tatian("campaign", "open", "ferries").err.endswith(WARNING)
    assert WARNING not in tatian("campaign", "close", "ferries").err
    assert tatian("campaign", "open", "ferries", "-q") == (0, "", "")


@pytest.mark.parametrize("more", [(), ("--open",)])
def test_creating_such_a_campaign_warns_before_it_is_made(tatian: Command, more: Any) -> None:
    assert tatian(*CREATE, "--settings", "paid.json", *more).err.startswith(WARNING)


def test_with_a_consent_text_nothing_is_to_be_warned_of(tatian: Command) -> None:
    done = tatian(*CREATE, "--settings", "paid.json", "--consent", "default", "--open")
    assert "warning" not in done.err
