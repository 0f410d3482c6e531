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
from tatian.text.content import concept, saying
from tatian.text.documents import Claim, Passage
from tatian.text.lexicon import NEGATIONS
from tatian.union.models import Contradiction

_OPEN = frozenset("if whether unless would could may might should can".split())
"""Words that mark a statement as uncertain."""
_LIKELY = 0.5
"""Minimum probability that two claims in sentences about one event have the same referent."""
_MOST_RIVALS = 2
"""Maximum number of other figures with which one figure may conflict."""
_MOST_PASSAGES = 100
"""Maximum number of earlier passages with which each passage is compared."""


def find_contradictions(passages: Sequence[Passage]) -> tuple[Contradiction, ...]:
    """Find conflicts between passages of different documents: figures, times, names, polarity."""
    readers: dict[int, ClaimReader] = {}
    facts = []
    for passage in passages:
        home = passage.document
        reader = readers.setdefault(id(home), ClaimReader(home))
        facts.append(Disputable(passage, place_claims(reader, passage.span), statements(passage)))
    pairs = [
        (first, second)
        for number, second in enumerate(facts)
        for first in facts[max(0, number - _MOST_PASSAGES) : number]
        if first.passage.document.id != second.passage.document.id
    ]
    contradictions = list(_claims(pairs))
    for first, second in pairs:
        contradictions.extend(_polarity(first, second))
    return tuple(_credible(tuple(dict.fromkeys(contradictions))))


def _credible(conflicts: Sequence[Contradiction]) -> Iterator[Contradiction]:
    """Drop figures that conflict with many others: they probably count different things.

    In a report of a match, every player has points; two sources of one figure give only two.
    """
    rivals: dict[Claim, set[str]] = {}
    for conflict in conflicts:
        for claim, other in permutations(conflict.claims, 2):
            rivals.setdefault(claim, set()).add(other.text.lower())
    for conflict in conflicts:
        if (
            conflict.kind != "number"
            or max(len(rivals[c]) for c in conflict.claims) <= _MOST_RIVALS
        ):
            yield conflict


class Disputable(Struct, frozen=True):
    """Claims and assertions of a passage that others can contradict."""

    passage: Passage
    claims: Sequence[PlacedClaim]
    statements: Sequence[Assertion]


Rivals = tuple[Disputable, PlacedClaim, Disputable, PlacedClaim]


def _claims(pairs: Sequence[tuple[Disputable, Disputable]]) -> Iterator[Contradiction]:
    """Find values that exclude each other, unless both sentences give one of them."""
    rivals = [rival for first, second in pairs for rival in _rivals(first, second)]
    odds: Sequence[float | None] = [None] * len(rivals)
    if not unavailable():
        odds = likenesses([(ours, theirs) for _, ours, _, theirs in rivals])
    for (first, ours, second, theirs), likeness in zip(rivals, odds, strict=True):
        if compare(ours.claim, theirs.claim, likeness, _LIKELY).relation == "exclude":
            claims = _cited(first.passage, ours), _cited(second.passage, theirs)
            kind = {"name": "name", "date": "date"}.get(ours.claim.kind, "number")
            why = f"{claims[0].text} against {theirs.claim.text}"
            yield Contradiction(kind, claims, why)  # type: ignore[arg-type]


def _rivals(first: Disputable, second: Disputable) -> Iterator[Rivals]:
    for ours in first.claims:
        for theirs in second.claims:
            value, reason = compare_values(ours.claim, theirs.claim)
            if value != "exclude" or (ours.claim.kind == "name" and "surname" not in reason):
                continue
            if find_barrier(ours.claim, theirs.claim, value):
                continue
            if _given(ours, second) or _given(theirs, first):
                continue
            yield first, ours, second, theirs


def _given(placed: PlacedClaim, other: Disputable) -> bool:
    """Return True if the other passage has a claim's value too."""
    return any(compare_values(placed.claim, rival.claim)[0] == "equal" for rival in other.claims)


def _cited(passage: Passage, placed: PlacedClaim) -> Claim:
    claim = placed.claim
    bounded = claim.interval is not None and claim.interval.bounded
    span = Span(claim.span.start, claim.figure.end) if bounded else claim.figure
    return Claim(passage.document.id, span.start, span.end, span.of(passage.document.text))


def _claim(passage: Passage, first: Token, last: Token | None = None) -> Claim:
    end = (last or first).end
    return Claim(passage.document.id, first.start, end, passage.document.text[first.start : end])


def _polarity(first: Disputable, second: Disputable) -> Iterator[Contradiction]:
    """Find statements that one sentence affirms and the other denies."""
    for ours in first.statements:
        for other in second.statements:
            if ours.denied != other.denied and ours.same(other):
                claim = _claim(first.passage, ours.first, ours.last)
                rival = _claim(second.passage, other.first, other.last)
                yield Contradiction(
                    "polarity", (claim, rival), f"{claim.text} against {rival.text}"
                )


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

    def same(self, other: Assertion) -> bool:
        """Return True if both are about the same event."""
        mine = (self.subject, self.verb, self.object, self.tense)
        return mine == (other.subject, other.verb, other.object, other.tense)


def statements(passage: Passage) -> list[Assertion]:
    """Return the assertions of a parsed passage; empty without a parse."""
    assertions = []
    words = parsed_words(passage)
    tokens = passage.document.tokens
    below = _children(words)
    for place, word in words.items():
        if word.tag != "VERB" or concept(tokens[place].text) in saying():
            continue
        parts = {relation: child for child, relation in below.get(place, ())}
        subject = parts.get("nsubj", parts.get("nsubj:pass"))
        if subject is None or words[subject].tag not in {"NOUN", "PROPN"}:
            continue
        near = [child for child, _ in below.get(place, ())]
        texts = {tokens[child].text.lower() for child in near}
        if texts & _OPEN:
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
