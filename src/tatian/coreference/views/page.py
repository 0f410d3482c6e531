"""The page that chains and their differences are shown on."""

from __future__ import annotations

from html import escape

from tatian import pages

STYLES = ("palette.css", "page.css", "text.css", "kinds.css")
SCRIPT = "page.js"


def page(title: str, header: str, body: str) -> str:
    """A whole HTML document."""
    filled = pages.fill(_asset("page.html"), title=escape(title), header=header, body=body)
    return pages.page(title, filled, _asset(*STYLES), _asset(SCRIPT))


def _asset(*names: str) -> str:
    return pages.read_assets("tatian.coreference.views", *(f"assets/{name}" for name in names))
