"""Self-contained HTML pages, with inline style and script and a strict content security policy."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files

from tatian.views import palette

_EARLY_SCRIPT = "document.documentElement.classList.add('js');"
"""Runs before the first paint, so that style sheets know whether scripts run."""
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath "
    "d='M2 3h12M2 6.3h12M2 9.6h12M2 13h12' stroke='%23b4541a' stroke-width='1.6'/%3E%3C/svg%3E"
)


def render_page(title: str, body: str, style: str, script: str = "") -> str:
    """Return an HTML document with `body`, for light and dark themes."""
    icon = f'<link rel="icon" href="{_ICON}">\n' if script else ""
    early = f"<script>{_EARLY_SCRIPT}</script>\n" if script else ""
    late = f"<script>{script}</script>\n" if script else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(_policy(style, script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
{icon}<style>{style}</style>
{early}</head>
<body>
{body.rstrip()}
{late}</body>
</html>
"""


def in_frame(html: str, title: str, *allowed: str) -> str:
    """Return a page in a sandboxed frame, for notebooks.

    `allowed` are further permissions of the sandbox, such as ``allow-popups``.
    """
    sandbox = " ".join(("allow-scripts", *allowed))
    return (
        f'<iframe srcdoc="{escape(html)}" title="{escape(title)}" sandbox="{sandbox}" '
        'style="width:100%;height:40rem;border:1px solid #8884;border-radius:4px" '
        'loading="lazy"></iframe>'
    )


def style_sheet(package: str, *names: str) -> str:
    """Return the palette, the common style, and a package's own style sheets."""
    return "\n".join(
        [palette.css(), read_assets("tatian.views", "page.css"), read_assets(package, *names)]
    )


@cache
def read_assets(package: str, *names: str) -> str:
    """Return the text of files in a package's folder, joined by newlines."""
    return "\n".join((files(package) / name).read_text(encoding="utf-8") for name in names)


def fill_template(template: str, **values: str) -> str:
    """Replace each ``{{name}}`` in a template by its value; values are not searched again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows only this style and this script."""
    scripts = f"script-src '{_hash(_EARLY_SCRIPT)}' '{_hash(script)}'; " if script else ""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; {scripts}img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def documents_page(title: str, header: str, body: str, package: str, *, foot: str = "") -> str:
    """Return a page of documents; `header`, `body` and `foot` are HTML.

    `package` contains the page's text.css and page.js.
    """
    content = (
        '<a class="skip" href="#documents">Skip to the text</a>\n'
        f"<header>\n<h1>{escape(title)}</h1>\n{header}\n</header>\n"
        f'<main id="documents" tabindex="-1">\n{body}\n</main>\n{foot}'
    )
    style = "\n".join(
        [style_sheet("tatian.views", "documents.css"), read_assets(package, "text.css")]
    )
    return render_page(title, content, style, read_assets(package, "page.js"))


def fold_document(name: str, note: str, inner: str, number: int, *, opened: bool) -> str:
    """Return a document as a collapsible ``details`` element; `note` and `inner` are HTML."""
    return (
        f'<details class="doc" id="d{number}"{" open" * opened}>'
        f"<summary><h2><bdi>{escape(name)}</bdi></h2> {note}</summary>\n{inner}\n</details>"
    )
