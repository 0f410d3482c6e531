"""Find points on which sentences about the same event cannot all be right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from msgspec import Struct

from tatian.analysis.installed import unavailable
from tatian.claims import (
    ClaimReader,
    PlacedClaim,
    compare,
    compare_values,
    find_barrier,
    likenesses,
    place_claims,
)
from tatian.text import WORDS, Span, Token, Word
from tatian.text.content import concept, reporting_concepts
from tatian.text.documents import Claim, Passage
from tatian.text.lexicon import NEGATIONS
from tatian.union.models import Contradiction

_UNCERTAIN = frozenset("if whether unless would could may might should can".split())
"""Words that mark a statement as uncertain."""
_MIN_SAME_REFERENT = 0.5
"""Minimum probability that two claims in sentences about one event have the same referent."""
_MAX_RIVALS = 2
"""Maximum number of other figures with which one figure may conflict."""
_MAX_PASSAGES = 100
"""Maximum number of earlier passages with which each passage is compared."""


def find_contradictions(passages: Sequence[Passage]) -> tuple[Contradiction, ...]:
    """Find conflicts between passages of different documents: figures, times, names, polarity."""
    readers: dict[int, ClaimReader] = {}
    facts = []
    for passage in passages:
        home = passage.document
        reader = readers.setdefault(id(home), ClaimReader(home))
        facts.append(
            PassageClaims(passage, place_claims(reader, passage.span), find_assertions(passage))
        )
    pairs = [
        (first, second)
        for number, second in enumerate(facts)
        for first in facts[max(0, number - _MAX_PASSAGES) : number]
        if first.passage.document.id != second.passage.document.id
    ]
    contradictions = list(_compare_claims(pairs))
    for first, second in pairs:
        contradictions.extend(_compare_polarity(first, second))
    return tuple(_drop_incredible(tuple(dict.fromkeys(contradictions))))


def _drop_incredible(conflicts: Sequence[Contradiction]) -> Iterator[Contradiction]:
    """Drop figures that conflict with many others: they probably count different things.

    In a report of a match, every player has points; two sources of one figure give only two.
    """
    rivals: dict[Claim, set[str]] = {}
    for conflict in conflicts:
        for claim, other in permutations(conflict.claims, 2):
            rivals.setdefault(claim, set()).add(other.text.lower())
    for conflict in conflicts:
        most = max(len(rivals[claim]) for claim in conflict.claims)
        if conflict.kind != "number" or most <= _MAX_RIVALS:
            yield conflict


class PassageClaims(Struct, frozen=True):
    """Claims and assertions of a passage that others can contradict."""

    passage: Passage
    claims: Sequence[PlacedClaim]
    assertions: Sequence[Assertion]


Rivals = tuple[PassageClaims, PlacedClaim, PassageClaims, PlacedClaim]


def _compare_claims(
    pairs: Sequence[tuple[PassageClaims, PassageClaims]],
) -> Iterator[Contradiction]:
    """Find values that exclude each other, unless both sentences give one of them."""
    rivals = [rival for first, second in pairs for rival in _find_rivals(first, second)]
    odds: Sequence[float | None] = [None] * len(rivals)
    if not unavailable():
        odds = likenesses([(placed, rival) for _, placed, _, rival in rivals])
    for (first, placed, second, rival), likeness in zip(rivals, odds, strict=True):
        if compare(placed.claim, rival.claim, likeness, _MIN_SAME_REFERENT).relation == "exclude":
            claims = _cite_claim(first.passage, placed), _cite_claim(second.passage, rival)
            kind = {"name": "name", "date": "date"}.get(placed.claim.kind, "number")
            why = f"{claims[0].text} against {rival.claim.text}"
            yield Contradiction(kind, claims, why)  # type: ignore[arg-type]


def _find_rivals(first: PassageClaims, second: PassageClaims) -> Iterator[Rivals]:
    for placed in first.claims:
        for rival in second.claims:
            value, reason = compare_values(placed.claim, rival.claim)
            if value != "exclude" or (placed.claim.kind == "name" and "surname" not in reason):
                continue
            if find_barrier(placed.claim, rival.claim, value):
                continue
            if _has_value(placed, second) or _has_value(rival, first):
                continue
            yield first, placed, second, rival


def _has_value(placed: PlacedClaim, other: PassageClaims) -> bool:
    """Return True if the other passage has a claim's value too."""
    return any(compare_values(placed.claim, rival.claim)[0] == "equal" for rival in other.claims)


def _cite_claim(passage: Passage, placed: PlacedClaim) -> Claim:
    claim = placed.claim
    bounded = claim.interval is not None and claim.interval.bounded
    span = Span(claim.span.start, claim.figure.end) if bounded else claim.figure
    return Claim(passage.document.id, span.start, span.end, span.of(passage.document.text))


def _cite_assertion(passage: Passage, assertion: Assertion) -> Claim:
    span = Span(assertion.first.start, assertion.last.end)
    return Claim(passage.document.id, span.start, span.end, span.of(passage.document.text))


def _compare_polarity(first: PassageClaims, second: PassageClaims) -> Iterator[Contradiction]:
    """Find statements that one sentence affirms and the other denies."""
    for assertion in first.assertions:
        for rival in second.assertions:
            if assertion.denied != rival.denied and assertion.is_same_event(rival):
                claims = (
                    _cite_assertion(first.passage, assertion),
                    _cite_assertion(second.passage, rival),
                )
                why = f"{claims[0].text} against {claims[1].text}"
                yield Contradiction("polarity", claims, why)


class Assertion(Struct, frozen=True):
    """A verb with its subject and object."""

    subject: str
    verb: str
    object: str
    tense: str
    denied: bool
    first: Token
    last: Token
    """Last word; the range runs from the first auxiliary to the verb."""

    def is_same_event(self, other: Assertion) -> bool:
        """Return True if both are about the same event."""
        event = (self.subject, self.verb, self.object, self.tense)
        return event == (other.subject, other.verb, other.object, other.tense)


def find_assertions(passage: Passage) -> list[Assertion]:
    """Return the assertions of a parsed passage; empty without a parse."""
    assertions = []
    words = parsed_words(passage)
    tokens = passage.document.tokens
    below = _children(words)
    for place, word in words.items():
        if word.tag != "VERB" or concept(tokens[place].text) in reporting_concepts():
            continue
        parts = {relation: child for child, relation in below.get(place, ())}
        subject = parts.get("nsubj", parts.get("nsubj:pass"))
        if subject is None or words[subject].tag not in {"NOUN", "PROPN"}:
            continue
        children = [child for child, _ in below.get(place, ())]
        texts = {tokens[child].text.lower() for child in children}
        if texts & _UNCERTAIN:
            continue
        helpers = [c for c, relation in below[place] if relation.startswith("aux") and c < place]
        patient = parts.get("obj")
        finite = [words[p].features.get("Tense", "") for p in (*helpers[:1], place)]
        assertions.append(
            Assertion(
                subject=concept(tokens[subject].text),
                verb=concept(tokens[place].text),
                object=concept(tokens[patient].text) if patient is not None else "",
                tense=finite[0],
                denied=bool(texts & NEGATIONS),
                first=tokens[min([place, *helpers])],
                last=tokens[place],
            )
        )
    return assertions


def _children(words: dict[int, Word]) -> dict[int, list[tuple[int, str]]]:
    below: dict[int, list[tuple[int, str]]] = {}
    for place, word in words.items():
        below.setdefault(word.head, []).append((place, word.relation))
    return below


def parsed_words(passage: Passage) -> dict[int, Word]:
    """Return a passage's parsed words by their indices in the document; empty without a parse."""
    document, span = passage.document, passage.span
    words = document.get(WORDS) if document.has(WORDS) else ()
    inside = (word for word in words if span.contains(document.tokens[word.token]))
    return {word.token: word for word in inside}
