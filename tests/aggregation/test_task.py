"""The ranking task: right phrases among wrong ones of the same type."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.aggregation.data import jsonl
from tatian.aggregation.data.records import check
from tatian.aggregation.data.splits import add_candidates
from tatian.errors import InputError

from .data_samples import instances, numbered

NINETY = numbered(90, types=("person", "location", "organization"))


def test_every_instance_has_24_different_candidates_with_the_right_ones() -> None:
    for one in add_candidates(NINETY):
        assert len(set(one.candidates)) == len(one.candidates) == 24
        assert set(one.aggregations) <= set(one.candidates)


def test_wrong_candidates_are_right_ones_of_other_instances_of_the_type() -> None:
    of_type: dict[str, set[str]] = {}
    for one in NINETY:
        of_type.setdefault(one.type, set()).update(one.aggregations)
    for one in add_candidates(NINETY):
        assert set(one.candidates) <= of_type[one.type]


@given(st.lists(instances(gold=1), min_size=1, max_size=6, unique_by=lambda one: one.id))
def test_a_task_is_valid_and_keeps_the_rest_of_its_instances(listed) -> None:
    given_phrases = [*listed, *NINETY]
    for before, after in zip(given_phrases, add_candidates(given_phrases, size=20), strict=True):
        assert check(after, ["candidates"])
        assert len(after.candidates) == 20
        assert replace(after, candidates=before.candidates) == before


def test_candidates_depend_on_the_seed() -> None:
    assert add_candidates(NINETY, seed=3) == add_candidates(NINETY, seed=3)
    assert add_candidates(NINETY, seed=3) != add_candidates(NINETY, seed=4)


def test_the_order_of_the_instances_does_not_matter() -> None:
    mixed = list(NINETY)
    Random(1).shuffle(mixed)
    assert sorted(add_candidates(mixed), key=lambda one: one.id) == add_candidates(NINETY)


def test_every_place_and_every_phrase_is_drawn_about_equally_often() -> None:
    made = [one for seed in range(20) for one in add_candidates(NINETY, seed=seed)]
    places = Counter(one.candidates.index(one.aggregations[0]) for one in made)
    assert set(places) == set(range(24))
    assert max(places.values()) < 2 * min(places.values())
    drawn = Counter(phrase for one in made for phrase in one.candidates)
    assert max(drawn.values()) < 1.3 * min(drawn.values())


def test_phrases_that_differ_in_case_are_one_candidate() -> None:
    listed = [*numbered(5), replace(numbered(1)[0], id="x", aggregations=("PHRASE 1", "other"))]
    for one in add_candidates(listed, size=4):
        assert len({phrase.lower() for phrase in one.candidates}) == 4


def test_too_few_phrases_of_a_type_are_an_error_that_says_what_to_do() -> None:
    with pytest.raises(InputError, match="only 9 candidates, not 24: use more instances or fewer"):
        add_candidates(numbered(9))


def test_an_instance_without_a_right_phrase_is_an_error() -> None:
    with pytest.raises(InputError, match="'i000' has no gold aggregations"):
        add_candidates([replace(numbered(1)[0], aggregations=())])


def test_more_right_phrases_than_candidates_are_an_error() -> None:
    with pytest.raises(InputError, match="2 aggregations, more than the number of candidates"):
        add_candidates([replace(numbered(1)[0], aggregations=("a", "b"))], size=1)


def test_a_task_is_made_of_the_news_instances(data: Path) -> None:
    news = list(jsonl.read(str(data / "aggregation" / "news-val.jsonl")))
    for one in add_candidates(news):
        assert check(one, ["candidates"])
        assert len(one.candidates) == 24
