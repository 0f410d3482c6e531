"""Word alignment of two sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz.distance import Prefix

from tatian.text import SourcedToken
from tatian.text.content import reporting_concepts
from tatian.text.layers import SourceKind
from tatian.text.lexicon import RELATIVE_DATES, STOP_WORDS, WEEKDAYS
from tatian.union.models.sentences import Name, Parsed

_DAYS = frozenset(WEEKDAYS) | {word for word in RELATIVE_DATES if " " not in word}
_SAME_WORD = 1.0
_SAME_CONCEPT = 0.9
_SAME_ORIGIN = 0.7
_NEIGHBOUR_BONUS = 0.1
"""Bonus for each content word that is near both words."""
_HEAD_BONUS = 0.2
"""Bonus for heads with the same concept."""
_DISTANCE_COST = 0.05
"""Cost of the difference of the words' relative positions in their sentences, from 0 to 1."""
_REACH = 2
"""Number of content words on each side that disambiguate equal words."""
_MIN_STEM_LENGTH = 5
_SHARED_STEM = 0.65


class Alignment(Struct, frozen=True):
    """For each word of `other`, the word of `base` with the same meaning, if any."""

    other: Parsed
    base: Parsed
    to_base: dict[int, int]
    named: frozenset[int]
    """Words of names that the base has too, perhaps in a shorter form."""

    def is_new(self, place: int) -> bool:
        """Return True if the base has no word for this content word."""
        has_twin = place in self.to_base or place in self.named
        return self.other.content[place] and not has_twin


def align_words(other: Parsed, base: Parsed) -> Alignment:
    """Align the content words of two sentences, best pairs first."""
    near_other, near_base = _find_neighbours(other), _find_neighbours(base)
    scored: list[tuple[float, int, int]] = []
    for place, base_place in _find_comparable(other, base):
        score = _score_words(other, place, base, base_place)
        if score:
            neighbours = len(near_other[place] & near_base[base_place])
            has_same_head = _head_concept(other, place) == _head_concept(base, base_place)
            distance = abs(place / len(other) - base_place / len(base))
            score += _NEIGHBOUR_BONUS * neighbours + _HEAD_BONUS * has_same_head
            score -= _DISTANCE_COST * distance
            scored.append((score, place, base_place))
    scored.sort(key=lambda candidate: (-candidate[0], candidate[1], candidate[2]))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, place, base_place in scored:
        if place not in pairs and base_place not in taken:
            pairs[place] = base_place
            taken.add(base_place)
    for _, place, base_place in scored:
        pairs.setdefault(place, base_place)
    for start, end in other.compounds:
        parts = [place for place in range(start, end) if other.content[place]]
        if any(place not in pairs for place in parts):
            for place in parts:
                pairs.pop(place, None)
    _pair_days(other, base, pairs)
    _part_opposites(other, base, pairs)
    return Alignment(other, base, pairs, frozenset(_find_shared_names(other, base)))


def add_aligned_sources(
    tokens: Iterable[SourcedToken], alignment: Alignment
) -> tuple[SourcedToken, ...]:
    """Add to each word of the base the source of its aligned word."""
    other, base = alignment.other, alignment.base
    twins: dict[int, list[int]] = {}
    for place, base_place in sorted(alignment.to_base.items()):
        twins.setdefault(base_place, []).append(place)
    place_of = {(t.sources[0].document, t.sources[0].start): p for p, t in enumerate(base.tokens)}
    result = []
    for token in tokens:
        source = token.sources[0] if token.sources else None
        base_place = place_of.get((source.document, source.start), -1) if source else -1
        for twin in twins.get(base_place, ()):
            kind: SourceKind = "substituted"
            if other.lower[twin] == token.text.lower():
                kind = "copied"
            elif other.words[twin].lemma == base.words[base_place].lemma:
                kind = "inflected"
            twin_source = replace(other.tokens[twin].sources[0], kind=kind)
            if twin_source not in token.sources:
                token = replace(token, sources=(*token.sources, twin_source))
        result.append(token)
    return tuple(result)


def _find_comparable(other: Parsed, base: Parsed) -> Iterator[tuple[int, int]]:
    """Yield pairs of content words that share a concept, lemma, stem or verb of saying."""
    places_by_key: dict[str, list[int]] = {}
    for base_place in range(len(base)):
        for key in _index_keys(base, base_place):
            places_by_key.setdefault(key, []).append(base_place)
    for place in range(len(other)):
        keys = _index_keys(other, place)
        base_places = {base_place for key in keys for base_place in places_by_key.get(key, ())}
        for base_place in sorted(base_places):
            yield place, base_place


def _index_keys(sentence: Parsed, place: int) -> list[str]:
    if not sentence.content[place]:
        return []
    concept = sentence.concepts[place] or ""
    lemma = sentence.words[place].lemma.lower()
    keys = [f"concept {concept}", f"lemma {lemma}", f"stem {sentence.lower[place][:5]}"]
    return [*keys, "saying"] if concept in reporting_concepts() else keys


def _head_concept(sentence: Parsed, place: int) -> str | None:
    head = sentence.heads[place]
    return sentence.concepts[head] if head >= 0 else ""


def _find_neighbours(sentence: Parsed) -> dict[int, set[str]]:
    places = [place for place in range(len(sentence)) if sentence.content[place]]
    near = {}
    for index, place in enumerate(places):
        around = places[max(0, index - _REACH) : index] + places[index + 1 : index + 1 + _REACH]
        near[place] = {concept for p in around if (concept := sentence.concepts[p]) is not None}
    return near


def _score_words(other: Parsed, place: int, base: Parsed, base_place: int) -> float:
    """Return the alignment score of two words; 0 if they do not match."""
    first, second = other.concepts[place], base.concepts[base_place]
    if first == second:
        return _SAME_WORD if other.lower[place] == base.lower[base_place] else _SAME_CONCEPT
    if first in reporting_concepts() and second in reporting_concepts():
        return _SAME_ORIGIN if _share_speaker(other, place, base, base_place) else 0.0
    if other.words[place].lemma.lower() == base.words[base_place].lemma.lower():
        return _SAME_CONCEPT
    return _SAME_ORIGIN if _share_origin(other.lower[place], base.lower[base_place]) else 0.0


def _share_speaker(other: Parsed, place: int, base: Parsed, base_place: int) -> bool:
    """Return True if two verbs of saying may have the same subject."""
    words, base_words = other.under(place, "nsubj"), base.under(base_place, "nsubj")
    if not words or not base_words or "PRON" in (other.tag(words[0]), base.tag(base_words[0])):
        return True
    speaker = {other.concepts[p] for p in other.subtree(words[0]) if other.content[p]}
    return any(base.concepts[p] in speaker for p in base.subtree(base_words[0]) if base.content[p])


def _share_origin(first: str, second: str) -> bool:
    """Return True if a common beginning spans most of both words: "explosion", "exploded"."""
    if any(character.isdigit() for character in first + second):
        return False
    shared = Prefix.similarity(first, second)
    return shared >= _MIN_STEM_LENGTH and shared >= _SHARED_STEM * max(len(first), len(second))


def _pair_days(other: Parsed, base: Parsed, pairs: dict[int, int]) -> None:
    """Align days that the sentences name in different ways, if a date is unknown.

    Union paper, appendix B: with the day of publication known, there is no difference between
    "yesterday" and "Monday".
    """
    taken = set(pairs.values())
    free = [p for p in range(len(base)) if base.lower[p] in _DAYS and p not in taken]
    for place in range(len(other)):
        if place in pairs or other.lower[place] not in _DAYS:
            continue
        fitting = [p for p in free if not (_is_dated(other, place) and _is_dated(base, p))]
        if fitting:
            pairs[place] = fitting[0]


def _is_dated(sentence: Parsed, place: int) -> bool:
    """Return True if the word's date is known, so that its concept is the date."""
    return (sentence.concepts[place] or "")[:4].isdigit()


def _part_opposites(other: Parsed, base: Parsed, pairs: dict[int, int]) -> None:
    """Unlink verbs that are negated in only one of the sentences."""
    opposed = {
        place
        for place, base_place in pairs.items()
        if other.predicate(place)
        and base.predicate(base_place)
        and other.negated(place) != base.negated(base_place)
    }
    for place in opposed:
        del pairs[place]


def _find_shared_names(other: Parsed, base: Parsed) -> Iterator[int]:
    """Yield words of names that contain or equal one of the base: "Harvey", "Francis Harvey"."""
    for name in other.names:
        if any(_is_same_name(other, name, base, mate) for mate in base.names):
            yield from range(name[0], name[1])


def _name_words(sentence: Parsed, name: Name) -> set[str]:
    words = {sentence.lower[place] for place in range(name[0], name[1])}
    return {word for word in words if word[:1].isalnum() and word not in STOP_WORDS}


def _is_same_name(other: Parsed, name: Name, base: Parsed, mate: Name) -> bool:
    words, base_words = _name_words(other, name), _name_words(base, mate)
    if not words or not base_words:
        return False
    if words == base_words:
        return True
    if name[2] != mate[2]:
        return False
    if name[2] == "PER":
        last, mate_last = other.lower[name[1] - 1], base.lower[mate[1] - 1]
        return (words < base_words or base_words < words) and (
            last == mate_last or min(len(words), len(base_words)) == 1
        )
    return words < base_words or base_words < words
