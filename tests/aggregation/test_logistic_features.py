"""Each of TESA's 15 features against a value worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tatian.aggregation.data import Instance
from tatian.aggregation.models.logistic import FEATURES, CandidateWords, WordBags

from .published_examples import published_text
from .ranking_samples import PlaneVectors

WORDS = WordBags(PlaneVectors())
INSTANCE = Instance(
    "i",
    ("North Ada", "Bela", "Cleo"),
    "location",
    title="East of east",
    context="A city in the east.",
    background={
        "North Ada": "The poet of the north, the north.",
        "Bela": "A poet from the east.",
    },
    candidates=("north poet", "east city", "unheard of"),
)
TEXTS = WORDS.texts(INSTANCE)
# Background, stop words gone: [poet north north] and [poet east]; Cleo has none.
#   union poet:2 north:2 east:1, shared poet
# Context, title first: [east east city east]; names: [north ada bela cleo].
QUOTED = {
    "frequency": 'count of the "frequency" baseline',
    "background_tokens": "number of common tokens (with repetition) between the candidate and the "
    "union of the entities' background information",
    "background_words": "size of the word overlap between a candidate and the union of the "
    "entities' background information",
    "shared_background_words": "size of the word overlap between a candidate and the intersection "
    "of the entities' background information",
    "entities_touched": "number of entities whose background information words are overlapping the "
    "candidate's words",
    "background_similarity": "cosine similarity between the average token embeddings of the "
    "candidate and the union of the entities' background information",
    "shared_background_similarity": "cosine similarity between the average word embeddings of the "
    "candidate and the intersection of the entities' background information",
    "context_tokens": "number of common tokens (with repetition) between the candidate and the "
    "context",
    "context_words": "size of the word overlap between a candidate and the context",
    "context_similarity": "cosine similarity between the average token embeddings of the candidate "
    "and the context",
    "all_tokens": "number of common tokens (with repetition) between the candidate and the union "
    "of the entities' background information, the context, and the names of the entities",
    "all_words": "size of the word overlap between a candidate and the union of the entities' "
    "background information, the context, and the names of the entities",
    "context_or_shared_words": "size of the word overlap between a candidate and the union of the "
    "context and the intersection of the entities' background information",
    "all_similarity": "cosine similarity between the average token embeddings of the candidate and "
    "the union of the entities' background information, the context, and the names of the entities",
    "context_or_shared_similarity": "cosine similarity between the average word embeddings of the "
    "candidate and the union of the context and the intersection of the entities' background "
    "information",
}
"""What the papers' list calls each feature."""


def value(name: str, phrase: str, frequency: int = 0) -> float:
    return FEATURES[name](CandidateWords(WORDS.phrase(phrase), frequency), TEXTS)


def cosine(one: tuple[float, float], other: tuple[float, float]) -> float:
    return (one[0] * other[0] + one[1] * other[1]) / (math.hypot(*one) * math.hypot(*other))


# Mean vectors: poet (0, 2), north (0, 1), east (1, 0), city (3, 0).
NORTH_POET, EAST_CITY = (0.0, 1.5), (2.0, 0.0)
UNION = (1 / 5, (2 * 2 + 2 * 1) / 5)
SHARED = (0.0, 2.0)
CONTEXT = ((3 * 1 + 3) / 4, 0.0)
EVERYTHING = ((1 + 6) / 10, (4 + 3) / 10)
CONTEXT_OR_SHARED = ((1 + 3) / 3, 2 / 3)


@pytest.mark.parametrize(
    ("name", "north_poet", "east_city"),
    [
        ("background_tokens", 4, 1),
        ("background_words", 2, 1),
        ("shared_background_words", 1, 0),
        ("entities_touched", 2, 1),
        ("background_similarity", cosine(NORTH_POET, UNION), cosine(EAST_CITY, UNION)),
        ("shared_background_similarity", cosine(NORTH_POET, SHARED), cosine(EAST_CITY, SHARED)),
        ("context_tokens", 0, 4),
        ("context_words", 0, 2),
        ("context_similarity", cosine(NORTH_POET, CONTEXT), cosine(EAST_CITY, CONTEXT)),
        ("all_tokens", 2 + 2 + 1, 1 + 4),
        ("all_words", 2, 2),
        ("context_or_shared_words", 1, 2),
        ("all_similarity", cosine(NORTH_POET, EVERYTHING), cosine(EAST_CITY, EVERYTHING)),
        (
            "context_or_shared_similarity",
            cosine(NORTH_POET, CONTEXT_OR_SHARED),
            cosine(EAST_CITY, CONTEXT_OR_SHARED),
        ),
    ],
)
def test_a_feature_has_the_value_of_its_definition(
    name: str, north_poet: float, east_city: float
) -> None:
    assert value(name, "the north poet") == pytest.approx(north_poet, abs=1e-6)
    assert value(name, "east city") == pytest.approx(east_city, abs=1e-6)


def test_frequency_is_not_scaled() -> None:
    assert value("frequency", "east city", frequency=7) == 7


def test_a_phrase_of_unknown_words_has_no_similarity_to_anything() -> None:
    similar = [name for name in FEATURES if name.endswith("similarity")]
    assert [value(name, "unheard of") for name in similar] == [0] * 5


def test_an_instance_without_any_text_has_features_of_zero() -> None:
    bare = WORDS.texts(Instance("b", ("Ada", "Bela"), "person"))
    candidate = CandidateWords(WORDS.phrase("north poet"), 0)
    assert {value(candidate, bare) for value in FEATURES.values()} == {0}


def test_an_entity_without_background_takes_no_part_in_the_intersection() -> None:
    assert dict(TEXTS.background_intersection.counts) == {"poet": 1}


@pytest.mark.parametrize("seed", ["tesa-paper.txt", "tesa-thesis.txt"])
def test_the_fifteen_features_are_those_of_the_papers_list_in_its_order(
    data: Path, seed: str
) -> None:
    assert list(FEATURES) == list(QUOTED)
    assert len(FEATURES) == 15
    text = " ".join(published_text(data, seed).split())
    start = text.rindex("inguistically informed features")
    places = [text.index(quotation, start) for quotation in QUOTED.values()]
    assert places == sorted(places)
