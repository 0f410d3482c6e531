"""Fit of a page to its text: relatedness to other pages, and word senses by context."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate, normal_form
from tatian.mentions.models.choices import TYPES, encode, page_vector
from tatian.mentions.models.ranked.options import AnalysedText, Linkable, Vectors

Related = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]
_LINKS_AT_ONCE = 1 << 20
"""Maximum number of links compared at once, since some pages of an encyclopedia have very many."""


def relatedness(base: KnowledgeBase, ones: Sequence[int], others: Sequence[int]) -> Related:
    """Return relatedness with a row for each page of `ones`, a column for each of `others`."""
    rows = [base.inlinks(page) for page in ones]
    columns = [base.inlinks(other) for other in others]
    if not rows or not columns:
        return np.zeros((len(rows), len(columns)))
    shared = _count_shared(rows, columns)
    related = _relate(shared, _sizes(rows), _sizes(columns), max(len(base), 2))
    related[np.array(ones)[:, None] == np.array(others)] = 1.0
    return related


def _sizes(lists: Sequence[Ids]) -> npt.NDArray[np.int64]:
    return np.array([len(links_of_page) for links_of_page in lists], dtype=np.int64)


def _count_shared(rows: Sequence[Ids], columns: Sequence[Ids]) -> npt.NDArray[np.int64]:
    """Count the links that each pair of lists has in common."""
    universe = np.unique(np.concatenate(rows))
    shared = np.zeros((len(rows), len(columns)), dtype=np.int64)
    if not len(universe):
        return shared
    within = [np.searchsorted(universe, row) for row in rows]
    marked = np.zeros(len(universe), dtype=bool)
    for first, last in _split_ranges(columns):
        links = np.concatenate(columns[first:last])
        owner = np.repeat(np.arange(last - first), _sizes(columns[first:last]))
        place = np.minimum(np.searchsorted(universe, links), len(universe) - 1)
        present = universe[place] == links
        place, owner = place[present], owner[present]
        for number, row in enumerate(within):
            marked[row] = True
            shared[number, first:last] = np.bincount(owner[marked[place]], minlength=last - first)
            marked[row] = False
    return shared


def _split_ranges(lists: Sequence[Ids]) -> Iterator[tuple[int, int]]:
    """Yield ranges of lists with at most `_LINKS_AT_ONCE` links, or of a single longer list."""
    first = total = 0
    for last, links_of_page in enumerate(lists):
        if last > first and total + len(links_of_page) > _LINKS_AT_ONCE:
            yield first, last
            first, total = last, 0
        total += len(links_of_page)
    yield first, len(lists)


def _relate(
    shared: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    pages: int,
) -> Related:
    """Return the relatedness of Milne and Witten (2008), from numbers of in-links."""
    few = np.minimum(rows[:, None], columns)
    many = np.maximum(rows[:, None], columns)
    linked = shared > 0
    related = np.zeros(shared.shape)
    distance = np.log(many[linked]) - np.log(shared[linked])
    spread = np.log(pages) - np.log(few[linked])
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.clip(1 - distance / spread, 0.0, 1.0)
    related[linked] = np.where(spread > 0, near, distance == 0)
    return related


Columns = npt.NDArray[np.float64]
Place = tuple[int, int]
Ranking = list[tuple[float, int, Linkable]]
"""Pages of one place: likelihood, number of the page, phrase; the likeliest first."""


class SenseWeights(Struct, frozen=True):
    """Weight of each kind of evidence for a sense, in log odds."""

    ranker: float = 0.0
    """Weight of the ranker's log odds."""
    prior: float = 0.0
    """Weight of the logarithm of the sense's commonness."""
    rarest: float = 0.1
    """Smoothing added to a sense's commonness before taking the logarithm."""
    sentence: float = 0.0
    """Weight of the similarity of the page's description to the sentence."""
    passage: float = 0.0
    """Weight of the similarity of the page's description to the sentences around it."""
    related: float = 0.0
    """Weight of the relatedness to the most related supporting link."""
    linked: float = 0.0
    """Weight of a link between the page and a supporting one."""
    type: float = 0.0
    """Weight of agreement with the type of the name, or of a different type."""


WITH_VECTORS = SenseWeights(ranker=1.0, passage=1.0, related=0.3, linked=0.5)
"""Weights for a base with vectors, which the ranker has used."""
WITHOUT_VECTORS = SenseWeights(prior=0.6, sentence=12.0, related=2.0, linked=1.0, type=0.6)
"""Weights for a base without vectors, where the ranker knows nothing of the descriptions."""
_MAX_MASKED_CHARACTERS = 60
"""Maximum number of characters on each side of a phrase whose sentence is encoded without it."""
_MIN_SUPPORT = 0.7
"""Minimum likelihood of links that are evidence for others."""
_MIN_SINGLE_SUPPORT = 0.3
"""Minimum likelihood of links that are evidence for others, for terms with a single sense."""
_MIN_CONTESTED = 0.1
"""Minimum likelihood of the best sense for which senses are compared."""
_CLEAR_PRIOR = 0.8
"""Commonness from which a sense is clear in datelines and modifiers."""
_MIN_LIKELIHOOD = 1e-3
_MAX_LIKELIHOOD = 0.95
_MIN_TOPIC_SIMILARITY = 0.3
"""Minimum similarity of a general term's description to the topic for which it is topical."""
_MIN_TOPICAL_LIKELIHOOD = 0.25
"""Minimum likelihood that a topical term is raised to."""
_MIN_RAISED_LIKELIHOOD = 0.05
"""Likelihood below which a topical term is not raised."""
_MAX_SPECIAL_SLACK = 0.05
"""Maximum by which a special page may be less similar to the sentence than the general one."""
_ARTICLE_REACH = 12
_DEFINITE = re.compile(r"(?:\b(?:the|its|their|his|her|our)|['’]s)\s+\Z", re.IGNORECASE)
_COMPLEMENT = re.compile(r"\s+(?:of|on|for|against|in)\b")
_PREDICATE = re.compile(r"^.*?\b(?:is|was|are|were) (?:an? |the )?")
"""Beginning of a description, up to its predicate."""
_MAX_INLINKS = 2000
"""Number of in-links above which a link to a page is uninformative."""


class SenseRanker:
    """Ranking of the pages of ambiguous phrases by the content of a document."""

    def __init__(
        self, analysis: AnalysedText, base: KnowledgeBase, topic: str = "", *, encoder: bool = True
    ) -> None:
        self._analysis = analysis
        self._topic = topic
        self._base = base
        self._encoder = encoder
        self._has_vectors = base.info().counts.vectors > 0
        self._weights = WITH_VECTORS if self._has_vectors else WITHOUT_VECTORS
        self._sentence = cache(self._sentence_vectors)

    def ranked(self, places: Mapping[Place, Ranking]) -> dict[Place, Ranking]:
        """Return the places with their pages ranked by their fit to the text."""
        supporting = {
            place: ranking[0][2].pages[ranking[0][1]]
            for place, ranking in places.items()
            if self._is_support(ranking)
        }
        ranked = {}
        for place, ranking in places.items():
            if possible := self._drop_impossible(place, ranking):
                possible = self._raise_topical(possible)
                contested = self._is_contested(place, possible)
                ranked[place] = self._rerank(place, possible, supporting) if contested else possible
        return ranked

    def _raise_topical(self, ranking: Ranking) -> Ranking:
        """Raise the likelihood of a rarely linked general term that is near the topic."""
        likelihood, number, phrase = ranking[0]
        page = phrase.pages[number]
        in_doubt = _MIN_RAISED_LIKELIHOOD <= likelihood < _MIN_TOPICAL_LIKELIHOOD
        doubtful = in_doubt and page.kind == "concept"
        if not (doubtful and self._topic.strip() and self._encoder) or self._has_vectors:
            return ranking
        vector, topic = page_vector(self._base, page.id), encode(self._topic)
        if vector is None or topic is None or float(vector @ topic) < _MIN_TOPIC_SIMILARITY:
            return ranking
        return [(_MIN_TOPICAL_LIKELIHOOD, number, phrase), *ranking[1:]]

    def _is_contested(self, place: Place, ranking: Ranking) -> bool:
        """Return whether there are several senses and none is clear."""
        likelihood, number, phrase = ranking[0]
        if len(ranking) == 1 or likelihood < _MIN_CONTESTED or phrase.form == "surname":
            return False
        if phrase.pages[number].prior < _CLEAR_PRIOR:
            return True
        dateline = self._analysis.text[slice(*place)].isupper()
        return not (dateline or self._analysis.modifies(*place))

    def _drop_impossible(self, place: Place, ranking: Ranking) -> Ranking:
        """Drop pages specific to a place, unless the phrase is definite."""
        pages = [phrase.pages[number] for _, number, phrase in ranking]
        if all(page.prior for page in pages):
            return ranking
        definite = self._is_definite(place)
        return [
            option
            for option, page in zip(ranking, pages, strict=True)
            if page.prior or (definite and is_special(page, option[2].term))
        ]

    def _is_support(self, ranking: Ranking) -> bool:
        """Return whether a link is likely enough to be evidence for others."""
        if len(ranking) == 1:
            return ranking[0][0] >= _MIN_SINGLE_SUPPORT
        return self._has_vectors and ranking[0][0] >= _MIN_SUPPORT

    def _rerank(
        self, place: Place, ranking: Ranking, supporting: Mapping[Place, Candidate]
    ) -> Ranking:
        pages = [phrase.pages[number] for _, number, phrase in ranking]
        ids = [page.id for page in pages]
        others = sorted(
            {
                page.id
                for other, page in supporting.items()
                if (other[1] <= place[0] or place[1] <= other[0]) and page.id not in ids
            }
        )
        weights = self._weights
        prior = np.array([page.prior for page in pages])
        likelihoods = [likelihood for likelihood, _, _ in ranking]
        odds = np.clip(likelihoods, _MIN_LIKELIHOOD, 1 - _MIN_LIKELIHOOD)
        score = weights.ranker * np.log(odds / (1 - odds))
        score += weights.prior * np.log(prior + weights.rarest)
        score += weights.related * relatedness(self._base, ids, others).max(axis=1, initial=0.0)
        score += weights.linked * np.array([self._is_linked(page, others) for page in ids])
        score += weights.type * np.array([self._type_agreement(page, place) for page in pages])
        similar = self._similarities(place, ids)
        score += weights.sentence * similar[0] + weights.passage * similar[1]
        special = np.array([is_special(page, ranking[0][2].term) for page in pages])
        if special.any() and not special.all():
            general = int(np.where(special, -np.inf, score).argmax())
            fits = similar[0] >= similar[0, general] - _MAX_SPECIAL_SLACK
            score = np.where(special, score[general] + np.where(fits, similar[0] + 1, -9.0), score)
        likeliest = self._likelihood(ranking)
        fit = np.exp(score - score.max()) * likeliest
        weighed = [
            (float(likelihood), number, phrase)
            for likelihood, (_, number, phrase) in zip(fit, ranking, strict=True)
        ]
        return sorted(weighed, key=lambda option: (-option[0], option[1]))

    def _likelihood(self, ranking: Ranking) -> float:
        """Return the likelihood of the best sense; without vectors, that of any sense."""
        if self._has_vectors:
            return ranking[0][0]
        return min(_MAX_LIKELIHOOD, sum(likelihood for likelihood, _, _ in ranking))

    def _is_definite(self, place: Place) -> bool:
        """Return whether a phrase is definite and complete, unlike "the war on drugs"."""
        analysis = self._analysis
        before = analysis.text[max(0, place[0] - _ARTICLE_REACH) : place[0]]
        if not _DEFINITE.search(before) or _COMPLEMENT.match(analysis.text, place[1]):
            return False
        return not analysis.modifies(*place)

    def _is_linked(self, page: int, others: Sequence[int]) -> bool:
        """Return whether a page links to one of `others` or the reverse, except for hubs."""
        sources = self._base.inlinks(page)
        if len(sources) <= _MAX_INLINKS and np.isin(others, sources).any():
            return True
        return any(
            len(linking := self._base.inlinks(other)) <= _MAX_INLINKS and page in linking
            for other in others
        )

    def _type_agreement(self, page: Candidate, place: Place) -> float:
        """Return 1 if the page has the type of the analysed name, -1 if another, 0 if unknown."""
        name = self._analysis.name_over(*place)
        kind = self._analysis.name_types[name] if name else ""
        page_type = TYPES[page.kind]
        if kind not in TYPES.values() or not kind:
            return 0.0
        return 1.0 if page_type == kind else -1.0 if page_type else 0.0

    def _similarities(self, place: Place, pages: Sequence[int]) -> Columns:
        """Return each page's similarity to sentence and passage, centred on the mean."""
        similarities = np.zeros((2, len(pages)))
        number = self._analysis.sentence_of(place[0])
        if not self._encoder or number < 0:
            return similarities
        vectors = [self._vector(page) for page in pages]
        with_vector = [index for index, vector in enumerate(vectors) if vector is not None]
        if len(with_vector) > 1:
            masked = not self._has_vectors
            context = self._masked_vectors(number, place) if masked else self._sentence(number)
            similar = context @ np.array([vectors[index] for index in with_vector]).T
            similarities[:, with_vector] = similar - similar.mean(axis=1, keepdims=True)
        return similarities

    def _vector(self, page: int) -> Vectors | None:
        """Return the page's vector in the base, or that of its description without vectors."""
        if self._has_vectors:
            return self._base.vector(page)
        entity = self._base.entity(page)
        return encode(_PREDICATE.sub("", entity.description, count=1)) if entity else None

    def _masked_vectors(self, number: int, place: Place) -> Vectors:
        """Return the vector of a sentence without the phrase, and a vector of zeros."""
        sentence = self._analysis.sentences[number]
        before = self._analysis.text[sentence.start : place[0]]
        after = self._analysis.text[place[1] : sentence.end]
        if len(before) > _MAX_MASKED_CHARACTERS:
            before = before[-_MAX_MASKED_CHARACTERS:].partition(" ")[2]
        if len(after) > _MAX_MASKED_CHARACTERS:
            after = after[:_MAX_MASKED_CHARACTERS].rpartition(" ")[0]
        from tatian.analysis.meaning import vectors

        vector = vectors([f"{before}it{after}"], threads=1)[0]
        return np.array([vector, np.zeros_like(vector)])

    def _sentence_vectors(self, number: int) -> Vectors:
        """Return the vectors of a sentence and of the passage around it with the topic."""
        from tatian.analysis.meaning import vectors

        around = self._analysis.around(number)
        near = [sentence.of(self._analysis.text) for sentence in self._analysis.sentences[around]]
        rows = vectors(near)
        passage = rows.mean(axis=0)
        if self._topic.strip():
            passage = (passage + vectors([self._topic])[0]) / 2
        return np.array([rows[number - around.start], passage])


def is_special(page: Candidate, term: str) -> bool:
    """Return whether a page was added to a general term because of a place."""
    return page.prior == 0 and term in normal_form(page.title)
