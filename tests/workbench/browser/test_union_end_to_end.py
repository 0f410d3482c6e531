"""From a file of sentence pairs to scored unions, by three people in three browsers."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from tatian.cli import main
from tatian.union import data
from tatian.workbench.campaigns import campaigns

from .union_steps import (
    MERGED,
    STORM,
    WINDS,
    button,
    expect_end,
    finish,
    to_writing,
)

pytestmark = pytest.mark.long

FERRY = "A ferry ran aground in fog."
ALBA = "The ferry Alba ran aground near Halverne."
FERRY_MERGED = "The ferry Alba ran aground near Halverne in fog."
GOLD = f'sentence1Text,sentence2Text,mergedText\n{STORM},"{WINDS}","{MERGED}"\n'
GOLD += f"{FERRY},{ALBA},{FERRY_MERGED}\n"


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command line on the server's database, in a separate folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TATIAN_DATABASE", str(tmp_path / "workbench.db"))

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


def annotate_the_storm(page: Page) -> None:
    to_writing(page)
    finish(page)


def annotate_the_ferry(page: Page) -> None:
    to_writing(page, ALBA, "in", "fog")
    finish(page, FERRY_MERGED)


def skip_the_ferry(page: Page) -> None:
    button(page, "Skip these sentences").click()
    page.get_by_label("They disagree").check()
    button(page, "Submit").click()


def test_three_people_annotate_a_campaign_and_the_scorer_reads_its_export(
    workbench: Any, join: Any, tatian: Any, tmp_path: Path
) -> None:
    (tmp_path / "gold.csv").write_text(GOLD, encoding="utf-8")
    create = ("campaign", "create", "trial", "--task", "union", "gold.csv", "--open", "-q")
    tatian(*create, "--annotators", "3")
    with workbench.database.reading() as connection:
        campaign = campaigns.get(connection, "trial")
    for ferry in (annotate_the_ferry, annotate_the_ferry, skip_the_ferry):
        page = join(campaign)
        left = {STORM: annotate_the_storm, FERRY: ferry}
        while left:
            expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
            sentence = next(text for text in left if page.get_by_text(text, exact=True).count())
            left.pop(sentence)(page)
            expect(page.get_by_text(sentence, exact=True)).to_have_count(0)
        expect_end(page)
    tatian("campaign", "export", "trial", "--to", "task", "-o", "unions.zip")
    with zipfile.ZipFile("unions.zip") as archive:
        archive.extractall()
    scores = json.loads(
        tatian("union", "score", "gold.csv", "unions.csv", "--no-nli", "--format", "json", "-q")
    )
    assert scores["rouge1"] == pytest.approx(1)
    (skipped,) = data.read("skipped.jsonl")
    assert (skipped.skip, skipped.sentences) == ("disagreement", (FERRY, ALBA))
    answered = data.read("answers.jsonl")
    assert len(answered) == 6
    assert len({one.by for one in answered}) == 3
