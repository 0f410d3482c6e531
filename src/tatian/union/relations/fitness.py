"""Fitness of two sentences for a union, and the reason if unfit (Hirsch et al. 2023, App. A).

The paper leaves this to future work. Each reason has its own test. *No consolidation*: a model of
shared content, and a general truth beside one event. *Disagreement*: figures, times and names that
exclude each other, and contradictions by the entailment model. *Missing context*: pronouns and
speakers that neither sentence explains. *Unnatural*: an event reported before and after it
happened, or a question beside a statement.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from tatian.analysis.installed import unavailable
from tatian.text import NAMES, WORDS
from tatian.text.content import concepts_of, reporting_concepts
from tatian.text.documents import Claim, Passage
from tatian.text.lexicon import word_set
from tatian.union.annotation import SkipReason
from tatian.union.models import Contradiction
from tatian.union.relations import Places, disjoint
from tatian.union.relations.alignment import Aligner, UnitMatch
from tatian.union.relations.cases import (
    PERFECT_WORDS,
    PLAN_WORDS,
    SubtleCase,
    find_cases,
    find_cited_speakers,
    find_missing_context,
    find_tense,
)
from tatian.union.relations.contradictions import find_contradictions
from tatian.union.relations.knowledge import Abbreviations, Knowledge
from tatian.union.relations.units import ParsedPassage


class SentenceOverlap(Struct, frozen=True):
    """Shared content of two sentences."""

    words: int
    """Number of shared concepts that are not names."""
    names: int
    """Number of shared words that belong to names."""
    meaning: float | None = None
    """Cosine similarity of their vectors; None without the encoder."""


class OverlapWeights(Struct, frozen=True):
    """Weights of the overlap, in log-odds of having content to consolidate.

    Fitted by ``benchmarks/union_fitting.py`` on the training unions. The negative examples are
    unrelated sentences and halves of split sentences (WikiSplit), which share only a topic.
    """

    words: float
    names: float
    meaning: float
    bias: float
    most_words: int = 5
    most_names: int = 3


WEIGHTS = OverlapWeights(words=1.26, names=0.97, meaning=1.90, bias=-3.10)
WORDS_ALONE = OverlapWeights(words=1.44, names=1.21, meaning=0.0, bias=-2.67)
"""Weights without the encoder."""


MIN_CONTRADICTION = 0.6
"""Minimum probability of contradiction, averaged over both directions, of a disagreement."""
RESTATED_SHARE = 0.5
"""Share of common words from which a general truth may restate the other sentence."""
_EVENT_AUXILIARIES = PERFECT_WORDS | word_set("will would")
_AT_A_TIME = PLAN_WORDS | PERFECT_WORDS | word_set("being still now currently")
"""Words that mark a statement as true at some time only."""


class Fitness(Struct, frozen=True, omit_defaults=True):
    """Verdict on whether two sentences can have a union."""

    fit: bool
    consolidation: float
    """Probability that the sentences share something to consolidate."""
    reason: SkipReason | None = None
    why: str = ""
    contradictions: tuple[Contradiction, ...] = ()
    """All disagreements, with the conflicting words of both sentences."""
    cases: tuple[SubtleCase, ...] = ()
    """Subtle cases that a writer must notice (App. B)."""


def judge(
    first: Passage,
    second: Passage,
    *,
    overlap: SentenceOverlap | None = None,
    knowledge: Knowledge | None = None,
    thorough: bool = True,
) -> Fitness:
    """Judge two sentences whose mentions have been found, as `tatian.Pipeline` does.

    `overlap` is measured by default. If `thorough`, the encoder's vectors and entailments find
    paraphrases, which help with disagreements and subtle cases. Sentences without parses are judged
    by overlap and contradictions alone.
    """
    overlap = overlap or measure_overlap(first, second)
    chance = consolidation_probability(overlap)
    contradictions = find_contradictions((first, second))
    if not all(passage.document.has(WORDS) for passage in (first, second)):
        reason, why = _reject_by_content(overlap, chance, contradictions)
        return Fitness(reason is None, chance, reason, why, contradictions)
    passages = (ParsedPassage(first), ParsedPassage(second))
    aligner = Aligner(*passages, knowledge or Abbreviations(), meaning=thorough)
    matches = aligner.align()
    reason, why = _reject_by_content(overlap, chance, contradictions)
    if reason is None:
        reason, why = _reject_by_wording(passages, matches)
    if reason is None and thorough and (contradiction := _find_contradiction(passages, matches)):
        contradictions = (contradiction,)
        reason, why = "disagreement", contradiction.why
    cases = tuple(find_cases(passages, matches))
    return Fitness(reason is None, chance, reason, why, contradictions, cases)


class Content(Struct, frozen=True):
    """The content words of a sentence, by concept."""

    words: frozenset[str]
    names: frozenset[str]
    """Words inside names."""

    def overlap(self, other: Content, meaning: float | None = None) -> SentenceOverlap:
        """Return the content that this sentence shares with another."""
        shared = self.words & other.words
        names = self.names & other.names
        return SentenceOverlap(len(shared - names - reporting_concepts()), len(names), meaning)


def content_of(passage: Passage) -> Content:
    """Return the content words of a passage; without names if there is no name layer."""
    document = passage.document
    concepts = concepts_of(document, passage.span)
    names = document.inside(NAMES, passage.span) if document.has(NAMES) else []
    named = (
        concept
        for token, concept in zip(document.tokens_in(passage.span), concepts, strict=True)
        if concept is not None and any(name.contains(token) for name in names)
    )
    return Content(frozenset(c for c in concepts if c is not None), frozenset(named))


def measure_overlap(first: Passage, second: Passage) -> SentenceOverlap:
    """Measure the overlap of two sentences by words and, if the encoder is installed, vectors."""
    meaning = None
    if not unavailable():
        from tatian.analysis import vectors

        first_vector, other = vectors([first.text, second.text], threads=1)
        meaning = float(first_vector @ other)
    return content_of(first).overlap(content_of(second), meaning)


def consolidation_probability(overlap: SentenceOverlap) -> float:
    """Return the probability that sentences with this overlap share something to consolidate."""
    weights = WORDS_ALONE if overlap.meaning is None else WEIGHTS
    odds = (
        weights.words * min(overlap.words, weights.most_words)
        + weights.names * min(overlap.names, weights.most_names)
        + weights.meaning * (overlap.meaning or 0.0)
        + weights.bias
    )
    return 1 / (1 + math.exp(-odds))


def _reject_by_content(
    overlap: SentenceOverlap, chance: float, contradictions: Sequence[Contradiction]
) -> tuple[SkipReason | None, str]:
    if chance < 0.5:
        shared = overlap.words + overlap.names
        return (
            "no-consolidation",
            f"{shared} content words in common, {chance:.0%} likely to share content",
        )
    return ("disagreement", contradictions[0].why) if contradictions else (None, "")


def _find_contradiction(
    passages: tuple[ParsedPassage, ParsedPassage], matches: Sequence[UnitMatch]
) -> Contradiction | None:
    """Return the conflict of two sentences that the entailment model finds contradictory.

    The words that only one of them has are the point on which they differ.
    """
    if unavailable():
        return None
    from tatian.analysis import entails

    first, second = (passage.passage.text for passage in passages)
    chance = (entails(first, second).contradiction + entails(second, first).contradiction) / 2
    if chance < MIN_CONTRADICTION:
        return None
    claims = tuple(
        _first_unmatched(passage, alone)
        for passage, alone in zip(passages, disjoint(matches, *passages), strict=True)
    )
    names = all(claim.text[:1].isupper() for claim in claims)
    why = f"{claims[0].text} against {claims[1].text}, {chance:.0%} likely a contradiction"
    return Contradiction("name" if names else "polarity", claims, why)


def _first_unmatched(passage: ParsedPassage, alone: Sequence[Places]) -> Claim:
    """Return the first words that only this sentence has, or the whole sentence if all match."""
    places = alone[0] if alone else range(len(passage.tokens))
    span = passage.span(places[0], places[-1] + 1)
    document = passage.passage.document
    return Claim(document.id, span.start, span.end, span.of(document.text))


def _reject_by_wording(
    passages: tuple[ParsedPassage, ParsedPassage], matches: Sequence[UnitMatch]
) -> tuple[SkipReason | None, str]:
    if why := find_missing_context(passages):
        return "missing-context", why
    if why := _describe_unnatural(passages, matches):
        return "unnatural", why
    if why := _describe_unrelated(passages, matches):
        return "no-consolidation", why
    return None, ""


def _describe_unrelated(
    passages: tuple[ParsedPassage, ParsedPassage], matches: Sequence[UnitMatch]
) -> str:
    """Describe a general truth paired with a particular event, if their verbs do not match."""
    general = [_is_general(passage) for passage in passages]
    if general[0] == general[1] or _shared_ratio(passages) >= RESTATED_SHARE:
        return ""
    number = general.index(True)
    acts = [(match.first, match.second)[number].head for match in matches if match.are_verbs]
    if _root(passages[number]) in acts or not _is_event(passages[1 - number]):
        return ""
    return f"sentence {number + 1} says what holds in general, the other what holds in one case"


def _shared_ratio(passages: tuple[ParsedPassage, ParsedPassage]) -> float:
    """Return the share of content words that the sentences have in common."""
    words, others = (
        {word for word in passage.concepts if word is not None} for passage in passages
    )
    return 2 * len(words & others) / max(1, len(words) + len(others))


def _is_event(passage: ParsedPassage) -> bool:
    """Return True if a sentence reports a past or future event."""
    tree = passage.tree
    helpers = tree.under(_root(passage), "aux", "cop")
    has_event_auxiliary = any(tree.text(place).lower() in _EVENT_AUXILIARIES for place in helpers)
    return has_event_auxiliary or _has_past_clause(passage)


def _is_general(passage: ParsedPassage) -> bool:
    """Return True for a statement of general truth without a source: "Storks build nests"."""
    tree = passage.tree
    root = _root(passage)
    subjects = [child for child in tree.under(root, "nsubj") if tree.tag(child) == "NOUN"]
    helpers = tree.under(root, "aux", "cop")
    near = (root, *helpers, *tree.under(root, "advmod"))
    if not subjects or not _AT_A_TIME.isdisjoint(tree.text(place).lower() for place in near):
        return False
    if tree.under(root, "ccomp") or passage.times or _is_headline(passage):
        return False
    if find_cited_speakers(passage) or _has_past_clause(passage):
        return False
    finite = tree.words[helpers[0] if helpers else root].features
    root_features = tree.words[root].features
    present = (finite.get("Tense"), finite.get("VerbForm")) == ("Pres", "Fin")
    present = present or any(tree.text(place).lower() == "can" for place in helpers)
    ongoing = (root_features.get("Tense"), root_features.get("VerbForm")) == ("Pres", "Part")
    return present and not ongoing and _is_generic_noun(passage, subjects[0])


def _has_past_clause(passage: ParsedPassage) -> bool:
    """Return True if some clause is in the past: "a fire which gutted the store"."""
    tree = passage.tree
    return any(
        (word.features.get("Tense"), word.features.get("VerbForm")) == ("Past", "Fin")
        or (tree.relation(place) == "aux" and tree.text(place).lower() in PERFECT_WORDS)
        for place, word in enumerate(tree.words)
    )


def _is_generic_noun(passage: ParsedPassage, noun: int) -> bool:
    """Return True if a noun is generic: "storks", "a leap year", "the heart of a whale".

    No name, possessor or number; with "the" only as part of such a kind.
    """
    tree = passage.tree
    named = any(unit.kind == "name" and noun in unit.places for unit in passage.units)
    owned = any(tree.words[child].relation == "nmod:poss" for child in tree.children[noun])
    if named or owned or tree.under(noun, "nummod"):
        return False
    articles = {tree.text(child).lower() for child in tree.under(noun, "det")}
    if articles <= {"a", "an"}:
        return True
    wholes = [child for child in tree.under(noun, "nmod") if tree.tag(child) == "NOUN"]
    return articles == {"the"} and len(wholes) == 1 and _is_generic_noun(passage, wholes[0])


def _is_headline(passage: ParsedPassage) -> bool:
    """Return True if nouns lack articles, as in headlines, whose present tense means the past."""
    tree = passage.tree
    places = range(len(tree.words))
    return all(tree.relation(place) != "det" for place in places) and any(
        tree.tag(place) == "NOUN"
        and tree.words[place].features.get("Number") == "Sing"
        and tree.relation(place) in ("obj", "obl")
        for place in places
    )


def _root(passage: ParsedPassage) -> int:
    tree = passage.tree
    tops = (place for place in range(len(tree.words)) if tree.relation(place) == "root")
    return next(tops, -1)


def _describe_unnatural(
    passages: tuple[ParsedPassage, ParsedPassage], matches: Sequence[UnitMatch]
) -> str:
    texts = (passage.passage.text.rstrip(" \"'”’") for passage in passages)
    questions = [text.endswith("?") for text in texts]
    if questions[0] != questions[1]:
        return f"sentence {questions.index(True) + 1} asks, the other states"
    for match in matches:
        if not match.are_verbs:
            continue
        heads = match.first.head, match.second.head
        tenses = [find_tense(passage, head) for passage, head in zip(passages, heads, strict=True)]
        if set(tenses) == {"past", "future"}:
            future = tenses.index("future")
            if _dated_report(passages[future], heads[future]):
                return (
                    f"sentence {future + 1} reports before the event what the other reports "
                    "after it"
                )
    return ""


def _dated_report(passage: ParsedPassage, event: int) -> bool:
    """Return True if a sentence says when somebody spoke about a future event."""
    below = passage.tree.subtree(event)
    times = [unit for unit in passage.units if unit.kind == "time"]
    return bool(find_cited_speakers(passage)) and any(unit.head not in below for unit in times)
