"""Source sentences that are not in the text, the least covered first."""

from __future__ import annotations

from msgspec import Struct

from tatian.consolidation.result import SentenceOutcome
from tatian.text.content import concept, is_content, is_exact, reporting_concepts
from tatian.text.tokenizer import tokenize
from tatian.workbench.desk.decisions import EditedText
from tatian.workbench.desk.evidence import Offsets
from tatian.workbench.storage.codec import to_struct

_EXACT_WEIGHT = 2.0
"""Weight of a name or a figure; other content words weigh 1."""
_NOISE = frozenset(("a headline", "a date line", "a byline", "a greeting", "an address"))
"""Reasons why lines that are not part of the story were left out."""


class CoveringSentence(Struct, frozen=True):
    """A sentence of the text that covers one that was left out."""

    sentence: str
    text: str


class LeftOutSentence(Struct, frozen=True):
    """A source sentence that is not in the text."""

    id: str
    account: str
    text: str
    fate: SentenceOutcome
    why: str
    decided: bool
    """True if a person decided to leave it out."""
    risk: float
    """Weighted share of content words that the covering sentences lack, from 0 to 1."""
    missing: list[Offsets]
    """Offsets in `text` of the words that they lack."""
    covering: list[CoveringSentence]


def find_left_out(edited: EditedText) -> list[LeftOutSentence]:
    """Return the source sentences that are not in the text, the least covered first.

    Noise comes after them, and sentences that a person left out come last.
    """
    texts = [edited.manuscript.layout(line).text for line in edited.lines]
    ids = [line.id for line in edited.lines]
    words = [concepts_of(text) for text in texts]
    all_text = frozenset[str]().union(*words)
    sentences = []
    for id, outcome in edited.outcomes.items():
        if outcome.fate in ("kept", "merged"):
            continue
        place = edited.manuscript.sources[id]
        covered = frozenset[str]().union(*(words[number] for number in outcome.into))
        missing, risk = uncovered_words(place.text, covered if outcome.into else all_text)
        sentences.append(
            to_struct(
                LeftOutSentence,
                outcome,
                id=id,
                account=place.source.id,
                text=place.text,
                decided=id in edited.last_decisions,
                risk=risk,
                missing=missing,
                covering=[CoveringSentence(ids[number], texts[number]) for number in outcome.into],
            )
        )
    return sorted(
        sentences, key=lambda sentence: (sentence.decided, sentence.why in _NOISE, -sentence.risk)
    )


def concepts_of(text: str) -> frozenset[str]:
    """Return the concepts of the words of a text."""
    return frozenset(concept(token.text) for token in tokenize(text))


def uncovered_words(text: str, covered: frozenset[str]) -> tuple[list[Offsets], float]:
    """Return the offsets of the content words that are not covered, and their weighted share.

    Verbs of saying are left out.
    """
    missing: list[Offsets] = []
    missing_weight = total = 0.0
    for number, token in enumerate(tokenize(text)):
        if is_content(token.text) and concept(token.text) not in reporting_concepts():
            opens_with_capital = number == 0 and token.text[:1].isupper()
            weight = _EXACT_WEIGHT if is_exact(token.text) and not opens_with_capital else 1.0
            total += weight
            if concept(token.text) not in covered:
                missing.append((token.start, token.end))
                missing_weight += weight
    return missing, missing_weight / total if total else 0.0
