"""How often terms stand in texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge.building.filling import count_terms
from tatian.knowledge.dictionary import CHUNK, Dictionary

TERMS = {"open source": 0, "source": 1, "source software": 2, "car": 3}
DICTIONARY = Dictionary.from_terms(TERMS.items())


def counts(*texts: str) -> list[int]:
    found = dict(zip(*count_terms(texts, DICTIONARY), strict=True))
    return [found.get(number, 0) for number in TERMS.values()]


def test_every_occurrence_counts_also_within_longer_terms() -> None:
    assert counts("Open-source software, open source.") == [2, 2, 1, 0]


def test_terms_do_not_cross_texts() -> None:
    assert counts("It is open", "source") == [0, 1, 0, 0]


def test_no_texts_have_no_terms() -> None:
    assert counts() == [0, 0, 0, 0]


@given(st.lists(st.sampled_from(["a car", "open source", "x" * CHUNK, ""]), max_size=6))
def test_texts_count_as_much_together_as_one_by_one(texts: list[str]) -> None:
    apart = [counts(text) for text in texts]
    assert counts(*texts) == [sum(one[term] for one in apart) for term in range(len(TERMS))]
