"""Whether a pair of sentences is fit for a union and, if not, why (Hirsch et al. 2023, App. A).

The paper leaves this to future work. Each reason has its own test: a small model of how much the
sentences share for *no consolidation*; contradictions for *disagreement*; pronouns and speakers
that neither sentence explains for *missing context*; an event told before and after it happened,
or a question beside a statement, for *unnatural*.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from tatian.analysis.installed import unavailable
from tatian.text import NAMES, WORDS
from tatian.text.content import concepts_of, saying
from tatian.text.quotations import quoted_tokens
from tatian.union.annotation import SkipReason
from tatian.union.data.checks import first_person
from tatian.union.models import Contradiction, Passage
from tatian.union.relations.alignment import Aligner, ChunkMatch
from tatian.union.relations.cases import SubtleCase, find_cases, sources, tense
from tatian.union.relations.contradictions import find_contradictions
from tatian.union.relations.knowledge import Abbreviations, Knowledge
from tatian.union.relations.units import Chunked


class SentenceOverlap(Struct, frozen=True):
    """How much two sentences have in common."""

    words: int
    """Content words, by concept, that both have and that are no names."""
    names: int
    """Words of names that both have."""
    meaning: float | None = None
    """The cosine of their vectors; None without the encoder."""


class OverlapWeights(Struct, frozen=True):
    """How overlap decides whether there is something to consolidate, in log odds.

    Fitted by ``benchmarks/union_fitting.py`` on the training unions against pairs of unrelated
    sentences and against halves of split sentences (WikiSplit), which share a topic and no more.
    """

    words: float
    names: float
    meaning: float
    bias: float
    most_words: int = 5
    most_names: int = 3


WEIGHTS = OverlapWeights(words=1.26, names=0.97, meaning=1.90, bias=-3.10)
WORDS_ALONE = OverlapWeights(words=1.44, names=1.21, meaning=0.0, bias=-2.67)
"""The same for when the encoder is not installed."""


class Fitness(Struct, frozen=True, omit_defaults=True):
    """Whether a union of two sentences makes sense."""

    fit: bool
    consolidation: float
    """The probability that the sentences share something to consolidate."""
    reason: SkipReason | None = None
    why: str = ""
    contradictions: tuple[Contradiction, ...] = ()
    """Every disagreement, each with the conflicting words of both sentences."""
    cases: tuple[SubtleCase, ...] = ()
    """What a writer must notice (App. B)."""


def judge(
    first: Passage,
    second: Passage,
    *,
    overlap: SentenceOverlap | None = None,
    knowledge: Knowledge | None = None,
    thorough: bool = True,
) -> Fitness:
    """Judge two sentences whose mentions have been found, as `tatian.Pipeline` does.

    `overlap` is measured unless given. The encoder's vectors and entailments find paraphrases,
    which help with disagreements and subtle cases; without `thorough` they are left out. Sentences
    without trees are judged by overlap and contradictions alone.
    """
    overlap = overlap or measure_overlap(first, second)
    chance = consolidation(overlap)
    disputes = find_contradictions((first, second))
    if not all(passage.document.has(WORDS) for passage in (first, second)):
        reason, why = _by_content(overlap, chance, disputes)
        return Fitness(reason is None, chance, reason, why, disputes)
    readings = (Chunked(first), Chunked(second))
    aligner = Aligner(*readings, knowledge or Abbreviations(), meaning=thorough)
    matches = aligner.align()
    reason, why = _by_content(overlap, chance, disputes)
    if reason is None:
        reason, why = _by_wording(readings, matches)
    cases = tuple(find_cases(readings, matches))
    return Fitness(reason is None, chance, reason, why, disputes, cases)


class Content(Struct, frozen=True):
    """The content words of a sentence, by concept."""

    words: frozenset[str]
    names: frozenset[str]
    """Those that stand inside names."""

    def overlap(self, other: Content, meaning: float | None = None) -> SentenceOverlap:
        """What this sentence shares with another."""
        shared = self.words & other.words
        names = self.names & other.names
        return SentenceOverlap(len(shared - names - saying()), len(names), meaning)


def content_of(passage: Passage) -> Content:
    """The content words of a passage; no names where nothing has looked for them."""
    document = passage.document
    concepts = concepts_of(document, passage.span)
    names = document.inside(NAMES, passage.span) if document.has(NAMES) else []
    named = (
        concept
        for token, concept in zip(document.tokens_in(passage.span), concepts, strict=True)
        if concept is not None and any(name.contains(token) for name in names)
    )
    return Content(frozenset(one for one in concepts if one is not None), frozenset(named))


def measure_overlap(first: Passage, second: Passage) -> SentenceOverlap:
    """What two sentences share, by their words and, where the encoder is installed, vectors."""
    meaning = None
    if not unavailable():
        from tatian.analysis import vectors

        one, other = vectors([first.text, second.text], threads=1)
        meaning = float(one @ other)
    return content_of(first).overlap(content_of(second), meaning)


def consolidation(overlap: SentenceOverlap) -> float:
    """The probability that sentences with this overlap share something to consolidate."""
    weights = WORDS_ALONE if overlap.meaning is None else WEIGHTS
    odds = (
        weights.words * min(overlap.words, weights.most_words)
        + weights.names * min(overlap.names, weights.most_names)
        + weights.meaning * (overlap.meaning or 0.0)
        + weights.bias
    )
    return 1 / (1 + math.exp(-odds))


def _by_content(
    overlap: SentenceOverlap, chance: float, contradictions: Sequence[Contradiction]
) -> tuple[SkipReason | None, str]:
    if chance < 0.5:
        shared = overlap.words + overlap.names
        return "no-consolidation", f"{shared} content words in common, {chance:.0%} likely a pair"
    return ("disagreement", contradictions[0].why) if contradictions else (None, "")


def _by_wording(
    readings: tuple[Chunked, Chunked], matches: Sequence[ChunkMatch]
) -> tuple[SkipReason | None, str]:
    if why := _missing_context(readings):
        return "missing-context", why
    if why := _unnatural(readings, matches):
        return "unnatural", why
    return None, ""


def _missing_context(readings: tuple[Chunked, Chunked]) -> str:
    """A sentence whose speaker neither sentence tells, and whose words the other does not have."""
    for number, reading in enumerate(readings):
        other = readings[1 - number]
        if _share(reading, other) >= 0.5:
            continue
        speaker = _first_person(reading)
        if speaker and not _first_person(other) and not sources(reading):
            return f"who is '{speaker}' in sentence {number + 1}?"
        if _speaks_unnamed(reading) and not _may_speak(other):
            return f"who says what sentence {number + 1} quotes?"
    return ""


def _share(reading: Chunked, other: Chunked) -> float:
    """The share of a sentence's content words that the other sentence has as well."""
    said = [word for word in reading.concepts if word is not None]
    return sum(word in other.concepts for word in said) / max(1, len(said))


def _first_person(reading: Chunked) -> str:
    """A pronoun of the first person outside quotation marks."""
    flags = quoted_tokens(reading.passage.document.text, reading.tokens)
    said = [place for place in first_person(reading.tokens) if not flags[place]]
    return reading.tokens[said[0]].text if said else ""


def _speaks_unnamed(reading: Chunked) -> bool:
    """Whether most of a sentence is quoted and nobody is named as the speaker."""
    flags = quoted_tokens(reading.passage.document.text, reading.tokens)
    content = [place for place, said in enumerate(reading.concepts) if said is not None]
    quoted = [place for place in content if flags[place]]
    outside = [unit for unit in reading.units if unit.kind == "name" and not flags[unit.head]]
    return len(quoted) > len(content) / 2 and not outside and not sources(reading)


def _may_speak(reading: Chunked) -> bool:
    """Whether a sentence names somebody who could have said something, or quotes as well."""
    flags = quoted_tokens(reading.passage.document.text, reading.tokens)
    people = any(unit.kind == "name" and unit.type == "PER" for unit in reading.units)
    return people or any(flags) or bool(sources(reading))


def _unnatural(readings: tuple[Chunked, Chunked], matches: Sequence[ChunkMatch]) -> str:
    questions = [_asks(reading) for reading in readings]
    if questions[0] != questions[1]:
        return f"sentence {questions.index(True) + 1} asks, the other tells"
    for match in matches:
        if match.first.kind != "verb" or match.second.kind != "verb":
            continue
        heads = match.first.head, match.second.head
        tenses = [tense(reading, head) for reading, head in zip(readings, heads, strict=True)]
        if set(tenses) == {"past", "future"}:
            ahead = tenses.index("future")
            if _dated_report(readings[ahead], heads[ahead]):
                return (
                    f"sentence {ahead + 1} reports before the event what the other tells after it"
                )
    return ""


def _asks(reading: Chunked) -> bool:
    return reading.passage.text.rstrip(" \"'”’").endswith("?")


def _dated_report(reading: Chunked, event: int) -> bool:
    """Whether a sentence says when somebody said something about what is still to come."""
    below = reading.tree.subtree(event)
    times = [unit for unit in reading.units if unit.kind == "time"]
    return bool(sources(reading)) and any(unit.head not in below for unit in times)
