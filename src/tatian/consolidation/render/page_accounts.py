"""The accounts as HTML, side by side, each sentence with what became of it.

``s`` is a sentence of an account, ``p`` a piece of it that can be lit, ``u`` a stretch the output
draws on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, get_args

from tatian.consolidation.render.edition import Edition, Witness, listed
from tatian.consolidation.render.page_text import colour
from tatian.consolidation.render.pieces import Pieces
from tatian.union.models import Fate

if TYPE_CHECKING:
    from tatian.consolidation.result import SourceSentence


def accounts_html(edition: Edition, pieces: Pieces) -> str:
    """All accounts, one column each."""
    return "".join("".join(_account(witness, pieces)) for witness in edition.witnesses)


def _account(witness: Witness, pieces: Pieces) -> Iterator[str]:
    account = witness.account
    heading = account.title or witness.name
    about = [each for each in (account.source, account.date) if each and each != heading]
    yield (
        f'<article class="account {colour(witness.index)}" id="account-{witness.letter}" '
        f'aria-labelledby="name-{witness.letter}" tabindex="-1"><header>'
        f'<h3 id="name-{witness.letter}"><b class="mark">{witness.letter}</b> '
        f"{escape(heading)}</h3>"
        f'<p class="about">{escape(" · ".join(about))}</p>'
        f'<p class="fates">{_tally(account.sentences)}</p></header>'
    )
    position = 0
    for sentence in account.sentences:
        yield _between(witness, pieces, position, sentence.start)
        opens = "\n" in account.text[position : sentence.start] and position > 0
        yield (
            f'<p class="s {sentence.fate}{" opens" if opens else ""}" dir="auto">'
            f"{_pieced(witness, pieces, sentence.start, sentence.end)} "
            f'<span class="fate">{_short_fate(sentence)}</span></p>'
        )
        position = sentence.end
    yield _between(witness, pieces, position, len(account.text))
    yield "</article>\n"


def _between(witness: Witness, pieces: Pieces, start: int, end: int) -> str:
    """Words that belong to no sentence, such as a by-line, are shown all the same."""
    if not witness.account.text[start:end].strip():
        return ""
    return f'<p class="rest" dir="auto">{_pieced(witness, pieces, start, end)}</p>'


def _pieced(witness: Witness, pieces: Pieces, start: int, end: int) -> str:
    """A stretch of an account with its pieces marked; used pieces joined over blanks into runs."""
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


def _tally(sentences: Sequence[SourceSentence]) -> str:
    counts = Counter(sentence.fate for sentence in sentences)
    return " · ".join(f"{counts[fate]} {fate}" for fate in get_args(Fate) if counts[fate])


def _short_fate(sentence: SourceSentence) -> str:
    into = listed([str(index + 1) for index in sentence.into])
    return f"{sentence.fate} {into}".strip()
