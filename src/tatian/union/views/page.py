"""One self-contained page: style inside, nothing to fetch, nothing to run."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from html import escape
from importlib.resources import files

_POLICY = "default-src 'none'; style-src '{style}'; img-src data:; base-uri 'none'"


def page(title: str, body: str) -> str:
    """A whole HTML document around `body`, in light and dark."""
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = escape(_POLICY.format(style=f"sha256-{digest}"))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}</main>
</body>
</html>
"""


@cache
def _style() -> str:
    return (files("tatian.union.views") / "page.css").read_text(encoding="utf-8")
