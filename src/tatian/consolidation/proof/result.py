"""A text held against its accounts: what is proved of it, what it leaves out, how it is shown."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from tatian.consolidation.result import (
    Account,
    Consolidation,
    WrittenSentence,
    WrittenToken,
)
from tatian.union.models import Claim
from tatian.views.wording import count, listed, printable, squeeze

if TYPE_CHECKING:
    from rich.text import Text

    from tatian.consolidation.render import Point


Verdict = Literal["supported", "partly", "contradicted", "unsupported", "unknown"]
VERDICTS: tuple[Verdict, ...] = ("supported", "partly", "contradicted", "unsupported", "unknown")

UNTOLD = 5
"""How many sentences of the accounts that the text leaves out are shown."""
COLOURS = {
    "supported": "green",
    "partly": "yellow",
    "contradicted": "red",
    "unsupported": "red",
    "unknown": "magenta",
}


class Stretch(Struct, frozen=True):
    """Some characters of the text."""

    start: int
    end: int


class TracedSentence(Struct, frozen=True):
    """One sentence of the text, and whether the accounts tell it."""

    start: int
    end: int
    verdict: Verdict
    support: float
    """From 0 to 1, how likely the accounts tell everything that it says; a judge at an address
    gives a verdict in words, which a fixed number stands for."""
    why: str
    tokens: tuple[WrittenToken, ...]
    unproved: tuple[Stretch, ...] = ()
    """What of it is not told, or told otherwise."""
    against: tuple[Claim, ...] = ()
    """What an account says instead."""
    evidence: tuple[Claim, ...] = ()
    """What supports it, if it is supported."""


class Untold(Struct, frozen=True):
    """A sentence of an account that the text does not tell, or not all of it."""

    document: str
    start: int
    end: int
    importance: float
    """From 0 to 1: how much is untold, and how much of that other accounts tell, too."""


class Repetition(Struct, frozen=True):
    """A sentence of the text that tells nothing but what an earlier one has told."""

    sentence: int
    """Index of the later one."""
    earlier: int
    """Index of the earlier one."""


class Trace(Struct, frozen=True):
    """A text, whoever wrote it, with what its accounts say of every sentence."""

    schema: int
    text: str
    sentences: tuple[TracedSentence, ...]
    documents: tuple[Account, ...]
    untold: tuple[Untold, ...] = ()
    """What the text leaves out, the most important first."""
    repeated: tuple[Repetition, ...] = ()
    """What it tells twice."""
    judge: str = "small"
    """Who judged: `small`, `local`, or the model at an address."""

    def __str__(self) -> str:
        return summary(self)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many sentences have each verdict."""
        found = Counter(sentence.verdict for sentence in self.sentences)
        return {verdict: found[verdict] for verdict in VERDICTS}

    def to_json(self) -> dict[str, Any]:
        """Plain data, as described by the shipped JSON Schema."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    @classmethod
    def from_json(cls, data: Any) -> Trace:
        """Read what `to_json` wrote."""
        return msgspec.convert(data, cls)

    def consolidation(self) -> Consolidation:
        """The text as if it had been woven from the accounts."""
        sentences = tuple(WrittenSentence(one.start, one.end, one.tokens) for one in self.sentences)
        return Consolidation(self.schema, self.text, sentences, self.documents)

    def to_html(self) -> str:
        """One self-contained page: the text beside its accounts, each sentence with its verdict."""
        from tatian.consolidation.render import Edition
        from tatian.consolidation.render.notes import evidence_html, notes_html
        from tatian.consolidation.render.page import page

        edition = Edition(self.consolidation(), _points(self))
        return page(
            edition,
            _heading(self),
            f'{escape(verdict_line(self))} <a href="#accounts">The accounts</a> tell '
            f"{count(len(self.untold), 'sentence')} more.",
            notes_html(edition, "What is not proved")
            + evidence_html(
                edition, ((n, one.evidence) for n, one in enumerate(self.sentences) if one.evidence)
            ),
        )

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from tatian.consolidation.render.page import framed

        return framed(self.to_html(), _heading(self))


def summary(trace: Trace, *, verbose: bool = False) -> str:
    """The verdict in a few lines: what is not proved, what is left out, what is told twice.

    With `verbose` also what is supported, and by which passages.
    """
    lines = [verdict_line(trace)]
    lines += [
        f"  {number}. {one.verdict} ({one.support:.2f}): {squeeze(trace.text[one.start : one.end])}"
        f"\n     {one.why}"
        + "".join(
            f"\n     {c.document}: “{squeeze(c.text)}”" for c in (*one.against, *one.evidence)
        )
        for number, one in enumerate(trace.sentences, start=1)
        if verbose or one.verdict != "supported"
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
    judged = f" (judge: {trace.judge})" if trace.judge != "small" else ""
    return f"{count(len(trace.sentences), 'sentence').capitalize()}: {listed(found)}{judged}."


def coloured(trace: Trace, *, verbose: bool = False) -> Text:
    """The summary with its verdicts in colours."""
    from rich.text import Text

    text = Text(printable(summary(trace, verbose=verbose)))
    for verdict, colour in COLOURS.items():
        text.highlight_regex(rf"(?m)(?<=^  \d\. ){verdict}|(?<=^  \d\d\. ){verdict}", colour)
    return text


def _heading(trace: Trace) -> str:
    return f"A text traced to {count(len(trace.documents), 'account')}"


def _points(trace: Trace) -> list[Point]:
    from tatian.consolidation.render import Point

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
