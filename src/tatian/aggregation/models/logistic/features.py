"""The 15 features of a candidate, as TESA lists them (paper: Appendix C, thesis: §5.2.2).

Each is a function of the candidate and of the instance's words; its docstring quotes the list. A
"word" counts once, a "token" as often as it stands there; an entity without background information
takes no part in the intersection.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, get_args

from msgspec import Struct

from tatian.aggregation.models.logistic.instances import Bag, Texts
from tatian.errors import InputError

Source = Literal["frequency", "background", "context", "all"]
"""What a feature compares the candidate with."""
Measure = Literal["count", "overlap", "similarity"]
"""How it does so: repeats counted, words counted, or word vectors."""


class Candidate(Struct, frozen=True):
    """A phrase to be judged."""

    words: Bag
    frequency: int
    """How often it is gold in the training set."""


class Feature(Struct, frozen=True):
    """One number about a candidate."""

    name: str
    source: Source
    measure: Measure
    value: Callable[[Candidate, Texts], float]


FEATURES: list[Feature] = []
"""In the order of the papers' list."""

_Function = Callable[[Candidate, Texts], float]


def _feature(source: Source, measure: Measure) -> Callable[[_Function], _Function]:
    def listed(function: _Function) -> _Function:
        FEATURES.append(Feature(function.__name__, source, measure, function))
        return function

    return listed


@_feature("frequency", "count")
def frequency(candidate: Candidate, texts: Texts) -> float:
    """ "count of the "frequency" baseline" """
    return candidate.frequency


@_feature("background", "count")
def background_tokens(candidate: Candidate, texts: Texts) -> float:
    """ "number of common tokens (with repetition) between the candidate and the union of the
    entities' background information"
    """
    return _tokens(candidate, texts.background_union)


@_feature("background", "overlap")
def background_words(candidate: Candidate, texts: Texts) -> float:
    """ "size of the word overlap between a candidate and the union of the entities' background
    information"
    """
    return _words(candidate, texts.background_union)


@_feature("background", "overlap")
def shared_background_words(candidate: Candidate, texts: Texts) -> float:
    """ "size of the word overlap between a candidate and the intersection of the entities'
    background information"
    """
    return _words(candidate, texts.background_intersection)


@_feature("background", "count")
def entities_touched(candidate: Candidate, texts: Texts) -> float:
    """ "number of entities whose background information words are overlapping the candidate's
    words"
    """
    return sum(1 for words in texts.backgrounds if words & candidate.words.counts.keys())


@_feature("background", "similarity")
def background_similarity(candidate: Candidate, texts: Texts) -> float:
    """ "cosine similarity between the average token embeddings of the candidate and the union of
    the entities' background information"
    """
    return _cosine(candidate, texts.background_union)


@_feature("background", "similarity")
def shared_background_similarity(candidate: Candidate, texts: Texts) -> float:
    """ "cosine similarity between the average word embeddings of the candidate and the
    intersection of the entities' background information"
    """
    return _cosine(candidate, texts.background_intersection)


@_feature("context", "count")
def context_tokens(candidate: Candidate, texts: Texts) -> float:
    """ "number of common tokens (with repetition) between the candidate and the context" """
    return _tokens(candidate, texts.context)


@_feature("context", "overlap")
def context_words(candidate: Candidate, texts: Texts) -> float:
    """ "size of the word overlap between a candidate and the context" """
    return _words(candidate, texts.context)


@_feature("context", "similarity")
def context_similarity(candidate: Candidate, texts: Texts) -> float:
    """ "cosine similarity between the average token embeddings of the candidate and the
    context"
    """
    return _cosine(candidate, texts.context)


@_feature("all", "count")
def all_tokens(candidate: Candidate, texts: Texts) -> float:
    """ "number of common tokens (with repetition) between the candidate and the union of the
    entities' background information, the context, and the names of the entities"
    """
    return _tokens(candidate, texts.everything)


@_feature("all", "overlap")
def all_words(candidate: Candidate, texts: Texts) -> float:
    """ "size of the word overlap between a candidate and the union of the entities' background
    information, the context, and the names of the entities"
    """
    return _words(candidate, texts.everything)


@_feature("all", "overlap")
def context_or_shared_words(candidate: Candidate, texts: Texts) -> float:
    """ "size of the word overlap between a candidate and the union of the context and the
    intersection of the entities' background information"
    """
    return _words(candidate, texts.context_or_shared)


@_feature("all", "similarity")
def all_similarity(candidate: Candidate, texts: Texts) -> float:
    """ "cosine similarity between the average token embeddings of the candidate and the union of
    the entities' background information, the context, and the names of the entities"
    """
    return _cosine(candidate, texts.everything)


@_feature("all", "similarity")
def context_or_shared_similarity(candidate: Candidate, texts: Texts) -> float:
    """ "cosine similarity between the average word embeddings of the candidate and the union of
    the context and the intersection of the entities' background information"
    """
    return _cosine(candidate, texts.context_or_shared)


def groups() -> tuple[str, ...]:
    """What `without` can leave out as a whole."""
    return (*get_args(Source), *get_args(Measure))


def without(ablated: Collection[str]) -> tuple[Feature, ...]:
    """The features that remain when groups, or single features, are left out by name."""
    known = {*groups(), *(feature.name for feature in FEATURES)}
    for name in ablated:
        if name not in known:
            listed = ", ".join((*groups(), *(one.name for one in FEATURES[1:])))
            raise InputError(f"no group of features '{name}': there are {listed}")
    left = tuple(one for one in FEATURES if not {one.name, one.source, one.measure} & {*ablated})
    if not left:
        raise InputError(f"no feature is left without {', '.join(sorted(ablated))}")
    return left


def _tokens(candidate: Candidate, words: Bag) -> int:
    """How many tokens of a text are words of the candidate."""
    return sum(words.counts.get(word, 0) for word in candidate.words.counts)


def _words(candidate: Candidate, words: Bag) -> int:
    """How many words of the candidate stand in a text."""
    return len(candidate.words.counts.keys() & words.counts.keys())


def _cosine(candidate: Candidate, words: Bag) -> float:
    """How nearly the mean vectors point the same way; 0 where one has no known word."""
    return float(candidate.words.direction @ words.direction)
