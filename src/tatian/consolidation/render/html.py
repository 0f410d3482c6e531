"""One self-contained page in which every word leads to its sources, and back.

The page is complete without JavaScript: text, sentence numbers, source letters, accounts and what
became of each of their sentences are plain HTML. The script only switches classes on; what it
needs to know stands in one JSON block (`page_data.py`), by the numbers of words and pieces.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import msgspec

from tatian import pages
from tatian.consolidation.render.edition import Edition
from tatian.consolidation.render.page_accounts import accounts_html
from tatian.consolidation.render.page_data import page_data
from tatian.consolidation.render.page_notes import key_html, notes_html, tally_html, title
from tatian.consolidation.render.page_text import text_html
from tatian.consolidation.render.pieces import Pieces

if TYPE_CHECKING:
    from tatian.consolidation.result import Consolidation

STYLES = ("palette.css", "page.css", "accounts.css", "apparatus.css", "print.css")
SCRIPTS = ("model.js", "apparatus.js", "view.js", "controls.js")


def to_html(consolidation: Consolidation) -> str:
    """The whole page, with its style and script inside and nothing to fetch."""
    edition = Edition(consolidation)
    return page(edition, title(edition), tally_html(edition), notes_html(edition))


def page(edition: Edition, heading: str, tally: str, notes: str) -> str:
    """A page of a text beside its accounts; `tally` and `notes` are HTML."""
    pieces = Pieces(edition.consolidation, edition.points)
    body = pages.fill(
        _asset("page.html"),
        title=escape(heading),
        tally=tally,
        key=key_html(edition),
        text=text_html(edition),
        notes=notes,
        accounts=accounts_html(edition, pieces),
        data=_inert(msgspec.json.encode(page_data(edition, pieces)).decode()),
    )
    return pages.page(heading, body, _asset(*STYLES), _asset(*SCRIPTS))


def to_fragment(consolidation: Consolidation) -> str:
    """The page in a frame of its own, for notebooks: any number of them share a document."""
    return framed(to_html(consolidation), title(Edition(consolidation)))


def framed(html: str, heading: str) -> str:
    """A page in a frame of its own."""
    return pages.in_frame(html, heading, "allow-popups", "allow-popups-to-escape-sandbox")


def _asset(*names: str) -> str:
    return pages.read_assets("tatian.consolidation.render", *(f"assets/{name}" for name in names))


def _inert(json: str) -> str:
    """JSON that means the same to a JSON parser and nothing at all to an HTML parser."""
    for character in "<>&\u2028\u2029":
        json = json.replace(character, f"\\u{ord(character):04x}")
    return json
