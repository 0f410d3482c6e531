"""Invalid settings are refused however a campaign is created."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from tatian.cli import main

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"options": {"criteria": ["beauty"]}}, "options of the campaign"),
    ({"options": {"panel": "prolific"}}, "options of the campaign"),
    ({"panel": {"redirect": "http://example.org/"}}, "https address"),
]
settings = pytest.mark.parametrize(("settings", "said"), WRONG)
ITEM = {"id": "1", "sentences": ["One.", "Two."], "reference": "Both.", "systems": {"a": "Both."}}


@settings
def test_by_the_command_line(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    file, chosen = tmp_path / "items.jsonl", tmp_path / "settings.json"
    file.write_bytes(msgspec.json.encode(ITEM) + b"\n")
    chosen.write_bytes(msgspec.json.encode(settings))
    database = ["--database", str(tmp_path / "w.db")]
    options = ["--task", "union.judge", "--settings", str(chosen)]
    done = CliRunner().invoke(main, ["campaign", "create", "x", str(file), *options, *database])
    assert done.exit_code != 0
    assert said in " ".join(done.output.split())
    listed = CliRunner().invoke(main, ["campaign", "status", *database])
    assert "union.judge" not in listed.output
