"""Rules that mentions of any format can break without being markup: said twice, crossing."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.findings import Finding, Rule
from tatian.coreference.checking.form_rules import TAGGED_TWICE
from tatian.coreference.checking.marks import marks_of_document
from tatian.coreference.definition.phrases import Mark
from tatian.text import Document

CROSSING = Rule(
    "crossing-mentions", "1.1", "advice", "Marked phrases lie apart or inside each other."
)
MENTION_RULES = (CROSSING,)


def check_mentions(document: Document) -> Iterator[tuple[Mark, Finding]]:
    """Mentions on one string, and mentions that overlap without being nested."""
    waiting: list[Mark] = []
    for mark in marks_of_document(document):
        waiting = [other for other in waiting if other.end > mark.start]
        words = " ".join(mark.of(document.text).split())
        for other in waiting:
            if (other.start, other.end) == (mark.start, mark.end):
                yield mark, _twice(document, words, other, mark)
            elif other.end < mark.end:
                yield mark, _crossing(document, words, other)
        waiting.append(mark)


def _twice(document: Document, words: str, other: Mark, mark: Mark) -> Finding:
    chains = f"twice in chain '{mark.chain}'"
    if other.chain != mark.chain:
        chains = f"in chain '{other.chain}' and in chain '{mark.chain}'"
    return Finding(
        rule=TAGGED_TWICE,
        line=1,
        message=f"'{words}' is marked {chains}",
        advice="keep one of the two marks",
        document=document.id,
    )


def _crossing(document: Document, words: str, other: Mark) -> Finding:
    crossed = " ".join(other.of(document.text).split())
    return Finding(
        rule=CROSSING,
        line=1,
        message=f"'{words}' overlaps '{crossed}', but neither lies inside the other",
        advice="mark whole phrases: two noun phrases are nested or apart",
        document=document.id,
    )
