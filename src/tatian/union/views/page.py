"""The page that unions are shown on."""

from __future__ import annotations

from html import escape

from tatian import pages


def page(title: str, body: str) -> str:
    """A whole HTML document around `body`, without a script."""
    style = pages.read_assets("tatian.union.views", "page.css")
    return pages.page(title, f"<main>\n<h1>{escape(title)}</h1>\n{body}</main>", style)
