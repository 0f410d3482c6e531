"""Whatever way a campaign comes in, settings that cannot work are refused before anybody joins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from tatian.cli import main
from tatian.workbench.campaigns import campaigns

from .world import World

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"options": {"criteria": ["beauty"]}}, "options of the campaign"),
    ({"options": {"panel": "prolific"}}, "options of the campaign"),
    ({"panel": {"redirect": "http://example.org/"}}, "https address"),
]
settings = pytest.mark.parametrize(("settings", "said"), WRONG)
ITEM = {"id": "1", "sentences": ["One.", "Two."], "reference": "Both.", "systems": {"a": "Both."}}


def test_by_the_settings_page(world: World) -> None:
    world.campaign()
    refused = world.signed_in(world.user()).form(
        "/campaigns/birds/settings",
        title="Birds", production="unions", annotators="1", seed="1", batch="0", lease="60",
        test_every="0", suggestions="none", options='{"order": "random"}',
    )  # fmt: skip
    assert refused.status_code == 422
    assert 'id="options-problem">options of the campaign' in refused.text
    with world.database.reading() as connection:
        assert campaigns.get(connection, "birds").settings.options == {}


@settings
@pytest.mark.parametrize("whole", [False, True], ids=["settings", "campaign"])
def test_by_the_command_line(
    tmp_path: Path, settings: dict[str, Any], said: str, whole: bool
) -> None:
    head = {"file": "tatian.campaign", "version": 1, "id": "x", "task": "union.judge"}
    head |= {"title": "X", "settings": settings, "guidelines": ["Go."]}
    file, chosen = tmp_path / "items.jsonl", tmp_path / "settings.json"
    file.write_bytes(msgspec.json.encode(head if whole else ITEM) + b"\n")
    chosen.write_bytes(msgspec.json.encode(settings))
    database = ["--database", str(tmp_path / "w.db")]
    options = [] if whole else ["--task", "union.judge", "--settings", str(chosen)]
    done = CliRunner().invoke(main, ["campaign", "create", "x", str(file), *options, *database])
    assert done.exit_code != 0
    assert said in " ".join(done.output.split())
    listed = CliRunner().invoke(main, ["campaign", "status", *database])
    assert "union.judge" not in listed.output
