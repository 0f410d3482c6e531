"""One self-contained page in which every word leads to its sources, and back.

The page is complete without JavaScript: text, sentence numbers, source letters, accounts and what
became of each of their sentences are plain HTML. The script only switches classes on; what it
needs to know stands in one JSON block (`page_data.py`), by the numbers of words and pieces.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files

import msgspec

from tatian.consolidation.render.edition import Edition
from tatian.consolidation.render.page_accounts import accounts_html
from tatian.consolidation.render.page_data import page_data
from tatian.consolidation.render.page_notes import key_html, notes_html, tally_html, title
from tatian.consolidation.render.page_text import text_html
from tatian.consolidation.render.pieces import Pieces
from tatian.consolidation.result import Consolidation

STYLES = ("palette.css", "page.css", "accounts.css", "apparatus.css", "print.css")
SCRIPTS = ("model.js", "apparatus.js", "view.js", "controls.js")
EARLY = "document.documentElement.classList.add('js');"

POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{early}' '{script}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def to_html(consolidation: Consolidation) -> str:
    """The whole page, with its style and script inside and nothing to fetch."""
    edition = Edition(consolidation)
    pieces = Pieces(consolidation)
    disputes = [edition.disputed(found) for found in consolidation.contradictions]
    style, script = _asset(*STYLES), _asset(*SCRIPTS)
    policy = POLICY.format(style=_hash(style), early=_hash(EARLY), script=_hash(script))
    return _fill(
        _asset("page.html"),
        policy=escape(policy),
        style=style,
        early=EARLY,
        script=script,
        title=escape(title(edition)),
        tally=tally_html(edition),
        key=key_html(edition),
        text=text_html(edition, disputes),
        notes=notes_html(edition),
        accounts=accounts_html(edition, pieces),
        data=_inert(msgspec.json.encode(page_data(edition, pieces, disputes)).decode()),
    )


def to_fragment(consolidation: Consolidation) -> str:
    """The page in a frame of its own, for notebooks: any number of them share a document."""
    page = escape(to_html(consolidation))
    return (
        f'<iframe srcdoc="{page}" title="{escape(title(Edition(consolidation)))}" '
        'sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" '
        'style="width:100%;height:40rem;border:1px solid #8884;border-radius:4px" '
        'loading="lazy"></iframe>'
    )


@cache
def _asset(*names: str) -> str:
    folder = files("tatian.consolidation.render") / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _fill(template: str, **values: str) -> str:
    """Put each value in place of its ``{{name}}``, in one pass: values are never searched."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _inert(json: str) -> str:
    """JSON that means the same to a JSON parser and nothing at all to an HTML parser."""
    for character in "<>&\u2028\u2029":
        json = json.replace(character, f"\\u{ord(character):04x}")
    return json
