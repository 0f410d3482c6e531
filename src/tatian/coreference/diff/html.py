"""Pages of chains: a response beside its key, or the chains of one file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from tatian.coreference.diff.marks import (
    DrawnMention,
    SentenceRow,
    compared_rows,
    side_rows,
)
from tatian.coreference.diff.result import (
    KINDS,
    METRICS,
    DocumentDiff,
    Side,
    counts,
    make_side,
    sentences_of,
    told_errors,
)
from tatian.coreference.metrics.kinds import Kinds
from tatian.text import CHAINS, Document
from tatian.views.highlight import highlight, tint
from tatian.views.page import documents_page, folded
from tatian.views.wording import some

if TYPE_CHECKING:
    from tatian.coreference.diff.documents import ChainDiff


MANY = 12
"""Mentions of one chain that are written out before the rest is only counted."""


def chains_html(side: Side, text: str, title: str, *, attribute: str, opened: bool = False) -> str:
    """Every chain of several mentions; `attribute` says by which data the text knows them."""
    entries = []
    for chain, members in enumerate(side.members):
        if len(members) > 1:
            label = escape(side.labels[chain])
            words = [side.mentions[index].of(text) for index in members]
            entries.append(
                f'<li data-{attribute}="{label}"><b class="label">{label}</b> '
                f'<span class="count">{len(words)}</span> {words_html(words)}</li>'
            )
    if not entries:
        return ""
    shown = " open" if opened else ""
    return (
        f'<details class="chains"{shown}><summary>{escape(title)} '
        f'<span class="count">{len(entries)}</span></summary><ol>{"".join(entries)}</ol></details>'
    )


def words_html(words: list[str] | tuple[str, ...]) -> str:
    """Phrases with semicolons between them, the rest counted."""
    shown = "; ".join(f"<bdi>{escape(word)}</bdi>" for word in words[:MANY])
    rest = len(words) - MANY
    return f"{shown} <i>and {rest} more</i>" if rest > 0 else shown


FOOT = """<div id="foot" class="scripted"><div id="reading" role="status"></div>
<p class="keys"><kbd>←</kbd> <kbd>→</kbd> mention <span class="wrong"><kbd>N</kbd> <kbd>P</kbd> \
error</span> <kbd>Enter</kbd> hold <kbd>Esc</kbd> clear</p></div>
"""


def _page(title: str, header: str, body: str) -> str:
    return documents_page(title, header, body, __package__, foot=FOOT)


VIEWS = {"both": "Key and response", "key": "Key", "response": "Response"}


def comparison_page(comparison: ChainDiff) -> str:
    """A comparison, with boxes to choose which kinds of errors are marked."""
    documents = comparison.documents
    header = "\n".join(
        [
            f'<p class="tally">{escape(_tally(comparison))}</p>',
            _scores_html(comparison.scores),
            _views_html(),
            _filter_html(comparison),
        ]
    )
    body = "\n".join(
        [
            _summary_html(comparison),
            *(
                _compared_html(one, number, opened=len(documents) == 1 or number == 1)
                for number, one in enumerate(documents, 1)
            ),
        ]
    )
    return _page("Coreference compared", header, body)


def chains_page(documents: Sequence[Document]) -> str:
    """The chains of some documents on their texts."""
    articles = [
        _document_html(document, number, opened=number == 1)
        for number, document in enumerate(documents, 1)
    ]
    found = [chain for document in documents for chain in document.get(CHAINS)]
    mentions = sum(len(chain.mentions) for chain in found)
    tally = ", ".join(
        [
            some(len(documents), "document"),
            some(len(found), "chain"),
            some(mentions, "mention"),
        ]
    )
    return _page("Coreference chains", f'<p class="tally">{tally}</p>', "\n".join(articles))


def _compared_html(compared: DocumentDiff, number: int, *, opened: bool) -> str:
    found = counts([compared])
    chips = "".join(
        f'<span class="chip e-{kind}" title="{KINDS[kind].name}">{KINDS[kind].sign} {amount}</span>'
        for kind, amount in found.items()
        if amount
    )
    rows = rows_html(compared.text, compared_rows(compared))
    inner = (
        f'<div class="columns" aria-hidden="true"><b>Key</b><b>Response</b></div>'
        f'<div class="rows">{rows}</div>{_errors_html(compared)}'
        + chains_html(compared.key, compared.text, "Chains of the key", attribute="k")
        + chains_html(compared.response, compared.text, "Chains of the response", attribute="r")
    )
    note = chips or '<span class="chip none">no errors</span>'
    return folded(compared.id, note, inner, number, opened=opened)


def _errors_html(compared: DocumentDiff) -> str:
    told = "".join(
        f'<li class="e-{kind}">{sentence} <bdi>{escape(told)}</bdi></li>'
        for sentence, kind, told in told_errors(compared)
    )
    title = "<h3>Errors, by sentence</h3>"
    return f'<section class="list">{title}<ul>{told}</ul></section>' if told else ""


def _document_html(document: Document, number: int, *, opened: bool) -> str:
    side = make_side(document.get(CHAINS), Kinds(document))
    rows = rows_html(
        document.text, side_rows(side, document.text, sentences_of(document)), compared=False
    )
    chains = chains_html(side, document.text, "Chains", attribute="k", opened=True)
    note = f'<span class="chip">{some(len(side.chains), "chain")}</span>'
    inner = f'<div class="rows">{rows}</div>{chains}'
    return folded(document.id, note, inner, number, opened=opened)


def _tally(comparison: ChainDiff) -> str:
    documents = comparison.documents
    errors = sum(len(one.errors) for one in documents)
    wanted = sum(len(one.key.mentions) for one in documents)
    given = sum(len(one.response.mentions) for one in documents)
    matched = sum(len(one.pairs) for one in documents)
    return (
        f"{some(len(documents), 'document')}; {some(wanted, 'mention')} in the key, {given:,} in "
        f"the response, {matched:,} match ({comparison.match}); {some(errors, 'error')}"
    )


def _scores_html(scores: Mapping[str, float]) -> str:
    if not scores:
        return ""
    figures = " ".join(
        f"<span>{escape(METRICS[name])} <b>{100 * value:.1f}</b></span>"
        for name, value in scores.items()
    )
    return f'<p class="scores">{figures}</p>'


def _views_html() -> str:
    choices = "".join(
        f'<label><input type="radio" name="view" id="v-{name}"{" checked" * (name == "both")}> '
        f"{label}</label>"
        for name, label in VIEWS.items()
    )
    return f'<fieldset class="choices views"><legend>Show</legend>{choices}</fieldset>'


def _filter_html(comparison: ChainDiff) -> str:
    boxes = "".join(
        f'<label class="e-{kind}" title="{escape(KINDS[kind].meaning)}">'
        f'<input type="checkbox" id="f-{kind}" checked> '
        f'<span class="sign" aria-hidden="true">{KINDS[kind].sign}</span> {KINDS[kind].name} '
        f'<span class="count">{amount:,}</span></label>'
        for kind, amount in comparison.counts.items()
    )
    boxes += '<label><input type="checkbox" id="only"> only sentences with these</label>'
    return f'<fieldset class="choices"><legend>Mark</legend>{boxes}</fieldset>'


def _summary_html(comparison: ChainDiff) -> str:
    table = comparison.table()
    head = "".join(f'<th scope="col">{escape(column.name)}</th>' for column in table.columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(first.plain)}</th>'
        + "".join(f"<td>{escape(cell.plain)}</td>" for cell in cells)
        + "</tr>"
        for first, *cells in table.shown()
    )
    return (
        '<details class="summary"><summary>Errors by form of the phrase</summary><div class="wide" '
        'tabindex="0" role="region" aria-label="Errors by form"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )


# The text of a document as rows of sentences, the key's beside the response's.
#
# Class names that occur once for each mention are short, to keep large pages small: ``m`` a
# mention, ``g`` one that goes on after a mark that crosses it, ``h2`` one with two levels inside.

OPTIONAL = "?"
"""Before a mention that the response need not have."""
LEVELS = 6
"""Lines below the text that are told apart; deeper mentions share the last."""


def rows_html(text: str, rows: Iterable[SentenceRow], *, compared: bool = True) -> str:
    """All rows; where both sides are alike a sentence stands once, across both columns."""
    return "\n".join(_row_html(text, row, compared) for row in rows)


def _row_html(text: str, row: SentenceRow, compared: bool) -> str:
    classes = " ".join(["row", *(f"e-{kind}" for kind in row.kinds)])
    if not compared or row.is_same:
        cells = _cell("b", text, row, row.key)
    else:
        cells = _cell("k", text, row, row.key) + _cell("r", text, row, row.response)
    return f'<div class="{classes}"><span class="n">{row.number}</span>{cells}</div>'


def _cell(name: str, text: str, row: SentenceRow, marks: Sequence[DrawnMention]) -> str:
    deepest = 0

    def opening(mark: DrawnMention, inside: int, goes_on: bool) -> str:
        nonlocal deepest
        level = min(inside, LEVELS - 1)
        deepest = max(deepest, level)
        return _opening(mark, level, goes_on)

    inner = highlight(text, row.start, row.end, marks, opening)
    deep = f" d{deepest}" if deepest > 1 else ""
    return f'<p class="{name}{deep}" dir="auto">{inner.strip()}</p>'


def _opening(mark: DrawnMention, level: int, goes_on: bool) -> str:
    classes = ["m", tint(mark.colour)]
    if level:
        classes.append(f"h{level}")
    if goes_on:
        classes.append("g")
    classes += [f"e-{kind}" for kind in mark.kinds]
    attributes = "".join(
        f' data-{name}="{escape(value)}"'
        for name, value in (("k", mark.key), ("r", mark.response))
        if value
    )
    number = "" if goes_on else f' data-n="{escape(signed(mark))}"'
    return f'<mark class="{" ".join(classes)}"{attributes}{number}>'


def signed(mark: DrawnMention) -> str:
    """What stands before a mention: signs of errors, the chain, and dots where it is in pieces."""
    signs = OPTIONAL if mark.unasked else "".join(KINDS[kind].sign for kind in mark.kinds)
    before = "…" if mark.piece else ""
    after = "…" if mark.piece < mark.pieces - 1 else ""
    return f"{signs}{before}{mark.label}{after}"
