"""A real browser, and pages in it that must stay quiet: no request, no message, no error."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request

from tatian.consolidation.result import Consolidation

from ..listening import page_listeners
from ..windows import Windows

Open = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    folder = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(folder):
            item.add_marker(pytest.mark.browser)


@pytest.fixture
def show(windows: Windows, tmp_path: Path) -> Iterator[Open]:
    """Opens a consolidation's page, or any HTML, in a window of its own.

    Whatever the page says on the console or asks of the network fails the test, unless `loud`.
    """
    numbers = count()
    noise: list[str] = []

    def open_page(content: Consolidation | str, *, loud: bool = False, **options: Any) -> Page:
        file = tmp_path / f"page-{next(numbers)}.html"
        html = content if isinstance(content, str) else content.to_html()
        file.write_text(html, encoding="utf-8")
        page = windows.open(**{"viewport": {"width": 1440, "height": 900}, **options})

        def asked(request: Request) -> None:
            if request.url not in (file.as_uri(), "about:srcdoc") and not request.url.startswith(
                "data:"
            ):
                noise.append(f"request: {request.url}")

        if not loud:
            windows.on(page, request=asked, **page_listeners(noise))
        page.goto(file.as_uri())
        return page

    yield open_page
    windows.leave()
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
