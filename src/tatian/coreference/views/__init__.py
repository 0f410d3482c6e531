"""HTML page that shows the chains of documents on their texts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from html import escape
from itertools import count

from msgspec import Struct

from tatian.coreference.diff.result import Side, make_side, sentences_of
from tatian.coreference.metrics.kinds import FormClassifier
from tatian.text import CHAINS, Document, Span
from tatian.views.highlight import highlight, series_classes
from tatian.views.page import documents_page, fold_document
from tatian.views.wording import format_count

MAX_LISTED_MENTIONS = 12
"""Maximum number of mentions of a chain that are listed; the others are counted."""
LEVELS = 6
"""Number of levels of mentions with an underline of their own; deeper ones share the last."""
FOOT = """<div id="foot" class="scripted"><div id="reading" role="status"></div>
<p class="keys"><kbd>←</kbd> <kbd>→</kbd> mention \
<kbd>Enter</kbd> hold <kbd>Esc</kbd> clear</p></div>
"""


class DrawnMention(Struct, frozen=True):
    """A mention, or a piece of a discontinuous one, on the page."""

    start: int
    end: int
    chain: str
    """Label of its chain."""
    number: str
    """Text before it: the label of its chain, with dots for pieces."""
    colour: int | None
    """Number of the colour of its chain; None for a singleton."""


def chains_page(documents: Sequence[Document]) -> str:
    """Return a page with the chains of some documents on their texts."""
    articles = [
        _document_html(document, number, opened=number == 1)
        for number, document in enumerate(documents, 1)
    ]
    chains = [chain for document in documents for chain in document.get(CHAINS)]
    mentions = sum(len(chain.mentions) for chain in chains)
    counts = {"document": len(documents), "chain": len(chains), "mention": mentions}
    tally = ", ".join(format_count(count, noun) for noun, count in counts.items())
    header = f'<p class="tally">{tally}</p>'
    title = "Coreference chains"
    return documents_page(title, header, "\n".join(articles), __package__, foot=FOOT)


def _document_html(document: Document, number: int, *, opened: bool) -> str:
    side = make_side(document.get(CHAINS), FormClassifier(document))
    note = f'<span class="chip">{format_count(len(side.chains), "chain")}</span>'
    inner = f'<div class="rows">{_rows_html(side, document)}</div>{_list_html(side, document.text)}'
    return fold_document(document.id, note, inner, number, opened=opened)


def _list_html(side: Side, text: str) -> str:
    """Return a list of all chains of several mentions."""
    entries = []
    for label, members in zip(side.labels, side.members, strict=True):
        if len(members) > 1:
            words = [f"<bdi>{escape(side.mentions[index].of(text))}</bdi>" for index in members]
            phrases = "; ".join(words[:MAX_LISTED_MENTIONS])
            if len(words) > MAX_LISTED_MENTIONS:
                phrases += f" <i>and {len(words) - MAX_LISTED_MENTIONS} more</i>"
            entries.append(
                f'<li data-k="{label}"><b class="label">{label}</b> '
                f'<span class="count">{len(words)}</span> {phrases}</li>'
            )
    if not entries:
        return ""
    return (
        '<details class="chains" open><summary>Chains '
        f'<span class="count">{len(entries)}</span></summary><ol>{"".join(entries)}</ol></details>'
    )


def _draw(side: Side) -> Iterator[DrawnMention]:
    numbers = count()
    colours = [next(numbers) if len(members) > 1 else None for members in side.members]
    for mention in side.mentions:
        label = side.labels[mention.chain]
        last = len(mention.pieces) - 1
        for index, piece in enumerate(mention.pieces):
            number = f"{'…' if index else ''}{label}{'…' if index < last else ''}"
            yield DrawnMention(piece.start, piece.end, label, number, colours[mention.chain])


def _rows_html(side: Side, document: Document) -> str:
    """Return a row for each sentence; sentences that share a mention share a row."""
    marks = sorted(_draw(side), key=lambda mark_drawn: (mark_drawn.start, -mark_drawn.end))
    starts = _row_starts(sentences_of(document), marks)
    rows: list[list[DrawnMention]] = [[] for _ in starts]
    for mark in marks:
        rows[max(0, bisect_right(starts, mark.start) - 1)].append(mark)
    ends = [*starts[1:], len(document.text)]
    return "\n".join(
        f'<div class="row"><span class="n">{number}</span>'
        f"{_row_html(document.text, start, end, row)}</div>"
        for number, (start, end, row) in enumerate(zip(starts, ends, rows, strict=True), 1)
    )


def _row_starts(sentences: Sequence[Span], marks: Sequence[DrawnMention]) -> list[int]:
    """Return the starts of the rows: those of sentences that are not inside a mention."""
    starts = [0, *(sentence.start for sentence in sentences[1:])]
    crossed: set[int] = set()
    for mark in marks:
        first = bisect_right(starts, mark.start)
        last = bisect_left(starts, mark.end)
        crossed.update(starts[first:last])
    return [start for start in starts if start not in crossed]


def _row_html(text: str, start: int, end: int, marks: Sequence[DrawnMention]) -> str:
    """Return one row; class names are short, to keep large pages small.

    ``m`` is a mention, ``g`` its continuation after a crossing mention, ``h2`` one with two levels
    of mentions inside.
    """
    deepest = 0

    def opening(mark: DrawnMention, inside: int, goes_on: bool) -> str:
        nonlocal deepest
        level = min(inside, LEVELS - 1)
        deepest = max(deepest, level)
        classes = f"m {series_classes(mark.colour)}{f' h{level}' * (level > 0)}{' g' * goes_on}"
        number = "" if goes_on else f' data-n="{mark.number}"'
        return f'<mark class="{classes}" data-k="{mark.chain}"{number}>'

    inner = highlight(text, start, end, marks, opening)
    deep = f' class="d{deepest}"' if deepest > 1 else ""
    return f'<p{deep} dir="auto">{inner.strip()}</p>'
