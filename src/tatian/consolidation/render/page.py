"""Self-contained page in which every word leads to its sources, and back.

The page is complete without JavaScript: text, sentence numbers, source letters, sources and the
outcome of each of their sentences are plain HTML. The script only switches classes on. Its data is
one JSON block (`page_data.py`), by the numbers of words and pieces.

Class names that occur once per word are one letter long, to keep large pages small: ``o`` an output
sentence, ``r`` a run of words from the same sources, ``w`` a word; in a source ``s`` a sentence,
``p`` a piece that can be lit, ``u`` a stretch the output draws on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, get_args

import msgspec

from tatian.consolidation.render import (
    Edition,
    Verse,
    Witness,
    colour,
    letters_html,
    shown_day,
    tint,
)
from tatian.consolidation.render.notes import key_html, notes_html, tally_html, title
from tatian.consolidation.render.page_data import Pieces, page_data
from tatian.consolidation.result import SentenceOutcome
from tatian.views.page import fill_template, in_frame, read_assets, style_sheet
from tatian.views.page import render_page as html_page
from tatian.views.wording import join_items

if TYPE_CHECKING:
    from tatian.consolidation.result import Consolidation, SourceSentence

STYLES = tuple(f"assets/{name}.css" for name in ("page", "accounts", "apparatus", "print"))
SCRIPTS = tuple(f"assets/{name}.js" for name in ("model", "apparatus", "view", "controls"))

MAX_UNDERLINES = 3
"""Maximum number of underlines of a word; further sources turn the last one into dashes."""


def to_html(consolidation: Consolidation) -> str:
    """Render the whole page, with its style and script inside and nothing to fetch."""
    edition = Edition(consolidation)
    return page(edition, title(edition), tally_html(edition), notes_html(edition))


def page(edition: Edition, heading: str, tally: str, notes: str) -> str:
    """Render a page of a text beside its sources; `tally` and `notes` are HTML."""
    pieces = Pieces(edition.consolidation, edition.points)
    body = fill_template(
        read_assets(__package__, "assets/page.html"),
        title=escape(heading),
        tally=tally,
        key=key_html(edition),
        text=text_html(edition),
        notes=notes,
        accounts="".join(
            part for witness in edition.witnesses for part in _account(witness, pieces)
        ),
        data=_escape_json(msgspec.json.encode(page_data(edition, pieces)).decode()),
    )
    style, script = style_sheet(__package__, *STYLES), read_assets(__package__, *SCRIPTS)
    return html_page(heading, body, style, script)


def to_fragment(consolidation: Consolidation) -> str:
    """Render the page in a frame of its own, for notebooks: any number of them share a document."""
    return framed(to_html(consolidation), title(Edition(consolidation)))


def framed(html: str, heading: str) -> str:
    """Put a page into a frame of its own."""
    return in_frame(html, heading, "allow-popups", "allow-popups-to-escape-sandbox")


def _escape_json(json: str) -> str:
    """Escape JSON so that it means the same to a JSON parser and nothing to an HTML parser."""
    for character in "<>&\u2028\u2029":
        json = json.replace(character, f"\\u{ord(character):04x}")
    return json


def text_html(edition: Edition) -> str:
    """Render the whole text, with a mark on the words of each point."""
    if not edition.verses:
        return '<p class="nothing">Nothing of the accounts was used.</p>'
    notes = _note_marks([point.words for point in edition.points])
    html: list[str] = []
    word = 0
    for verse in edition.verses:
        if verse.opens:
            html.append('</p>\n<p dir="auto">' if html else '<p dir="auto">')
        else:
            html.append("\n")
        html.append(_verse(edition, verse, word, notes))
        word += len(verse.sentence.tokens)
    return "".join([*html, "</p>"])


def _verse(edition: Edition, verse: Verse, first: int, notes: dict[int, str]) -> str:
    writer = edition.consolidation.writer
    is_worded = writer is not None and verse.number - 1 in writer.worded
    why = f' title="{escape(verse.sentence.why)}"' if verse.sentence.why else ""
    html = [f'<span class="o" id="s{verse.number}"><sup class="n"{why}>{verse.number}</sup>']
    position = verse.sentence.start
    numbered = enumerate(verse.sentence.tokens, start=first)
    for (witnesses, is_own), run in groupby(
        numbered, key=lambda item: (edition.of(item[1]), item[1].own)
    ):
        words: list[str] = []
        for number, token in run:
            gap = escape(edition.text[position : token.start])
            (words if words else html).append(gap)
            mark = notes.get(number, 'class="w"')
            words.append(f"<span {mark}>{escape(edition.text[token.start : token.end])}</span>")
            position = token.end
        layers = _layers(witnesses) + (" own" if is_own else "")
        html.append(f'<span class="r {layers}">{"".join(words)}</span>')
    html.append(escape(edition.text[position : verse.sentence.end]))
    if verse.witnesses:
        letters = letters_html(verse.witnesses)
        html.append(f'<span class="sigla"><span class="unseen"> from </span>{letters}</span>')
    if is_worded:
        html.append('<span class="sigla">✎<span class="unseen"> by a language model</span></span>')
    return "".join([*html, "</span>"])


def _note_marks(conflicts: Sequence[tuple[int, ...]]) -> dict[int, str]:
    """Return the attributes of each word in conflict; the last of a run has the note's number."""
    marks: dict[int, str] = {}
    for number, words in enumerate(conflicts, start=1):
        conflicting = set(words)
        for word in words:
            note = "" if word + 1 in conflicting else f' data-note="{number}"'
            marks.setdefault(word, f'class="w disputed"{note}')
    return marks


def _layers(witnesses: tuple[Witness, ...]) -> str:
    if not witnesses:
        return "glue"
    layers = [
        f"u{layer}-{tint(witness.index)}"
        for layer, witness in enumerate(witnesses[:MAX_UNDERLINES], start=1)
    ]
    if len(witnesses) > MAX_UNDERLINES:
        layers.append("many")
    return " ".join(layers)


def _account(witness: Witness, pieces: Pieces) -> Iterator[str]:
    account = witness.account
    heading = account.title or witness.name
    day = shown_day(account.date) if account.date else None
    about = [detail for detail in (account.source, day) if detail and detail != heading]
    yield (
        f'<article class="account {colour(witness.index)}" id="account-{witness.letter}" '
        f'aria-label="{witness.letter} {escape(heading)}" tabindex="0"><header>'
        f'<h3><b class="mark">{witness.letter}</b> {escape(heading)}</h3>'
        f'<p class="about">{escape(" · ".join(about))}</p>'
        f'<p class="fates">{_outcome_counts(account.sentences)}</p></header>'
    )
    position = 0
    for sentence in account.sentences:
        yield _unsegmented(witness, pieces, position, sentence.start)
        opens = "\n" in account.text[position : sentence.start] and position > 0
        yield (
            f'<p class="s {sentence.fate}{" opens" if opens else ""}" dir="auto">'
            f"{_marked_pieces(witness, pieces, sentence.start, sentence.end)} "
            f'<span class="fate">{_outcome_label(sentence)}</span></p>'
        )
        position = sentence.end
    yield _unsegmented(witness, pieces, position, len(account.text))
    yield "</article>\n"


def _unsegmented(witness: Witness, pieces: Pieces, start: int, end: int) -> str:
    """Render words that belong to no sentence, such as a by-line."""
    if not witness.account.text[start:end].strip():
        return ""
    return f'<p class="rest" dir="auto">{_marked_pieces(witness, pieces, start, end)}</p>'


def _marked_pieces(witness: Witness, pieces: Pieces, start: int, end: int) -> str:
    """Render a stretch of a source with its pieces marked; used pieces join over blanks."""
    text = witness.account.text
    html: list[str] = []
    in_run = False
    position = start
    for piece in pieces.within(witness.account.id, start, end):
        gap = text[position : piece.start]
        if in_run and (gap.strip() or not piece.used):
            html.append("</span>")
            in_run = False
        html.append(escape(gap))
        if piece.used and not in_run:
            html.append('<span class="u">')
            in_run = True
        mark = "p disputed" if piece.disputed else "p"
        html.append(f'<span class="{mark}">{escape(text[piece.start : piece.end])}</span>')
        position = piece.end
    if in_run:
        html.append("</span>")
    html.append(escape(text[position:end]))
    return "".join(html)


def _outcome_counts(sentences: Sequence[SourceSentence]) -> str:
    counts = Counter(sentence.fate for sentence in sentences)
    return " · ".join(
        f"{counts[fate]} {fate}" for fate in get_args(SentenceOutcome) if counts[fate]
    )


def _outcome_label(sentence: SourceSentence) -> str:
    into = join_items([str(index + 1) for index in sentence.into])
    return f"{sentence.fate} {into}".strip()
