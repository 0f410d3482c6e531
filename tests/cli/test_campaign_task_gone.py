"""A campaign of a task that is no longer there can be listed, exported, closed and deleted."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from .harness import Inside

pytest.importorskip("sqlalchemy")

PAIRS = "sentence1Text,sentence2Text\nA ferry sank.,The old ferry sank in May.\n"


def test_a_campaign_outlives_its_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    (tmp_path / "pairs.csv").write_text(PAIRS, "utf-8")
    tatian = Inside(tmp_path)
    assert tatian("campaign", "create", "old", "pairs.csv", "--task", "union", "--open").status == 0
    with closing(sqlite3.connect(tmp_path / "tatian-workbench.db")) as database:
        database.execute("UPDATE campaigns SET task = 'consolidation.review'")
        database.commit()
    shown = tatian("campaign", "status", "old", "--format", "json")
    assert json.loads(shown.out)["items"] == 1
    assert tatian("campaign", "export", "old").status == 0
    refused = tatian("campaign", "export", "old", "--to", "task", "-o", "results/")
    assert refused.status == 2
    assert "no workbench task named 'consolidation.review'" in refused.err
    assert tatian("campaign", "close", "old").status == 0
    assert tatian("campaign", "delete", "old", "--yes").status == 0
