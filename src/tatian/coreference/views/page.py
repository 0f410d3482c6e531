"""One self-contained page: style and script inside, nothing to fetch, readable without scripts."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files

STYLES = ("palette.css", "page.css", "text.css", "kinds.css")
SCRIPT = "page.js"
EARLY = "document.documentElement.classList.add('js');"
POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{early}' '{script}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def page(title: str, header: str, body: str) -> str:
    """A whole HTML document."""
    style, script = _asset(*STYLES), _asset(SCRIPT)
    policy = POLICY.format(style=_hash(style), early=_hash(EARLY), script=_hash(script))
    return _fill(
        _asset("page.html"),
        policy=escape(policy),
        style=style,
        early=EARLY,
        script=script,
        title=escape(title),
        header=header,
        body=body,
    )


def in_frame(html: str, title: str) -> str:
    """A page in a frame of its own, for notebooks: any number of them share a document."""
    return (
        f'<iframe srcdoc="{escape(html)}" title="{escape(title)}" sandbox="allow-scripts" '
        'style="width:100%;height:40rem;border:1px solid #8884;border-radius:4px" '
        'loading="lazy"></iframe>'
    )


@cache
def _asset(*names: str) -> str:
    folder = files("tatian.coreference.views") / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _fill(template: str, **values: str) -> str:
    """Put each value in place of its ``{{name}}``, in one pass: values are never searched."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
