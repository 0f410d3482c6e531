"""Which pieces of two sentences say the same, which say more, and which only one says.

Hirsch et al. 2023, §3 and Figure 2: equivalent content belongs into a union once, of content that
one sentence says more specifically only the more specific, and disjoint content all of it.
"""

from __future__ import annotations

from msgspec import Struct

from tatian.analysis.installed import unavailable
from tatian.text import Span
from tatian.union.models import Passage
from tatian.union.relations.aligning import Aligner, Match
from tatian.union.relations.kinds import SYMBOLS, Kind, Verdict
from tatian.union.relations.knowledge import Abbreviations, Knowledge
from tatian.union.relations.meaning import Meaning
from tatian.union.relations.rows import Places, disjoint, is_paraphrastic, kept, proposition
from tatian.union.relations.units import Reading

__all__ = ["SYMBOLS", "Kind", "Knowledge", "Part", "Relation", "Relations", "Verdict", "relate"]


class Part(Struct, frozen=True):
    """Words of one sentence, not always next to each other."""

    spans: tuple[Span, ...]
    """Offsets into the text of its document."""
    text: str


class Relation(Struct, frozen=True, omit_defaults=True):
    """One row of Figure 2's table."""

    kind: Kind
    first: Part | None = None
    """None where only the second sentence says it."""
    second: Part | None = None
    why: str = ""
    paraphrastic: bool = False
    """Whether related parts differ in their words, not only in their number (§5.3)."""


class Relations(Struct, frozen=True):
    """Everything two sentences say, each piece with what the other says about it."""

    rows: tuple[Relation, ...]

    def of(self, *kinds: Kind) -> tuple[Relation, ...]:
        """The rows of some kinds."""
        return tuple(row for row in self.rows if row.kind in kinds)


def relate(
    first: Passage,
    second: Passage,
    *,
    knowledge: Knowledge | None = None,
    meaning: bool = True,
) -> Relations:
    """The relations between the pieces of two sentences, which the encoder must have analysed.

    Words, names, numbers and dates are compared by rules; `knowledge` is asked about names and
    phrases that differ; what is left goes to the encoder, unless `meaning` is false.
    """
    ours, theirs = Reading(first), Reading(second)
    judge = Meaning() if meaning and not unavailable() else None
    matches = Aligner(ours, theirs, knowledge or Abbreviations(), judge).align()
    shared = [_row(match, matches, ours, theirs) for match in kept(matches, ours, theirs)]
    only_ours, only_theirs = disjoint(matches, ours, theirs)
    return Relations(
        (
            *shared,
            *(Relation("disjoint", first=_part(ours, places)) for places in only_ours),
            *(Relation("disjoint", second=_part(theirs, places)) for places in only_theirs),
        )
    )


def _row(match: Match, matches: list[Match], first: Reading, second: Reading) -> Relation:
    pieces: tuple[Places, Places] = (tuple(match.first.places), tuple(match.second.places))
    if match.first.kind == match.second.kind == "verb":
        pieces = proposition(match, matches, first, second)
    return Relation(
        match.verdict.kind,
        _part(first, pieces[0]),
        _part(second, pieces[1]),
        match.verdict.why,
        is_paraphrastic(match, first, second),
    )


def _part(reading: Reading, places: Places) -> Part:
    """Words as they stand in the text, those that follow each other as one span."""
    spans: list[Span] = []
    last = -2
    for place in places:
        token = reading.tokens[place]
        if place == last + 1:
            spans[-1] = Span(spans[-1].start, token.end)
        else:
            spans.append(Span(token.start, token.end))
        last = place
    text = reading.passage.document.text
    return Part(tuple(spans), " ".join(span.of(text) for span in spans))
