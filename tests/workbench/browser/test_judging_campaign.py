"""A judging campaign from files to figures, with three blind judges."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tatian.workbench.campaigns import exports, item_files
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import NewItem, tasks

pytestmark = pytest.mark.long

HEADER = "sentence1Text,sentence2Text,mergedText\n"
PAIRS = (
    ("A ferry sank.", "The Alba sank in fog."),
    ("Two men were hurt.", "Two men from Osk were hurt on Sunday."),
)
UNIONS = {
    "gold": ("The ferry Alba sank in fog.", "Two men from Osk were hurt on Sunday."),
    "zeta-large": ("The ferry Alba sank in the fog.", "On Sunday two men from Osk were hurt."),
    "omega-nine": ("A ferry sank.", "Two men were hurt."),
    "kappa-two": ("A ferry sank; the Alba sank in fog.", "Two men were hurt."),
}
SYSTEMS = ("zeta-large", "omega-nine", "kappa-two")
RATINGS = {
    union: ratings
    for system, ratings in zip(SYSTEMS, ((4, 4, 4, 5), (2, 4, 4, 5), (4, 4, 2, 3)), strict=True)
    for union in UNIONS[system]
} | {"Two men were hurt.": (2, 4, 4, 5)}


def tatian(folder: Path, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tatian", *args],
        cwd=folder, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def items(tmp_path: Path) -> list[NewItem]:
    """Return the items that the command makes of a reference and system files."""
    for name, unions in UNIONS.items():
        rows = [f"{a},{b},{union}\n" for (a, b), union in zip(PAIRS, unions, strict=True)]
        (tmp_path / f"{name}.csv").write_text(HEADER + "".join(rows))
    files = [f"{name}.csv" for name in SYSTEMS]
    tatian(tmp_path, "union", "side-by-side", "gold.csv", *files, "-o", "items.jsonl")
    data = (tmp_path / "items.jsonl").read_bytes()
    return item_files.read_items(tasks.create("union.judge"), "items.jsonl", data)


class Recorder:
    """Recorder of everything that the server sends to a browser."""

    def __init__(self, page: Page) -> None:
        self.said: list[str] = []
        page.on("response", self._keep)

    def _keep(self, response: Response) -> None:
        if "/api/" in response.url:
            self.said.append(response.text())

    def names(self) -> set[str]:
        return {name for name in SYSTEMS for text in self.said if name in text}


def judge(page: Page) -> None:
    """Rate all unions of an item by their texts, criterion by criterion."""
    expect(page.locator(".output").first).to_have_css("display", "grid")
    steps = page.get_by_role("navigation", name="Criteria")
    steps.get_by_role("button", name="Fluency").click()
    expect(page.get_by_role("heading", name="Fluency", level=2)).to_be_visible()
    unions = page.locator(".output .reading").all_inner_texts()
    for place, criterion in enumerate(("coverage", "faithfulness", "Repetition", "Fluency")):
        steps.get_by_role("button", name=criterion).click()
        expect(steps.get_by_role("button", name=criterion)).to_have_attribute(
            "aria-current", "step"
        )
        for row, union in enumerate(unions):
            value = RATINGS[union][place]
            page.locator(".output").nth(row).get_by_role("radio", name=f"{value}:").check()
    page.get_by_role("button", name="Submit").click()


def test_three_judges_rate_and_the_export_gives_the_figures(
    workbench: Any, join: Any, items: list[NewItem], tmp_path: Path
) -> None:
    campaign = workbench.campaign(
        "union.judge", items, CampaignSettings(annotators=3, shuffled=False)
    )
    for _ in range(3):
        page = join(campaign)
        expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()
        judge(page)
        expect(page.get_by_role("banner")).to_contain_text("1 done")
        judge(page)
        expect(page.get_by_role("heading", name="All done")).to_be_visible()
    download = exports.export(workbench.database, campaign.id, "task")
    with zipfile.ZipFile(io.BytesIO(b"".join(download.chunks()))) as archive:
        archive.extractall(tmp_path)
    for name in ("ratings.csv", "ratings.jsonl"):
        figures = json.loads(tatian(tmp_path, "union", "ratings", name, "--format", "json"))
        systems = figures["systems"]
        means = {name: systems[name]["scores"]["coverage"]["value"] for name in SYSTEMS}
        assert means == {"zeta-large": 4, "omega-nine": 2, "kappa-two": 3}
        assert systems["kappa-two"]["scores"]["redundancy"]["value"] == 3
        assert figures["agreement"]["coverage"] == 1


def test_no_response_to_judges_names_systems(
    workbench: Any, join: Any, items: list[NewItem]
) -> None:
    best = {"coverage": 4, "faithfulness": 4, "redundancy": 4, "fluency": 5}
    gold = {"systems": dict.fromkeys(SYSTEMS, best)}
    training = NewItem("t", items[0].content, gold=gold, stage=0)
    stages = (CampaignStage("training", feedback=True), CampaignStage("judging"))
    campaign = workbench.campaign(
        "union.judge", [training, *items], CampaignSettings(stages=stages, shuffled=False)
    )
    page = join(campaign)
    heard = Recorder(page)
    page.reload()
    judge(page)
    page.get_by_role("button", name="Continue").click()
    judge(page)
    expect(page.get_by_role("banner")).to_contain_text("1 done")
    page.get_by_role("button", name="My answers").click()
    page.get_by_role("dialog").get_by_role("radio").and_(page.locator(":enabled")).first.check()
    page.get_by_role("button", name="Correct the chosen one").click()
    expect(page.get_by_text("You are correcting an earlier answer")).to_be_visible()
    expect(page.locator(".output").first.get_by_role("radio", checked=True)).to_have_count(1)
    page.get_by_role("button", name="Submit the correction").click()
    expect(page.locator(".output").first.get_by_role("radio", checked=True)).to_have_count(0)
    for path in ("", "/mine", "/guidelines"):
        answer = page.request.get(f"{workbench.url}/api/v1/work/{campaign.id}{path}")
        assert answer.ok, path
        heard.said.append(answer.text())
    token = page.locator("#app").get_attribute("data-csrf")
    (mine, *_) = page.request.get(f"{workbench.url}/api/v1/work/{campaign.id}/mine").json()
    stale = {"nonce": "n" * 8, "answer": {"ratings": {}}, "seconds": 1, "replaces": "x" * 32}
    for action in ("correction", "answer", "draft"):
        refused = page.request.fetch(
            f"{workbench.url}/api/v1/work/{campaign.id}/{mine['assignment']}/{action}",
            method="PUT" if action == "draft" else "POST",
            headers={"X-CSRF-Token": token or "", "Origin": workbench.url},
            data=stale if action == "correction" else {"nonce": "m" * 8, "answer": 1, "seconds": 1},
        )
        assert 400 <= refused.status < 500
        heard.said.append(refused.text())
    assert any("corrected in the meantime" in text for text in heard.said)
    assert any('"feedback":{' in text for text in heard.said)
    assert any('"answer_id"' in text for text in heard.said)
    assert heard.names() == set()
