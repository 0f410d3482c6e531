"""Choice of language models in the settings of the desk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.chat.endpoint import find_servers

from ....chat.server import Script, says, sends, serve
from .conftest import PATIENCE, put_in, texts
from .test_access import axe_findings

ACCOUNT = (
    "The ferry Anna ran aground off Halverne on Monday with 80 people on board. "
    "Mayor Ruth Hale visited passengers in Orme. "
    "Divers from Tolvik will inspect the hull on Thursday. "
    "Harbour master Ib Lund closed the channel for two days."
)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """A server of two models, at Ollama's port."""
    with serve(Script(says("1\n4 3 2"))) as script:
        script.models = sends({"data": [{"id": "llama3"}, {"id": "qwen3:8b"}]})
        port = int(script.url.partition("127.0.0.1:")[2].partition("/")[0])
        there = partial(find_servers, {"Ollama": port})
        monkeypatch.setattr("tatian.workbench.web.desk.models.find_servers", there)
        monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")
        yield script


def open_settings(window: Any) -> Page:
    """Open the settings with the servers of this machine."""
    page: Page = window()
    summary = page.get_by_text("Nothing leaves this machine.", exact=False).first
    expect(summary).to_be_visible()
    page.locator("#models > summary").click()
    expect(page.get_by_role("button", name="llama3 as writer")).to_be_visible()
    return page


def test_a_local_model_edits_after_one_click(
    desk: Any, window: Any, script: Script, tmp_path: Path
) -> None:
    page = open_settings(window)
    editor = page.get_by_role("button", name="qwen3:8b as editor")
    editor.click()
    expect(editor).to_have_attribute("aria-pressed", "true")
    expect(editor).to_be_focused()
    expect(page.get_by_role("status").last).to_contain_text("Editor: qwen3:8b at http://localhost")
    expect(page.locator("#models > summary")).to_contain_text("Nothing leaves this machine.")
    files = [tmp_path / "first.txt", tmp_path / "second.txt"]
    for file, text in zip(files, (ACCOUNT, ACCOUNT.partition(". ")[0] + "."), strict=True):
        file.write_text(text)
    put_in(page, files)
    expect(page.locator(".models-line")).to_contain_text("Editor qwen3:8b at http://localhost")
    page.get_by_role("button", name="Consolidate").click()
    expect(page.locator("#text .o")).to_have_count(4, timeout=PATIENCE)
    assert [text.split()[0] for text in texts(page)] == ["The", "Harbour", "Divers", "Mayor"]
    expect(page.locator(".tally")).to_contain_text("The order is by qwen3:8b.")
    assert {request["model"] for request in script.requests} == {"qwen3:8b"}


def test_a_model_is_chosen_and_removed_with_keys(desk: Any, window: Any, script: Script) -> None:
    page = window()
    summary = page.locator("#models > summary")
    expect(summary).to_be_visible()
    summary.focus()
    page.keyboard.press("Enter")
    writer = page.get_by_role("button", name="llama3 as writer")
    expect(writer).to_be_visible()
    for _ in range(30):
        if writer.evaluate("(node) => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(writer).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="llama3 as editor").press("Enter")
    expect(writer).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Do without the editor").press("Enter")
    expect(page.get_by_role("button", name="llama3 as editor")).to_have_attribute(
        "aria-pressed", "false"
    )
    expect(summary).to_contain_text("None.")
    assert script.requests == []


def test_a_remote_address_is_said_to_get_sources(desk: Any, window: Any, script: Script) -> None:
    page = open_settings(window)
    page.get_by_label("Another address").fill("https://models.example.org/v1#large")
    page.get_by_label("Use it as").select_option("Judge")
    page.get_by_role("button", name="Use it").click()
    summary = page.locator("#models > summary")
    expect(summary).to_contain_text("Judge large at https://models.example.org/v1.")
    expect(summary).to_contain_text("Sources are sent to another machine.")
    page.reload()
    expect(summary).to_contain_text("Sources are sent to another machine.")


def test_invalid_addresses_are_refused_with_a_reason(
    desk: Any, window: Any, script: Script
) -> None:
    page = window(refused=True)
    page.locator("#models > summary").click()
    page.get_by_label("Another address").fill("ftp://models.example.org")
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_role("alert").filter(has_text="is not an address")).to_be_visible()
    expect(page.locator("#models > summary")).to_contain_text("None.")


@pytest.mark.long
def test_the_settings_pass_axe(desk: Any, window: Any, script: Script, axe: Any) -> None:
    page = window(loud=True)
    page.locator("#models > summary").click()
    page.get_by_role("button", name=re.compile("llama3 as judge")).click()
    assert axe_findings(page, axe, "models") == {}
