"""Accessibility of every page for managers, tested with axe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tatian.workbench.web.server import admin_link

from ...crowd import LONG, SHORT, UNIONS, Crowd, skipped, written

pytestmark = pytest.mark.long

ENOUGH = 18
"""Pages that there are at least: fewer, and the links were not followed."""
LINKS = """() => [...document.querySelectorAll("a[href]")]
  .filter((one) => one.origin === location.origin && !one.hasAttribute("download"))
  .map((one) => one.pathname)"""
ELSEWHERE = ("/api", "/static", "/work", "/join", "/sign-out")


def pages(page: Page, site: str, start: str) -> Iterator[str]:
    """Yield all pages that links of a page lead to, each opened."""
    known: set[str] = set()
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path in known or path.startswith(ELSEWHERE):
            continue
        known.add(path)
        page.goto(site + path)
        waiting += page.evaluate(LINKS)
        yield path


def test_every_page_for_managers_passes_axe(workbench: Any, window: Any, axe: Any) -> None:
    crowd = Crowd(workbench.database, "union", UNIONS)
    for merged in (SHORT, LONG):
        crowd.person({"pair-0": written(merged), "pair-1": skipped(), "pair-2": written(SHORT)})
    workbench.invitation(crowd.campaign)
    page = window()
    page.goto(workbench.url + admin_link(workbench.app.state.site))
    seen = []
    wrong = {}
    for path in pages(page, workbench.url, "/campaigns"):
        seen.append(path)
        for width, scheme in ((1280, "light"), (360, "dark")):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            if findings := axe(page):
                wrong[f"{path}, {width}, {scheme}"] = findings
    assert wrong == {}
    assert len(seen) >= ENOUGH, seen
