"""What a page in a browser says that it should not: the fault of nobody but its scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import ConsoleMessage, Page

BROWSERS_OWN = ("Autofocus processing was blocked", "[DOM] ", "[Intervention] ", "[Violation] ")
"""How remarks of the browser begin that depend on its haste or its taste, not on the page."""
REFUSED = "Failed to load resource"


def listen(page: Page, noise: list[str], **options: bool) -> None:
    """Keep what a page says on the console, and its errors."""
    for event, handler in page_listeners(noise, **options).items():
        page.on(event, handler)  # type: ignore[call-overload]


def page_listeners(
    noise: list[str], *, console: bool = True, refused: bool = False
) -> dict[str, Callable[[Any], None]]:
    """What keeps that, by the event.

    Where something is `refused`, as the test expects, the browser's word on that is not kept.
    """
    harmless = (*BROWSERS_OWN, REFUSED) if refused else BROWSERS_OWN

    def heard(message: ConsoleMessage) -> None:
        if not message.text.startswith(harmless):
            noise.append(f"console: {message.text}")

    errors = {"pageerror": lambda error: noise.append(f"error: {error}")}
    return {**errors, "console": heard} if console else errors
