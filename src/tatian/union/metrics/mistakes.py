"""Kinds of errors in a union, estimated; the paper's authors sorted them by hand (App. J).

There are seven kinds. Each may cost coverage, faithfulness or redundancy. The signs are single
words, so the result is a list of places to check, not a verdict.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from tatian.text.content import stem
from tatian.union.metrics.estimates import FoundWord, WordComparison, estimate
from tatian.union.metrics.wording import ContentWord, Wording, share_origin, wording

if TYPE_CHECKING:
    from tatian.statistics import Table

Criterion = Literal["coverage", "faithfulness", "redundancy"]
Kind = Literal[
    "uni-directional entailment",
    "wrong attachment",
    "lexically similar but different",
    "ignores prefix",
    "related new information",
    "paraphrase",
    "external hallucination",
]

KINDS: dict[Kind, str] = {
    "uni-directional entailment": "the less specific phrase is kept, or both are",
    "wrong attachment": "a name or number is with something that it does not belong to",
    "lexically similar but different": "what is missing looks like something that was said",
    "ignores prefix": "the beginning of a source is missing",
    "related new information": "what is missing is simply not there",
    "paraphrase": "the same is said again in other words",
    "external hallucination": "something is said that no source says",
}
CRITERIA: tuple[Criterion, ...] = ("coverage", "faithfulness", "redundancy")
MIN_RELATED_SIMILARITY = 0.35
"""Minimum similarity of words that may be a more and a less exact expression of one thing."""
_NEAR = 2
"""Number of content words on each side that show what a figure counts."""
_OPENING = re.compile(r":(?= )| (?:--|–|—) ")
_TRAILER = re.compile(r", (who|which|whose|where|something|one of|an? \w+ that)\b", re.IGNORECASE)
"""Start of a clause or apposition that modifies the words before it."""
_CLAUSE = re.compile(r"[,;:()\"“”–—]|\s-\s|\.\s")


class UnionError(Struct, frozen=True):
    """A suspected error: its kind, the criterion that it lowers, and its words."""

    kind: Kind
    criterion: Criterion
    words: tuple[FoundWord, ...]

    @property
    def places(self) -> set[tuple[int | None, int]]:
        """Source index and start offset of each word."""
        return {(word.sentence, word.start) for word in self.words}

    @property
    def text(self) -> str:
        """The words, joined by spaces."""
        return " ".join(word.text for word in self.words)


def find_errors(sources: Sequence[str], union: str) -> list[UnionError]:
    """Return suspected errors of a union, in the order of coverage, faithfulness, redundancy."""
    estimated = estimate(sources, union)
    compared = WordComparison(sources, union)
    special = list(_find_unnoticed(sources, union))
    explained = {place for error in special for place in error.places}
    lost = [
        error
        for run in _group_runs(estimated.missing, sources)
        if (error := _classify_missing(run, compared)).kind != "related new information"
        or explained.isdisjoint(error.places)
    ]
    lost_places = {place for error in lost for place in error.places}
    lost += [error for error in special if lost_places.isdisjoint(error.places)]
    return [
        *lost,
        *(
            UnionError("external hallucination", "faithfulness", run)
            for run in _group_runs(estimated.unfaithful, [union])
        ),
        *(
            UnionError("wrong attachment", "faithfulness", pair)
            for pair in chain(_wrong_neighbours(sources, union), _moved_clauses(sources, union))
        ),
        *_classify_repeated(compared, estimated.repeated, union),
    ]


def error_table(unions: Iterable[Iterable[UnionError]]) -> Table:
    """Tabulate how often each kind lowers each criterion, as Table 8 does."""
    from tatian.statistics import Table

    counts = Counter((error.kind, error.criterion) for union in unions for error in union)
    rows = [
        (kind, *(counts[kind, criterion] for criterion in CRITERIA), explained)
        for kind, explained in KINDS.items()
    ]
    return Table.of(["error", *CRITERIA, "meaning"], rows)


def _classify_missing(run: tuple[FoundWord, ...], compared: WordComparison) -> UnionError:
    """Classify a run of missing words."""
    place = run[0].sentence or 0
    source = compared.sources[place]
    if len(run) > 1 and run[0].start == source.words[0].start:
        return UnionError("ignores prefix", "coverage", run)
    signs = {
        (index, word.start): signs for index, word, signs in compared.missing() if index == place
    }
    is_related = (signs[place, word.start].near >= MIN_RELATED_SIMILARITY for word in run)
    if any(is_related) or any(_completes_name(word, compared) for word in run):
        return UnionError("uni-directional entailment", "coverage", run)
    others = [other for index, other in enumerate(compared.sources) if index != place]
    if any(_has_relative(word, others) for word in _widen(run, source)):
        return UnionError("lexically similar but different", "coverage", run)
    return UnionError("related new information", "coverage", run)


def _completes_name(word: FoundWord, compared: WordComparison) -> bool:
    """Return True if a missing name completes one that the union has: "Francis" for "Harvey"."""
    source = compared.sources[word.sentence or 0]
    place = next(index for index, near in enumerate(source.words) if near.start == word.start)
    beside = source.words[max(0, place - 1) : place] + source.words[place + 1 : place + 2]
    return source.words[place].is_name and any(
        near.text[:1].isupper() and near.concept in compared.union.places for near in beside
    )


def _widen(run: Sequence[FoundWord], source: Wording) -> list[ContentWord]:
    """Return the words of a run and one on either side."""
    starts = {word.start for word in run}
    inside = [index for index, word in enumerate(source.words) if word.start in starts]
    return list(source.words[max(0, inside[0] - 1) : inside[-1] + 2])


def _has_relative(word: ContentWord, others: Sequence[Wording]) -> bool:
    return any(
        word.concept != concept and share_origin(word.concept, concept)
        for other in others
        for concept in other.places
    )


def _wrong_neighbours(sources: Sequence[str], union: str) -> Iterator[tuple[FoundWord, FoundWord]]:
    """Yield neighbours, one a name or number, that stand together in no source.

    Both are in the sources, but only in different ones.
    """
    texts = [wording(source) for source in sources]
    words = wording(union).words
    for first, second in pairwise(words):
        exact = (first.is_name and second.is_name) or first.is_number
        if not exact or _CLAUSE.search(union, first.end, second.start):
            continue
        if " and " in union[first.end : second.start]:
            continue
        of_first = {index for index, text in enumerate(texts) if first.concept in text.places}
        of_second = {index for index, text in enumerate(texts) if second.concept in text.places}
        if of_first and of_second and not of_first & of_second:
            yield _to_found_word(first), _to_found_word(second)


def _classify_repeated(
    compared: WordComparison, words: Sequence[FoundWord], union: str
) -> Iterator[UnionError]:
    """Classify repetitions: a single reworded word is an entailment, anything else a paraphrase."""
    likely = {word.start for word in words}
    same = {
        word.start: signs.same for word, _, signs in compared.repeated() if word.start in likely
    }
    for run in _group_runs(words, [union]):
        other = not all(same.get(word.start, True) for word in run)
        kind: Kind = "uni-directional entailment" if other and len(run) == 1 else "paraphrase"
        yield UnionError(kind, "redundancy", run)


def _find_unnoticed(sources: Sequence[str], union: str) -> Iterator[UnionError]:
    """Yield losses that no single word shows, because the union has a similar word."""
    union_wording = wording(union)
    for index, source in enumerate(sources):
        source_wording = wording(source)
        is_lost = [word.concept not in union_wording.places for word in source_wording.words]
        if lost := _find_lost_prefix(source, source_wording, is_lost):
            words = tuple(_to_found_word(word, index) for word in lost)
            yield UnionError("ignores prefix", "coverage", words)
        for figure in _find_less_exact(source, union):
            yield UnionError(
                "uni-directional entailment",
                "coverage",
                (FoundWord(*figure, source[slice(*figure)], 1.0, index),),
            )
        others = [wording(other) for place, other in enumerate(sources) if place != index]
        for lost in _find_confused(source_wording, is_lost, union_wording, others):
            words = tuple(_to_found_word(word, index) for word in lost)
            yield UnionError("lexically similar but different", "coverage", words)


def _find_lost_prefix(source: str, words: Wording, is_lost: Sequence[bool]) -> list[ContentWord]:
    """Return the lost words before a source's first colon or dash, if at least half are lost."""
    end = _OPENING.search(source)
    opening = [place for place, word in enumerate(words.words) if end and word.end <= end.start()]
    lost = [words.words[place] for place in opening if is_lost[place]]
    return lost if len(lost) > 1 and 2 * len(lost) >= len(opening) else []


def _find_less_exact(source: str, union: str) -> Iterator[tuple[int, int]]:
    """Yield figures of a source that the union replaces by a less exact one for the same thing."""
    from tatian.claims.claim import compare_intervals
    from tatian.claims.quantities import find_quantities

    figures = list(find_quantities(union, set()))
    union_concepts = {word.concept for word in wording(union).words}
    for quantity in find_quantities(source, set()):
        if any(
            word.concept in union_concepts
            for word in wording(source[slice(*quantity.figure)]).words
        ):
            continue
        similar = [
            compare_intervals(quantity.interval, other.interval)
            for other in figures
            if (quantity.kind, quantity.unit) == (other.kind, other.unit)
            and _find_nearby_stems(source, quantity.figure)
            & _find_nearby_stems(union, other.figure)
        ]
        if "entails" in similar and "equal" not in similar:
            yield quantity.figure


def _find_nearby_stems(text: str, place: tuple[int, int]) -> set[str]:
    """Return the stems of the content words nearest to a span of a text."""
    words = wording(text).words
    before = [word for word in words if word.end <= place[0]][-_NEAR:]
    after = [word for word in words if word.start >= place[1]][:_NEAR]
    return {stem(word.text) for word in (*before, *after)}


def _find_confused(
    source: Wording, is_lost: Sequence[bool], union: Wording, others: Sequence[Wording]
) -> Iterator[list[ContentWord]]:
    """Yield lost words around one whose relative comes from another source: "polygamist group"."""
    for place, word in enumerate(source.words):
        similar = [
            concept
            for concept in union.places
            if concept != word.concept and share_origin(word.concept, concept)
        ]
        borrowed = any(
            concept in other.places and concept not in source.places
            for concept in similar
            for other in others
        )
        are_lost = 0 < place < len(source) - 1 and all(is_lost[place - 1 : place + 2])
        if borrowed and are_lost:
            yield list(source.words[place - 1 : place + 2])


def _moved_clauses(sources: Sequence[str], union: str) -> Iterator[tuple[FoundWord, FoundWord]]:
    """Yield trailing clauses of one source that the union attaches to words of another.

    In its source, the clause follows a word that stands elsewhere in the union.
    """
    merged = wording(union)
    for match in _TRAILER.finditer(union):
        place = next((n for n, word in enumerate(merged.words) if word.start >= match.start(1)), 0)
        if not place:
            continue
        first, before = merged.words[place], merged.words[place - 1]
        for source in sources:
            source_wording = wording(source)
            at = [index for index in source_wording.places.get(first.concept, ()) if index]
            if len(at) != 1 or match[0].lower() not in source.lower():
                continue
            home = source_wording.words[at[0] - 1].concept
            if home in merged.places and before.concept not in source_wording.places:
                yield _to_found_word(before), _to_found_word(first)


def _group_runs(
    found_words: Sequence[FoundWord], texts: Sequence[str]
) -> Iterator[tuple[FoundWord, ...]]:
    """Group words that are consecutive among the content words of their text."""
    for sentence, words in groupby(found_words, key=lambda word: word.sentence):
        ranks = {word.start: n for n, word in enumerate(wording(texts[sentence or 0]).words)}
        ordered = sorted(words, key=lambda word: word.start)
        for _, run in groupby(enumerate(ordered), key=lambda pair: ranks[pair[1].start] - pair[0]):
            yield tuple(word for _, word in run)


def _to_found_word(word: ContentWord, sentence: int | None = None) -> FoundWord:
    return FoundWord(word.start, word.end, word.text, 1.0, sentence)
