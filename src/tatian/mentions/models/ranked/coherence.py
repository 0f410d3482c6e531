"""How well a page fits the other pages of a passage: votes by relatedness, as TagMe takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate
from tatian.mentions.models.ranked.options import Linkable

Related = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]
_TOGETHER = 1 << 20
"""Links looked at together; the most linked pages of a whole encyclopedia have many."""


def relatedness(base: KnowledgeBase, ones: Sequence[int], others: Sequence[int]) -> Related:
    """A row for each page of `ones`, a column for each of `others`."""
    rows = [base.inlinks(one) for one in ones]
    columns = [base.inlinks(other) for other in others]
    if not rows or not columns:
        return np.zeros((len(rows), len(columns)))
    related = _related(_shared(rows, columns), _sizes(rows), _sizes(columns), max(len(base), 2))
    related[np.array(ones)[:, None] == np.array(others)] = 1.0
    return related


def _sizes(lists: Sequence[Ids]) -> npt.NDArray[np.int64]:
    return np.array([len(one) for one in lists], dtype=np.int64)


def _shared(rows: Sequence[Ids], columns: Sequence[Ids]) -> npt.NDArray[np.int64]:
    """How many links each pair of lists has in common."""
    universe = np.unique(np.concatenate(rows))
    shared = np.zeros((len(rows), len(columns)), dtype=np.int64)
    if not len(universe):
        return shared
    within = [np.searchsorted(universe, row) for row in rows]
    marked = np.zeros(len(universe), dtype=bool)
    for first, last in _stretches(columns):
        links = np.concatenate(columns[first:last])
        owner = np.repeat(np.arange(last - first), _sizes(columns[first:last]))
        place = np.minimum(np.searchsorted(universe, links), len(universe) - 1)
        known = universe[place] == links
        place, owner = place[known], owner[known]
        for number, row in enumerate(within):
            marked[row] = True
            shared[number, first:last] = np.bincount(owner[marked[place]], minlength=last - first)
            marked[row] = False
    return shared


def _stretches(lists: Sequence[Ids]) -> Iterator[tuple[int, int]]:
    """Consecutive lists that have no more than so many links together, or one that has more."""
    first = total = 0
    for last, one in enumerate(lists):
        if last > first and total + len(one) > _TOGETHER:
            yield first, last
            first, total = last, 0
        total += len(one)
    yield first, len(lists)


def _related(
    shared: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    pages: int,
) -> Related:
    """Milne and Witten (2008): one less the normalised distance of two sets of in-links."""
    few = np.minimum(rows[:, None], columns)
    many = np.maximum(rows[:, None], columns)
    some = shared > 0
    related = np.zeros(shared.shape)
    distance = np.log(many[some]) - np.log(shared[some])
    spread = np.log(pages) - np.log(few[some])
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.clip(1 - distance / spread, 0.0, 1.0)
    related[some] = np.where(spread > 0, near, distance == 0)
    return related


Columns = npt.NDArray[np.float64]
_MOST_VOTERS = 25
_MOST_PAGES = 3
_LEAST_WEIGHT = 0.02
"""So that a term nothing ever linked has a small voice."""


class Votes:
    """The likeliest links of a passage and its topic, and how they vote on the passage's pages."""

    def __init__(
        self,
        passage: Sequence[Linkable],
        topic: Sequence[Linkable],
        base: KnowledgeBase,
    ) -> None:
        voters, about = _voters((*passage, *topic)), _voters(topic)
        self._column: dict[int, int] = {}
        for phrase in passage:
            for page in phrase.pages:
                self._column.setdefault(page.id, len(self._column))
        self._row = {voter.term: row for row, voter in enumerate(voters)}
        self._weights = np.array([max(one.link_probability, _LEAST_WEIGHT) for one in voters])
        pages = [page for voter in voters for page in voter.pages[:_MOST_PAGES]]
        leading = [voter.pages[0].id for voter in about]
        related = relatedness(base, [*(page.id for page in pages), *leading], [*self._column])
        self._votes = _votes(related[: len(pages)], pages, voters)
        self._topic = related[len(pages) :].max(axis=0) if leading else None
        self._named = {
            one.pages[0].id for one in voters if " " in one.term and one.pages[0].prior > 0.5
        }

    def of(self, pages: Sequence[Candidate], term: str) -> Columns:
        """The weighted mean and the best vote for each of `pages` as the meaning of `term`.

        A term has no vote on itself.
        """
        votes = self._votes[:, self._columns(pages)]
        weights = self._weights
        own = self._row.get(term)
        if own is not None:
            votes = np.delete(votes, own, axis=0)
            weights = np.delete(weights, own)
        if not len(weights):
            return np.zeros((len(pages), 2))
        return np.column_stack((weights @ votes / weights.sum(), votes.max(axis=0)))

    def of_topic(self, pages: Sequence[Candidate]) -> Columns:
        """The relatedness of each page to the nearest of the topic's; NaN without a topic."""
        if self._topic is None:
            return np.full(len(pages), np.nan)
        found: Columns = self._topic[self._columns(pages)]
        return found

    def named(self, page: Candidate) -> bool:
        """Whether the passage has the page's full name."""
        return page.id in self._named

    def _columns(self, pages: Sequence[Candidate]) -> list[int]:
        return [self._column[page.id] for page in pages]


def _votes(related: Columns, pages: Sequence[Candidate], voters: Sequence[Linkable]) -> Columns:
    """Each voter's best: the relatedness of one of its pages by how common it is."""
    if not voters:
        return related
    firsts = np.cumsum([0, *(len(one.pages[:_MOST_PAGES]) for one in voters[:-1])])
    by_prior = related * np.array([[page.prior] for page in pages])
    best: Columns = np.maximum.reduceat(by_prior, firsts, axis=0)
    return best


def _voters(phrases: Iterable[Linkable]) -> list[Linkable]:
    """One phrase of each term, the likeliest links first."""
    distinct: dict[str, Linkable] = {}
    for phrase in phrases:
        if phrase.pages:
            distinct.setdefault(phrase.term, phrase)
    ranked = sorted(distinct.values(), key=lambda one: (-one.link_probability, one.start))
    return ranked[:_MOST_VOTERS]
