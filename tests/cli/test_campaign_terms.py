"""`tatian campaign create --consent`, and what is said where nobody is told what data is for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .harness import Command, Inside

pytest.importorskip("sqlalchemy")


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


def test_consent_is_read_from_a_file(tatian: Command) -> None:
    assert tatian(*CREATE, "--consent", "mine.md", "-q") == (0, "", "")
    assert consent(tatian) == "For **science**.\n"


def test_default_consent_states_the_purpose(tatian: Command) -> None:
    assert tatian(*CREATE, "--consent", "default", "-q") == (0, "", "")
    assert "train artificial intelligence models" in consent(tatian)
