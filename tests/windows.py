"""Windows of the browser, kept from test to test: opening one takes longer than most tests do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api._generated import Clock

Handler = Callable[[Any], Any]
PATIENCE = 20_000
"""Milliseconds that anything on a page may take."""
LASTING: dict[type, str] = {
    Page: "add_init_script emulate_media expose_binding expose_function on once "
    "set_extra_http_headers set_viewport_size",
    BrowserContext: "add_init_script expose_binding expose_function grant_permissions new_page on "
    "new_cdp_session once route set_extra_http_headers set_geolocation set_offline",
    Clock: "install pause_at run_for set_fixed_time set_system_time",
}
"""What a test does to a window that the next page in it would feel."""


def until(page: Page, condition: Callable[[], Any], *, pause: int = 20) -> None:
    """Wait until something is so, while events of the page come in."""
    for _ in range(PATIENCE // pause):
        if condition():
            return
        page.wait_for_timeout(pause)
    raise AssertionError(f"waited {PATIENCE} milliseconds in vain")


def rest(page: Page) -> None:
    """Wait until a page has nothing more to do, or draws nothing."""
    page.evaluate("new Promise((resolve) => requestIdleCallback(resolve, { timeout: 300 }))")


class Windows:
    """A window opened in one way serves all tests that want such a one, each alone.

    Cookies and what a page has stored do not outlast a test, nor does a window to which a test did
    anything of `LASTING`.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kept: dict[str, Page] = {}
        self._opened: list[tuple[str, Page]] = []
        self._heard: list[tuple[Page, str, Handler]] = []
        self._lasting = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notice whatever lasts."""

        def noticed(method: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(method)
            def called(*args: Any, **options: Any) -> Any:
                self._lasting = True
                return method(*args, **options)

            return called

        with pytest.MonkeyPatch.context() as patch:
            for kind, names in LASTING.items():
                for name in names.split():
                    patch.setattr(kind, name, noticed(getattr(kind, name)))
            yield

    def open(self, script: str = "", **options: Any) -> Page:
        """An empty window of a size and with colours of its own; `script` precedes all others."""
        chosen = {
            "viewport": {"width": 1280, "height": 900},
            "reduced_motion": "reduce",
            **options,
        }
        kind, lasting = repr((script, sorted(chosen.items()))), self._lasting
        page = self._kept.pop(kind, None)
        if page is None:
            context = self._browser.new_context(**chosen)
            context.set_default_timeout(PATIENCE)
            if script:
                context.add_init_script(script)
            page = context.new_page()
        self._opened.append((kind, page))
        self._lasting = lasting
        return page

    def on(self, page: Page, **handlers: Handler) -> None:
        """Hear of events of a page until the test ends."""
        for event, handler in handlers.items():
            lasting = self._lasting
            page.on(event, handler)  # type: ignore[call-overload]
            self._lasting = lasting
            self._heard.append((page, event, handler))

    def leave(self, address: str | None = None) -> None:
        """End a test: go to an address of the same server, where a page may say goodbye to it."""
        for page, event, handler in self._heard:
            page.remove_listener(event, handler)
        for kind, page in self._opened:
            if self._lasting or kind in self._kept or len(page.context.pages) != 1:
                page.context.close()
                continue
            page.unroute_all()
            if address:
                page.goto(address)
            page.mouse.move(0, 0)
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
            page.context.clear_cookies()
            self._kept[kind] = page
        self._opened.clear()
        self._heard.clear()
        self._lasting = False
