"""Features of the ranker: one row of numbers for each phrase and page.

Unknown values (no tags, no vectors, no topic) are NaN, as in training.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate, normal_form
from tatian.mentions.models.choices import TYPES
from tatian.mentions.models.ranked.coherence import Columns, relatedness
from tatian.mentions.models.ranked.options import AnalysedText, Linkable

Row = list[float]
Matrix = npt.NDArray[np.float32]
NAN = float("nan")

PHRASE = (
    "link_probability linked seen words characters plural derived surname capital upper_case "
    "begins_sentence capitals_in_text head_propn head_noun head_verb head_adj first_det first_adj "
    "argument is_name in_name over_name name_per name_loc name_org longer likelier_longer "
    "likelier_across pages compound modifier noun_follows after_det after_modifier times "
    "before among"
).split()
PAGE = (
    "prior count rank titled base_titled qualified proper inlinks described is_per is_loc is_org "
    "type_agrees type_differs similar_sentence similar_passage similar_topic nearest_sentence "
    "nearest_passage vote best_vote nearest_vote lead topic_vote special named_before"
).split()
FEATURES = (*PHRASE, *PAGE)
_BEFORE_NAMES = 7
"""Number of syntactic features that come before those of names."""


_MAX_VOTERS = 25
_MAX_PAGES = 3
_MIN_WEIGHT = 0.02
"""Minimum weight of a vote, so that a term that was never linked has a small one."""


class Votes:
    """Votes of the likeliest links of a passage and its topic on the passage's pages."""

    def __init__(
        self, passage: Sequence[Linkable], topic: Sequence[Linkable], base: KnowledgeBase
    ) -> None:
        voters, topic_voters = _voters((*passage, *topic)), _voters(topic)
        self._column: dict[int, int] = {}
        for phrase in passage:
            for page in phrase.pages:
                self._column.setdefault(page.id, len(self._column))
        self._row = {voter.term: row for row, voter in enumerate(voters)}
        self._weights = np.array([max(voter.link_probability, _MIN_WEIGHT) for voter in voters])
        pages = [page for voter in voters for page in voter.pages[:_MAX_PAGES]]
        leading = [voter.pages[0].id for voter in topic_voters]
        related = relatedness(base, [*(page.id for page in pages), *leading], [*self._column])
        self._best_votes = _best_votes(related[: len(pages)], pages, voters)
        self._topic = related[len(pages) :].max(axis=0) if leading else None
        full_names = (voter.pages[0] for voter in voters if " " in voter.term)
        self._named = {page.id for page in full_names if page.prior > 0.5}

    def of(self, pages: Sequence[Candidate], term: str) -> Columns:
        """Return mean and best vote for each page of a term, which has no vote itself."""
        votes = self._best_votes[:, self._columns(pages)]
        weights = self._weights
        own_row = self._row.get(term)
        if own_row is not None:
            votes = np.delete(votes, own_row, axis=0)
            weights = np.delete(weights, own_row)
        if not len(weights):
            return np.zeros((len(pages), 2))
        return np.column_stack((weights @ votes / weights.sum(), votes.max(axis=0)))

    def of_topic(self, pages: Sequence[Candidate]) -> Columns:
        """Return the relatedness of each page to the topic's nearest page; NaN without a topic."""
        if self._topic is None:
            return np.full(len(pages), np.nan)
        related: Columns = self._topic[self._columns(pages)]
        return related

    def named(self, page: Candidate) -> bool:
        """Return whether the passage has the page's full name."""
        return page.id in self._named

    def _columns(self, pages: Sequence[Candidate]) -> list[int]:
        return [self._column[page.id] for page in pages]


def _best_votes(
    related: Columns, pages: Sequence[Candidate], voters: Sequence[Linkable]
) -> Columns:
    """Return each voter's best vote: the relatedness of one of its pages times its commonness."""
    if not voters:
        return related
    firsts = np.cumsum([0, *(len(voter.pages[:_MAX_PAGES]) for voter in voters[:-1])])
    by_prior = related * np.array([[page.prior] for page in pages])
    best: Columns = np.maximum.reduceat(by_prior, firsts, axis=0)
    return best


def _voters(phrases: Iterable[Linkable]) -> list[Linkable]:
    """Return one phrase of each term, the likeliest links first."""
    distinct: dict[str, Linkable] = {}
    for phrase in phrases:
        if phrase.pages:
            distinct.setdefault(phrase.term, phrase)
    ranked = sorted(
        distinct.values(),
        key=lambda phrase_of_term: (-phrase_of_term.link_probability, phrase_of_term.start),
    )
    return ranked[:_MAX_VOTERS]


class Recurrence(NamedTuple):
    """Counts of a phrase's term, and of phrases, in the text."""

    times: int
    """Occurrences of its term in the passage."""
    before: int
    """Earlier occurrences in the text, since annotators may link a term only once."""
    among: int
    """Number of phrases in the passage, since a smaller share of a long text is linked."""


class Context(NamedTuple):
    """Vectors that a page's vector is compared with; None if missing."""

    sentence: npt.NDArray[np.float32] | None
    passage: npt.NDArray[np.float32] | None
    topic: npt.NDArray[np.float32] | None


def rows(
    phrase: Linkable,
    neighbours: Sequence[Linkable],
    recurrence: Recurrence,
    analysis: AnalysedText,
    base: KnowledgeBase,
    context: Context,
    votes: Votes,
) -> Matrix:
    """Return one row for each page of a phrase; `neighbours` are the phrases that overlap it."""
    name = analysis.name_over(phrase.start, phrase.end)
    kind = analysis.name_types[name] if name else ""
    syntax = _syntax_features(phrase, analysis)
    of_phrase = _phrase_features(phrase, neighbours, recurrence, analysis, base, name, kind, syntax)
    of_pages = [_page_features(i, page, phrase, base, kind) for i, page in enumerate(phrase.pages)]
    similarities = _similarities(phrase.pages, base, context)
    vote_features = votes.of(phrase.pages, phrase.term)
    leads_of_votes = vote_features[:, 0] - vote_features[:, 0].max()
    vote_features = np.column_stack((vote_features, leads_of_votes))
    topic_votes = votes.of_topic(phrase.pages)
    leads = _prior_leads(phrase.pages)
    return np.array(
        [
            [
                *of_phrase,
                *of_pages[index],
                *similarities[index],
                *vote_features[index],
                leads[index],
                topic_votes[index],
                float(page.prior == 0),
                float(votes.named(page)),
            ]
            for index, page in enumerate(phrase.pages)
        ],
        dtype=np.float32,
    )


def _phrase_features(
    phrase: Linkable,
    neighbours: Sequence[Linkable],
    recurrence: Recurrence,
    analysis: AnalysedText,
    base: KnowledgeBase,
    name: tuple[int, int] | None,
    kind: str,
    syntax: Row,
) -> Row:
    start, end = phrase.start, phrase.end
    surface = analysis.text[start:end]
    linked, seen = base.counts_of(phrase.number)
    sentence = analysis.sentence_of(start)
    is_inside = name is not None and name[0] <= start and end <= name[1]
    outer_phrases = [other for other in neighbours if other.start <= start and end <= other.end]
    length = phrase.term.count(" ") + 1
    counts = math.log1p(linked), math.log1p(seen)
    link_features = (phrase.link_probability, *counts) if seen else [NAN] * 3
    return [
        *link_features,
        length,
        end - start,
        phrase.form == "plural",
        phrase.form == "derived",
        phrase.form == "surname",
        surface[:1].isupper(),
        surface.isupper(),
        start <= analysis.sentences[sentence].start + 1 if sentence >= 0 else NAN,
        analysis.capitals,
        *syntax[:_BEFORE_NAMES],
        name == (start, end),
        is_inside and name != (start, end),
        name is not None,
        kind == "PER",
        kind == "LOC",
        kind == "ORG",
        max((outer.term.count(" ") + 1 - length for outer in outer_phrases), default=0),
        max((outer.link_probability for outer in outer_phrases), default=0.0),
        max((neighbour.link_probability for neighbour in neighbours), default=0.0),
        len(phrase.pages),
        *syntax[_BEFORE_NAMES:],
        *(math.log1p(number) for number in recurrence),
    ]


def _syntax_features(phrase: Linkable, analysis: AnalysedText) -> Row:
    if not analysis.tags:
        return [NAN] * 12
    first, last = analysis.tokens_of(phrase.start, phrase.end)
    tags = analysis.tags
    head = tags[analysis.head_of(first, last)]
    before = tags[first - 1].tag if first else ""
    after = tags[last + 1].tag if last + 1 < len(tags) else ""
    return [
        head.tag == "PROPN",
        head.tag == "NOUN",
        head.tag == "VERB",
        head.tag == "ADJ",
        tags[first].tag == "DET",
        tags[first].tag == "ADJ",
        head.relation in {"nsubj", "obj", "obl", "nmod", "conj", "appos"},
        head.relation == "compound",
        head.relation == "amod",
        after in {"NOUN", "PROPN"} and head.head > last,
        before == "DET",
        before in {"ADJ", "NOUN", "PROPN"},
    ]


def _page_features(
    index: int, page: Candidate, phrase: Linkable, base: KnowledgeBase, kind: str
) -> Row:
    inlinks, described = base.standing(page.id)
    page_type = TYPES[page.kind]
    name = page.title.partition(" (")[0]
    after_first = page.title[1:]
    return [
        page.prior,
        math.log1p(page.count),
        index,
        normal_form(page.title) == phrase.term,
        normal_form(name) == phrase.term,
        name != page.title,
        after_first != after_first.lower(),
        math.log1p(inlinks),
        described,
        page_type == "PER",
        page_type == "LOC",
        page_type == "ORG",
        bool(page_type) and page_type == kind,
        bool(page_type) and bool(kind) and page_type != kind,
    ]


def _similarities(
    pages: Sequence[Candidate], base: KnowledgeBase, context: Context
) -> npt.NDArray[np.float32]:
    """Return each page's similarity to sentence, passage and topic, and its gap to the best."""
    similarities = np.full((len(pages), 5), np.nan, dtype=np.float32)
    for index, page in enumerate(pages):
        vector = base.vector(page.id)
        if vector is None:
            continue
        for column, other in enumerate(context):
            if other is not None:
                similarities[index, column] = vector @ other
    for column in (0, 1):
        if not np.isnan(similarities[:, column]).all():
            best = np.nanmax(similarities[:, column])
            similarities[:, 3 + column] = similarities[:, column] - best
    return similarities


def _prior_leads(pages: Sequence[Candidate]) -> list[float]:
    """Return the lead of the first page's prior, and the gap of the others to it."""
    first = pages[0].prior
    second = pages[1].prior if len(pages) > 1 else 0.0
    return [first - second] + [page.prior - first for page in pages[1:]]
