"""Source sentences that are not in the text, the least covered first."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tatian.consolidation.result import SentenceOutcome
from tatian.text.content import concept, is_content, is_exact, saying
from tatian.text.tokenizer import tokenize
from tatian.workbench.desk.decisions import EditedText
from tatian.workbench.desk.evidence import Offsets

_EXACT = 2.0
"""Weight of a name or a figure, which no other word replaces; other words weigh 1."""

_FURNITURE = frozenset(("a headline", "a date line", "a byline", "a greeting", "an address"))
"""Reasons for leaving out lines that say nothing about the story."""


class CoveringSentence(Struct, frozen=True):
    """A sentence of the text that is said to cover one that was left out."""

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
    """True if a person left it out."""
    risk: float
    """Weighted share of its words that the covering sentences lack, from 0 to 1."""
    missing: list[Offsets]
    """Offsets of those words in `text`."""
    covering: list[CoveringSentence]


def find_left_out(edited: EditedText) -> list[LeftOutSentence]:
    """Return the source sentences that are not in the text, the least covered first.

    Headlines and the like follow, and then the sentences that a person left out.
    """
    texts = [edited.manuscript.layout(line).text for line in edited.lines]
    ids = [line.id for line in edited.lines]
    words = [concepts_of(text) for text in texts]
    everything = frozenset[str]().union(*words)
    sentences = []
    for id, outcome in edited.outcomes.items():
        if outcome.fate in ("kept", "merged"):
            continue
        place = edited.manuscript.sources[id]
        account, text = place.source.id, place.text
        covered = frozenset[str]().union(*(words[number] for number in outcome.into))
        missing, risk = uncovered_words(text, covered if outcome.into else everything)
        covering = [CoveringSentence(ids[number], texts[number]) for number in outcome.into]
        decided = id in edited.last_decisions
        sentences.append(
            LeftOutSentence(
                id,
                account,
                text,
                outcome.fate,
                outcome.why,
                decided,
                risk,
                missing,
                covering,
            )
        )
    return sorted(
        sentences,
        key=lambda sentence: (sentence.decided, sentence.why in _FURNITURE, -sentence.risk),
    )


def concepts_of(text: str) -> frozenset[str]:
    """Return the concepts of the words of a text."""
    return frozenset(concept(token.text) for token in tokenize(text))


def uncovered_words(text: str, covered: frozenset[str]) -> tuple[list[Offsets], float]:
    """Return the offsets of the words that are not covered, and their weighted share."""
    weighed = list(_weighed(text))
    rest = [(place, weight) for place, word, weight in weighed if word not in covered]
    whole = sum(weight for *_, weight in weighed)
    share = sum(weight for _, weight in rest) / whole if whole else 0.0
    return [place for place, _ in rest], share


def _weighed(text: str) -> Iterator[tuple[Offsets, str, float]]:
    """Yield offsets, concept and weight of the content words."""
    for number, token in enumerate(tokenize(text)):
        if is_content(token.text) and concept(token.text) not in saying():
            capital = number == 0 and token.text[:1].isupper()
            weight = _EXACT if is_exact(token.text) and not capital else 1.0
            yield (token.start, token.end), concept(token.text), weight
