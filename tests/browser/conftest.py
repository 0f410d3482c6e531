"""A real browser, and pages in it that must stay quiet: no request, no message, no error."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tatian.consolidation.result import Consolidation

from ..listening import listen

Open = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    folder = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(folder):
            item.add_marker(pytest.mark.browser)


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a consolidation's page, or any HTML, in a window of its own.

    Whatever the page says on the console or asks of the network fails the test, unless `loud`.
    """
    contexts: list[BrowserContext] = []
    noise: list[str] = []

    def open_page(content: Consolidation | str, *, loud: bool = False, **options: Any) -> Page:
        file = tmp_path / f"page-{len(contexts)}.html"
        html = content if isinstance(content, str) else content.to_html()
        file.write_text(html, encoding="utf-8")
        size = {"width": 1440, "height": 900}
        context = browser.new_context(
            **{"viewport": size, "reduced_motion": "reduce", **options}  # type: ignore[arg-type]
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        if loud:
            page.goto(file.as_uri())
            return page
        listen(page, noise)
        page.on(
            "request",
            lambda request: (
                request.url in (file.as_uri(), "about:srcdoc")
                or request.url.startswith("data:")
                or noise.append(f"request: {request.url}")
            ),
        )
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert noise == []


@pytest.fixture
def phone() -> dict[str, Any]:
    """Options of `show` for a small telephone."""
    return {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    }
