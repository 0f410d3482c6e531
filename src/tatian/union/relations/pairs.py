"""Selection of related sentences of different reports of one event, for annotation (§4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from tatian.analysis.installed import unavailable
from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.text import CHAINS, Document, Span
from tatian.text.documents import Passage
from tatian.union.data import Origin, Relatedness, UnionInstance
from tatian.union.relations.fitness import (
    Content,
    SentenceOverlap,
    consolidation_probability,
    content_of,
    judge,
)

EVENTS = frozenset(("ACT", "NEG"))
"""Types of event chains in ECB+."""


class PairChoice(Struct, frozen=True):
    """Criteria for pairs that are worth an annotator's time."""

    least: float = 0.5
    """Minimum probability that the sentences share something to consolidate."""
    least_meaning: float = 0.0
    """Minimum cosine similarity of their vectors."""
    least_events: int = 0
    """Minimum number of gold event chains that they share."""
    most: int = 3
    """Maximum number of pairs of a sentence, of which the best are kept."""
    shortest: int = 4
    longest: int = 60
    """Maximum number of words of a sentence; `shortest` is the least."""
    only_fit: bool = False
    """True to drop pairs that are unfit for a union."""

    def __post_init__(self) -> None:
        if not 0 <= self.least <= 1 or not -1 <= self.least_meaning <= 1:
            raise InputError("thresholds are probabilities and cosines: they must be from 0 to 1")
        if self.most < 1:
            raise InputError("each sentence must be allowed in at least 1 pair")
        if self.longest < self.shortest:
            message = (
                f"the longest sentence, {self.longest} words, would be shorter than the shortest"
            )
            raise InputError(f"{message}, {self.shortest}")


class PairCandidate(Struct, frozen=True):
    """A sentence of a report."""

    passage: Passage
    number: int
    """Number of the sentence in the report, from 1."""
    text: str
    """The sentence on one line."""
    content: Content
    events: frozenset[str]


Prepare = Callable[[Document], Document]


def related_pairs(
    clusters: Iterable[Sequence[Document]],
    *,
    prepare: Prepare,
    choice: PairChoice | None = None,
    progress: Progress = silent,
) -> Iterator[UnionInstance]:
    """Yield pairs of sentences of different documents of a cluster, the best of each cluster first.

    `prepare` fills the layers that are read: ``tatian.Pipeline.for_sentences().process``. Identical
    sentences make no pair. One cluster is held in memory at a time.
    """
    choice = choice or PairChoice()
    for cluster in clusters:
        yield from _find_pairs(cluster, prepare, choice, progress)


def _find_pairs(
    cluster: Sequence[Document], prepare: Prepare, choice: PairChoice, progress: Progress
) -> Iterator[UnionInstance]:
    reports = []
    for done, document in enumerate(cluster, 1):
        reports.append(list(find_candidates(prepare(document), choice)))
        progress("reading reports", done, len(cluster))
    likely = list(_preselect(reports, choice))
    meaning = _load_similarity(likely)
    scored = []
    for first, second in likely:
        cosine = meaning(first.text, second.text)
        overlap = first.content.overlap(second.content, cosine)
        related = _relate(first, second, overlap)
        if related.chance >= choice.least and (cosine or 0.0) >= choice.least_meaning:
            scored.append((related, first, second, overlap))
    scored.sort(key=lambda pair: (-pair[0].chance, -pair[0].words, _pair_id(pair[1], pair[2])))
    yield from _select_pairs(scored, choice)


def find_candidates(document: Document, choice: PairChoice) -> Iterator[PairCandidate]:
    """Yield the sentences of a report that are neither too short nor too long."""
    chains = document.get(CHAINS) if document.has(CHAINS) else ()
    prefix = f"{document.id}#"
    events = [
        (chain.id, mention)
        for chain in chains
        if chain.type in EVENTS and not chain.id.startswith(prefix)
        for mention in chain.mentions
    ]
    for number, sentence in enumerate(document.sentences, 1):
        text = " ".join(sentence.of(document.text).split())
        if not choice.shortest <= len(text.split()) <= choice.longest:
            continue
        passage = Passage(document, Span(sentence.start, sentence.end))
        inside = frozenset(chain for chain, mention in events if sentence.contains(mention))
        yield PairCandidate(passage, number, text, content_of(passage), inside)


def _preselect(
    reports: Sequence[Sequence[PairCandidate]], choice: PairChoice
) -> Iterator[tuple[PairCandidate, PairCandidate]]:
    """Yield pairs that share enough words, assuming equal meaning; each pair of texts once."""
    seen: set[frozenset[str]] = set()
    for place, report in enumerate(reports):
        for first in report:
            for second in (candidate for other in reports[place + 1 :] for candidate in other):
                if len(first.events & second.events) < choice.least_events:
                    continue
                most = first.content.overlap(second.content, None if unavailable() else 1.0)
                if consolidation_probability(most) < choice.least or first.text == second.text:
                    continue
                texts = frozenset((first.text, second.text))
                if texts not in seen:
                    seen.add(texts)
                    yield first, second


def _load_similarity(
    pairs: Sequence[tuple[PairCandidate, PairCandidate]],
) -> Callable[[str, str], float | None]:
    """Return a function for the cosine similarity of two sentences of the pairs."""
    if unavailable() or not pairs:
        return lambda first, second: None
    from tatian.analysis import vectors

    texts = list(dict.fromkeys(candidate.text for pair in pairs for candidate in pair))
    row = {text: place for place, text in enumerate(texts)}
    rows = vectors(texts)
    return lambda first, second: float(rows[row[first]] @ rows[row[second]])


def _relate(first: PairCandidate, second: PairCandidate, overlap: SentenceOverlap) -> Relatedness:
    return Relatedness(
        chance=round(consolidation_probability(overlap), 4),
        words=overlap.words,
        names=overlap.names,
        meaning=None if overlap.meaning is None else round(overlap.meaning, 4),
        events=len(first.events & second.events),
    )


def _select_pairs(
    scored: Iterable[tuple[Relatedness, PairCandidate, PairCandidate, SentenceOverlap]],
    choice: PairChoice,
) -> Iterator[UnionInstance]:
    """Yield the best pairs first, until their sentences have been used often enough."""
    used: Counter[tuple[str, int]] = Counter()
    for related, first, second, overlap in scored:
        keys = [(candidate.passage.document.id, candidate.number) for candidate in (first, second)]
        if any(used[key] >= choice.most for key in keys):
            continue
        if choice.only_fit:
            fitness = judge(first.passage, second.passage, overlap=overlap, thorough=False)
            if not fitness.fit:
                continue
        used.update(keys)
        yield UnionInstance(
            id=_pair_id(first, second),
            sentences=(first.text, second.text),
            date=_shared_date(first, second),
            sources=tuple(_locate(candidate) for candidate in (first, second)),
            relatedness=related,
        )


def _pair_id(first: PairCandidate, second: PairCandidate) -> str:
    return " + ".join(f"{side.passage.document.id}:{side.number}" for side in (first, second))


def _locate(candidate: PairCandidate) -> Origin:
    span = candidate.passage.span
    return Origin(span.start, span.end, candidate.passage.document.id)


def _shared_date(first: PairCandidate, second: PairCandidate) -> str | None:
    """Return the day of publication if both sentences have the same, else None."""
    dates = {candidate.passage.document.metadata.date for candidate in (first, second)}
    return dates.pop() if len(dates) == 1 else None
