"""Trace of a text to its sources: verdicts, omissions, and how they are shown."""

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
from tatian.text.documents import Claim
from tatian.views.wording import join_items, printable, spell_count, squeeze

if TYPE_CHECKING:
    from rich.text import Text

    from tatian.consolidation.render import Point


Verdict = Literal["supported", "partly", "contradicted", "unsupported", "unknown"]
VERDICTS: tuple[Verdict, ...] = ("supported", "partly", "contradicted", "unsupported", "unknown")

UNTOLD = 5
"""Number of omitted source sentences that are shown."""
COLOURS = {
    "supported": "green",
    "partly": "yellow",
    "contradicted": "red",
    "unsupported": "red",
    "unknown": "magenta",
}


class Stretch(Struct, frozen=True):
    """Range of characters of the text."""

    start: int
    end: int


class TracedSentence(Struct, frozen=True):
    """Sentence of the text, and whether the sources support it."""

    start: int
    end: int
    verdict: Verdict
    support: float
    """Probability, from 0 to 1, that the sources support everything it says. For a judge at an
    address, a fixed number stands for each verdict."""
    why: str
    tokens: tuple[WrittenToken, ...]
    unsupported: tuple[Stretch, ...] = ()
    """Parts that are unsupported, or that the sources contradict."""
    against: tuple[Claim, ...] = ()
    """Claims of sources that contradict it."""
    evidence: tuple[Claim, ...] = ()
    """Passages that support it, if it is supported."""


class Untold(Struct, frozen=True):
    """Sentence of a source that the text does not cover, or not all of it."""

    document: str
    start: int
    end: int
    importance: float
    """Importance from 0 to 1: how much is uncovered, and how many other sources report it too."""


class Repetition(Struct, frozen=True):
    """Redundant sentence of the text: an earlier one covers all of it."""

    sentence: int
    """Index of the later sentence."""
    earlier: int
    """Index of the earlier sentence."""


class Trace(Struct, frozen=True):
    """Text by any writer, with the verdict of its sources on every sentence."""

    schema: int
    text: str
    sentences: tuple[TracedSentence, ...]
    documents: tuple[Account, ...]
    untold: tuple[Untold, ...] = ()
    """Source sentences that the text leaves out, the most important first."""
    repeated: tuple[Repetition, ...] = ()
    """Redundant sentences."""
    judge: str = "small"
    """Judge: `small`, `local`, or the model at an address."""

    def __str__(self) -> str:
        return summary(self)

    @property
    def counts(self) -> dict[Verdict, int]:
        """Number of sentences with each verdict."""
        counts = Counter(sentence.verdict for sentence in self.sentences)
        return {verdict: counts[verdict] for verdict in VERDICTS}

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as described by the shipped JSON Schema."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    @classmethod
    def from_json(cls, data: Any) -> Trace:
        """Read what `to_json` wrote."""
        return msgspec.convert(data, cls)

    def consolidation(self) -> Consolidation:
        """Return the text as if it had been consolidated from the sources."""
        sentences = tuple(
            WrittenSentence(sentence.start, sentence.end, sentence.tokens)
            for sentence in self.sentences
        )
        return Consolidation(self.schema, self.text, sentences, self.documents)

    def to_html(self) -> str:
        """Render one self-contained page: the text with its verdicts, beside its sources."""
        from tatian.consolidation.render import Edition
        from tatian.consolidation.render.notes import evidence_html, notes_html
        from tatian.consolidation.render.page import page

        edition = Edition(self.consolidation(), _points(self))
        return page(
            edition,
            _heading(self),
            f'{escape(verdict_line(self))} <a href="#accounts">The accounts</a> have '
            f"{spell_count(len(self.untold), 'sentence')} that the text leaves out.",
            notes_html(edition, "What is not supported")
            + evidence_html(
                edition,
                (
                    (n, sentence.evidence)
                    for n, sentence in enumerate(self.sentences)
                    if sentence.evidence
                ),
            ),
        )

    def _repr_html_(self) -> str:
        """Render the page that a notebook shows."""
        from tatian.consolidation.render.page import framed

        return framed(self.to_html(), _heading(self))


def summary(trace: Trace, *, verbose: bool = False) -> str:
    """Summarize in a few lines what is unsupported, what is left out and what is redundant.

    With `verbose`, also list what is supported, and by which passages.
    """
    lines = [verdict_line(trace)]
    lines += [
        f"  {number}. {sentence.verdict} ({sentence.support:.2f}): "
        f"{squeeze(trace.text[sentence.start : sentence.end])}"
        f"\n     {sentence.why}"
        + "".join(
            f"\n     {claim.document}: “{squeeze(claim.text)}”"
            for claim in (*sentence.against, *sentence.evidence)
        )
        for number, sentence in enumerate(trace.sentences, start=1)
        if verbose or sentence.verdict != "supported"
    ]
    texts = {document.id: document.text for document in trace.documents}
    if trace.untold:
        lines.append(
            f"The text leaves out {spell_count(len(trace.untold), 'sentence')} of the accounts:"
        )
        lines += [
            f"  {omission.importance:.2f} {omission.document}: {squeeze(omitted)}"
            for omission in trace.untold[:UNTOLD]
            for omitted in [texts[omission.document][omission.start : omission.end]]
        ]
        if len(trace.untold) > UNTOLD:
            lines.append(f"  and {len(trace.untold) - UNTOLD} more")
    for repetition in trace.repeated:
        later, earlier = repetition.sentence + 1, repetition.earlier + 1
        lines.append(f"Sentence {later} repeats sentence {earlier}.")
    return "\n".join(lines)


def verdict_line(trace: Trace) -> str:
    """Count the sentences with each verdict, in one line."""
    counts = [f"{number} {verdict}" for verdict, number in trace.counts.items() if number]
    judged = f" (judge: {trace.judge})" if trace.judge != "small" else ""
    total = spell_count(len(trace.sentences), "sentence").capitalize()
    return f"{total}: {join_items(counts)}{judged}."


def coloured(trace: Trace, *, verbose: bool = False) -> Text:
    """Return the summary with its verdicts in colours."""
    from rich.text import Text

    text = Text(printable(summary(trace, verbose=verbose)))
    for verdict, colour in COLOURS.items():
        text.highlight_regex(rf"(?m)(?<=^  \d\. ){verdict}|(?<=^  \d\d\. ){verdict}", colour)
    return text


def _heading(trace: Trace) -> str:
    return f"A text traced to {spell_count(len(trace.documents), 'account')}"


def _points(trace: Trace) -> list[Point]:
    from tatian.consolidation.render import Point

    points = []
    first = 0
    for number, sentence in enumerate(trace.sentences):
        if sentence.verdict != "supported":
            points.append(
                Point(
                    sentence.verdict,
                    sentence.why,
                    sentence.against,
                    (number,),
                    _words(sentence, first),
                )
            )
        first += len(sentence.tokens)
    return points


def _words(sentence: TracedSentence, first: int) -> tuple[int, ...]:
    """Return the unsupported words; all of them where none is singled out."""
    words = tuple(
        first + place
        for place, token in enumerate(sentence.tokens)
        if any(part.start <= token.start < part.end for part in sentence.unsupported)
    )
    return words or tuple(range(first, first + len(sentence.tokens)))
