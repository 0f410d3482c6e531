"""What a page in a browser says that it should not: the fault of nobody but its scripts."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Page

BROWSERS_OWN = ("Autofocus processing was blocked", "[DOM] ", "[Intervention] ", "[Violation] ")
"""How remarks of the browser begin that depend on its haste or its taste, not on the page."""
REFUSED = "Failed to load resource"


def listen(page: Page, noise: list[str], *, console: bool = True, refused: bool = False) -> None:
    """Keep what a page says on the console, and its errors.

    Where something is `refused`, as the test expects, the browser's word on that is not kept. Nor
    is it of a draft that was on its way when the page was left: it is sent once more, and refused
    where it had arrived, which depends on who is faster.
    """
    harmless = (*BROWSERS_OWN, REFUSED) if refused else BROWSERS_OWN

    def heard(message: ConsoleMessage) -> None:
        text, place = message.text, message.location["url"]
        again = text.startswith(REFUSED) and "409" in text and place.endswith("/draft")
        if not again and not text.startswith(harmless):
            noise.append(f"console: {text}")

    page.on("pageerror", lambda error: noise.append(f"error: {error}"))
    if console:
        page.on("console", heard)
