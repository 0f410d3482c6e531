"""A review campaign from a consolidation to a reviewed text, with three reviewers."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.campaigns import exporting
from tatian.workbench.settings import Settings
from tatian.workbench.tasks import tasks
from tatian.workbench.tasks.comparing import Rule

from .review_steps import CREW, FERRY, begun, expect_end, to_review

pytestmark = pytest.mark.long

EDITED = FERRY.replace("ran aground", "stranded")


def review(page: Page, edit: bool) -> None:
    """The first sentence edited or accepted, the second accepted, the third rejected."""
    if edit:
        page.keyboard.press("e")
        page.get_by_label("The sentence as it should be").fill(EDITED)
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("a")
    page.keyboard.press("a")
    page.keyboard.press("r")
    page.keyboard.press("3")
    expect(page.locator(".count")).to_contain_text("3 of 3 judged")
    page.get_by_role("button", name="Submit").click()
    expect_end(page)


def test_three_reviewers_make_a_text(bench: Any, join: Any, answers: Any, tmp_path: Path) -> None:
    item = to_review()
    campaign = bench.campaign("consolidation.review", [item], Settings(annotators=3))
    for edit in (True, False, True):
        review(begun(join, campaign), edit)
    task: Any = tasks.create("consolidation.review")
    given = {str(number): answer for number, answer in enumerate(answers(campaign))}
    settled = task.settled(item.content, given, Rule())
    assert [one["verdict"] for one in settled.answer["sentences"]] == ["edit", "accept", "reject"]
    assert len(settled.disputes) == 1
    download = exporting.export(bench.database, campaign.id, "task")
    with zipfile.ZipFile(io.BytesIO(b"".join(download.chunks()))) as archive:
        archive.extractall(tmp_path)
    assert (tmp_path / "reviewed.txt").read_text() == f"{EDITED} {CREW}\n"
