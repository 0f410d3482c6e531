"""What several tests share: the data directory, and how hypothesis searches."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("tatian", deadline=None, derandomize=True)
settings.load_profile("tatian")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that reads the shared data sets."""
    for item in items:
        if "data" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)


@pytest.fixture(scope="session")
def data() -> Path:
    """The directory of the shared data sets; the test is skipped where there is none."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    directory = Path(os.environ.get("TATIAN_DATA") or beside)
    if not directory.is_dir():
        pytest.skip("the shared data sets are neither beside the checkout nor at $TATIAN_DATA")
    return directory


CHROMIUM = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """Where Chromium is: $TATIAN_CHROMIUM, or the first known name on the path."""
    named = os.environ.get("TATIAN_CHROMIUM")
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return named or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium; without one the test is skipped, or fails if one is required."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        reason = "no Chromium on the path and $TATIAN_CHROMIUM is not set"
        if os.environ.get("TATIAN_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield running
        running.close()
