"""What somebody new to `tatian campaign` is told: what does not fit, stays behind or comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .harness import Command, Inside

pytest.importorskip("sqlalchemy")

HEADER = "id,sentence1Text,sentence2Text"
CREATE = ("campaign", "create", "ferries", "pairs.csv", "--task", "union")
WARNING = (
    "tatian: warning: one in 5 items is to be a hidden test, and there is none "
    "('test_every' in its settings)\n"
)


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    (tmp_path / "pairs.csv").write_text(f"{HEADER}\ni1,A b.,A c.\n", "utf-8")
    (tmp_path / "tests.json").write_text('{"test_every": 5}', "utf-8")
    return Inside(tmp_path)


def test_opening_a_campaign_that_cannot_work_as_set_warns(tatian: Command) -> None:
    tatian(*CREATE, "--settings", "tests.json")
    assert tatian("campaign", "open", "ferries").err.endswith(WARNING)
    assert "warning" not in tatian("campaign", "close", "ferries").err
    assert tatian("campaign", "open", "ferries", "-q") == (0, "", "")


@pytest.mark.parametrize("more", [(), ("--open",)])
def test_creating_such_a_campaign_warns_before_it_is_made(tatian: Command, more: Any) -> None:
    assert tatian(*CREATE, "--settings", "tests.json", *more).err.startswith(WARNING)


def test_a_stage_without_items_is_named_when_a_draft_is_made(tatian: Command) -> None:
    done = tatian(*CREATE[:4], "--protocol", "union-2023", "--set", "test_every=0")
    assert "warning: stage 'recruitment' has no items" in done.err
    assert done.status == 0


def test_campaign_with_an_empty_stage_cannot_be_opened(tatian: Command) -> None:
    done = tatian(*CREATE[:4], "--protocol", "union-2023", "--open")
    assert "stage 'recruitment' has no items: give them with '--stage recruitment=FILE'" in done.err
    assert tatian("campaign", "status", "ferries").status != 0


def test_files_of_an_earlier_export_stay_and_are_named(tatian: Command, tmp_path: Path) -> None:
    tatian(*CREATE, "-q")
    export = ("campaign", "export", "ferries", "--to", "task", "-o", "out")
    assert tatian(*export) == (0, "", "")
    assert tatian(*export) == (0, "", "")
    for name in ("gone.csv", "also.csv", "notes.odt"):
        (tmp_path / "out" / name).touch()
    warning = "out also has these files, perhaps of an earlier export: also.csv, gone.csv"
    assert tatian(*export) == (0, "", f"tatian: warning: {warning}\n")
    assert (tmp_path / "out" / "gone.csv").exists()


def test_of_many_such_files_ten_are_named(tatian: Command, tmp_path: Path) -> None:
    tatian(*CREATE, "-q")
    (tmp_path / "out").mkdir()
    for number in range(12):
        (tmp_path / "out" / f"{number:02}.csv").touch()
    done = tatian("campaign", "export", "ferries", "--to", "task", "-o", "out")
    assert done.err.endswith("08.csv, 09.csv and 2 more\n")
