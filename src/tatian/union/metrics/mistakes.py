"""The kinds of errors in a union, estimated: what the paper's authors sorted by hand (App. J).

Seven kinds, each of which may cost coverage, faithfulness or redundancy. The signs are words, so
this finds what a reader would check first, not what a reader would decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from tatian.union.metrics.estimates import FoundWord, estimate
from tatian.union.metrics.signs import WordComparison
from tatian.union.metrics.wording import ContentWord, Wording, derived, wording

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
    "uni-directional entailment": "the less specific phrase stands, or both do",
    "wrong attachment": "a name or number stands with something it did not belong to",
    "lexically similar but different": "what is missing looks like something that was said",
    "ignores prefix": "the beginning of a source is missing",
    "related new information": "what is missing is simply not there",
    "paraphrase": "the same is said again in other words",
    "external hallucination": "something is said that no source says",
}
CRITERIA: tuple[Criterion, ...] = ("coverage", "faithfulness", "redundancy")
RELATED = 0.35
"""Words at least so alike may say the same thing more and less exactly."""
_CLAUSE = re.compile(r"[,;:()\"“”–—]|\s-\s|\.\s")


class UnionError(Struct, frozen=True):
    """One suspected error: its kind, what it costs, and the words that show it."""

    kind: Kind
    criterion: Criterion
    words: tuple[FoundWord, ...]

    @property
    def text(self) -> str:
        """The words, one after the other."""
        return " ".join(word.text for word in self.words)


def errors(sources: Sequence[str], union: str) -> list[UnionError]:
    """What seems wrong with a union, in the order of coverage, faithfulness, redundancy."""
    found = estimate(sources, union)
    compared = WordComparison(sources, union)
    return [
        *(_missing(run, compared) for run in _runs(found.missing, sources)),
        *(
            UnionError("external hallucination", "faithfulness", run)
            for run in _runs(found.unfaithful, [union])
        ),
        *(
            UnionError("wrong attachment", "faithfulness", pair)
            for pair in _attached(sources, union)
        ),
        *_repeated(compared, found.repeated, union),
    ]


def error_table(found: Iterable[Iterable[UnionError]], title: str = "") -> Table:
    """Table 8's shape: how often each kind costs each criterion."""
    from tatian.statistics import Table

    counts = Counter((error.kind, error.criterion) for one in found for error in one)
    rows = [
        (kind, *(counts[kind, criterion] for criterion in CRITERIA), explained)
        for kind, explained in KINDS.items()
    ]
    return Table.of(["error", *CRITERIA, "meaning"], rows, title)


def _missing(run: tuple[FoundWord, ...], compared: WordComparison) -> UnionError:
    """Which kind of loss a run of missing words is."""
    place = run[0].sentence or 0
    source = compared.sources[place]
    if len(run) > 1 and run[0].start == source.words[0].start:
        return UnionError("ignores prefix", "coverage", run)
    signs = {
        (index, word.start): signs for index, word, signs in compared.missing() if index == place
    }
    if any(signs[place, one.start].near >= RELATED or _completes(one, compared) for one in run):
        return UnionError("uni-directional entailment", "coverage", run)
    others = [one for index, one in enumerate(compared.sources) if index != place]
    if any(_resembles(word, others) for word in _around(run, source)):
        return UnionError("lexically similar but different", "coverage", run)
    return UnionError("related new information", "coverage", run)


def _completes(word: FoundWord, compared: WordComparison) -> bool:
    """Whether a missing name belongs to one that the union has: "Francis" to "Harvey"."""
    source = compared.sources[word.sentence or 0]
    place = next(index for index, one in enumerate(source.words) if one.start == word.start)
    beside = source.words[max(0, place - 1) : place] + source.words[place + 1 : place + 2]
    return source.words[place].is_name and any(
        one.text[:1].isupper() and one.concept in compared.union.places for one in beside
    )


def _around(run: Sequence[FoundWord], source: Wording) -> list[ContentWord]:
    """The words of a run and one on either side."""
    starts = {one.start for one in run}
    inside = [index for index, word in enumerate(source.words) if word.start in starts]
    return list(source.words[max(0, inside[0] - 1) : inside[-1] + 2])


def _resembles(word: ContentWord, others: Sequence[Wording]) -> bool:
    return any(
        word.concept != known and derived(word.concept, known)
        for other in others
        for known in other.places
    )


def _attached(sources: Sequence[str], union: str) -> Iterator[tuple[FoundWord, FoundWord]]:
    """Neighbours of which one is a name or number and which stand together in no source.

    Both are in the sources, but in different ones only.
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
            yield _as_found(first), _as_found(second)


def _repeated(
    compared: WordComparison, found: Sequence[FoundWord], union: str
) -> Iterator[UnionError]:
    """Repetitions: of something less exact if the words differ and only one comes with a name."""
    likely = {one.start for one in found}
    same = {
        word.start: signs.same for word, _, signs in compared.repeated() if word.start in likely
    }
    for run in _runs(found, [union]):
        other = not all(same.get(one.start, True) for one in run)
        kind: Kind = "uni-directional entailment" if other and len(run) == 1 else "paraphrase"
        yield UnionError(kind, "redundancy", run)


def _runs(found: Sequence[FoundWord], texts: Sequence[str]) -> Iterator[tuple[FoundWord, ...]]:
    """Words that follow each other among the content words of their text."""
    for sentence, words in groupby(found, key=lambda one: one.sentence):
        known = {word.start: n for n, word in enumerate(wording(texts[sentence or 0]).words)}
        ordered = sorted(words, key=lambda one: one.start)
        for _, run in groupby(enumerate(ordered), key=lambda pair: known[pair[1].start] - pair[0]):
            yield tuple(one for _, one in run)


def _as_found(word: ContentWord) -> FoundWord:
    return FoundWord(word.start, word.end, word.text, 1.0)
