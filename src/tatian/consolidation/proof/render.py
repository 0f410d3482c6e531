"""A trace for people: the verdict in a terminal, and the page of a consolidation with proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tatian.consolidation.render.edition import Edition, Point
from tatian.consolidation.render.notes import count, notes_html
from tatian.consolidation.render.page import framed, page
from tatian.views.wording import listed, printable, squeeze

if TYPE_CHECKING:
    from rich.text import Text

    from tatian.consolidation.proof.result import Trace, TracedSentence

UNTOLD = 5
"""How many sentences of the accounts that the text leaves out are shown."""
COLOURS = {
    "supported": "green",
    "partly": "yellow",
    "contradicted": "red",
    "unsupported": "red",
    "unknown": "magenta",
}


def summary(trace: Trace) -> str:
    """The verdict in a few lines: what is not proved, what is left out, what is told twice."""
    lines = [verdict_line(trace)]
    lines += [
        f"  {number}. {one.verdict} ({one.support:.2f}): {squeeze(trace.text[one.start : one.end])}"
        f"\n     {one.why}"
        + "".join(f"\n     {c.document}: “{squeeze(c.text)}”" for c in one.against)
        for number, one in enumerate(trace.sentences, start=1)
        if one.verdict != "supported"
    ]
    texts = {document.id: document.text for document in trace.documents}
    if trace.untold:
        lines.append(f"The text leaves out {count(len(trace.untold), 'sentence')} of the accounts:")
        lines += [
            f"  {one.importance:.2f} {one.document}: {squeeze(said)}"
            for one in trace.untold[:UNTOLD]
            for said in [texts[one.document][one.start : one.end]]
        ]
        if len(trace.untold) > UNTOLD:
            lines.append(f"  and {len(trace.untold) - UNTOLD} more")
    for again in trace.repeated:
        lines.append(f"Sentence {again.sentence + 1} repeats sentence {again.earlier + 1}.")
    return "\n".join(lines)


def verdict_line(trace: Trace) -> str:
    """How many sentences have which verdict."""
    found = [f"{number} {verdict}" for verdict, number in trace.counts.items() if number]
    return f"{count(len(trace.sentences), 'sentence').capitalize()}: {listed(found)}."


def coloured(trace: Trace) -> Text:
    """The summary with its verdicts in colours."""
    from rich.text import Text

    text = Text(printable(summary(trace)))
    for verdict, colour in COLOURS.items():
        text.highlight_regex(rf"(?m)(?<=^  \d\. ){verdict}|(?<=^  \d\d\. ){verdict}", colour)
    return text


def to_html(trace: Trace) -> str:
    """The page of a consolidation, where marks and notes tell what is not proved."""
    edition = Edition(trace.consolidation(), list(_points(trace)))
    return page(
        edition,
        _heading(trace),
        f'{verdict_line(trace)} <a href="#accounts">The accounts</a> tell '
        f"{count(len(trace.untold), 'sentence')} more.",
        notes_html(edition, "What is not proved"),
    )


def to_fragment(trace: Trace) -> str:
    """The page in a frame of its own, for notebooks."""
    return framed(to_html(trace), _heading(trace))


def _heading(trace: Trace) -> str:
    return f"A text traced to {count(len(trace.documents), 'account')}"


def _points(trace: Trace) -> list[Point]:
    found = []
    first = 0
    for number, one in enumerate(trace.sentences):
        if one.verdict != "supported":
            found.append(Point(one.verdict, one.why, one.against, (number,), _words(one, first)))
        first += len(one.tokens)
    return found


def _words(sentence: TracedSentence, first: int) -> tuple[int, ...]:
    """The words that are not proved; all of them where none is singled out."""
    found = tuple(
        first + place
        for place, token in enumerate(sentence.tokens)
        if any(part.start <= token.start < part.end for part in sentence.unproved)
    )
    return found or tuple(range(first, first + len(sentence.tokens)))
