"""Training, validation and test: disjoint, seeded, in proportion."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data import Instance, jsonl
from tatian.aggregation.data.splits import Splits, split
from tatian.aggregation.data.summary import entities_of, unseen
from tatian.errors import InputError

from .data_samples import numbered

WAYS = ["random", "entities", "documents"]


def ids(splits: Splits) -> list[set[str]]:
    return [{one.id for one in part} for part in splits]


@st.composite
def connected(draw: st.DrawFn) -> list[Instance]:
    """Instances that share entities and documents in any way."""
    names = st.lists(st.sampled_from("abcdefghij"), min_size=2, max_size=4, unique=True)
    types = st.sampled_from(["person", "location"])
    return [
        Instance(f"i{at}", tuple(draw(names)), draw(types), source=draw(st.sampled_from("xyz")))
        for at in range(draw(st.integers(0, 12)))
    ]


def test_the_papers_1718_instances_are_858_430_and_430() -> None:
    assert [len(part) for part in split(numbered(1718))] == [858, 430, 430, 0]


@given(connected(), st.sampled_from(WAYS), st.integers(0, 3))
def test_every_instance_is_in_one_part_and_parts_keep_the_order(listed, by, seed) -> None:
    splits = split(listed, by=by, seed=seed)
    assert sorted(one.id for part in splits for one in part) == sorted(one.id for one in listed)
    for part in splits:
        assert part == [one for one in listed if one in part]


@given(connected(), st.integers(0, 3))
def test_by_entities_no_entity_is_in_two_parts(listed, seed) -> None:
    train, val, test, _ = split(listed, by="entities", seed=seed)
    first, second, third = (
        frozenset().union(*(entities_of(one) for one in part)) for part in (train, val, test)
    )
    assert not first & second
    assert not first & third
    assert not second & third


@given(connected(), st.integers(0, 3))
def test_by_documents_no_source_is_in_two_parts_and_nothing_is_left_out(listed, seed) -> None:
    train, val, test, left_out = split(listed, by="documents", seed=seed)
    assert left_out == []
    first, second, third = ({one.source for one in part} for part in (train, val, test))
    assert not first & second
    assert not first & third
    assert not second & third


@given(connected(), st.sampled_from(WAYS))
def test_the_order_of_the_instances_does_not_matter(listed, by) -> None:
    mixed = list(listed)
    Random(1).shuffle(mixed)
    assert ids(split(mixed, by=by, seed=7)) == ids(split(listed, by=by, seed=7))


@pytest.mark.parametrize("by", WAYS)
def test_another_seed_gives_other_parts(by) -> None:
    listed = numbered(40)
    assert ids(split(listed, by=by, seed=1)) == ids(split(listed, by=by, seed=1))
    assert ids(split(listed, by=by, seed=1)) != ids(split(listed, by=by, seed=2))


@pytest.mark.parametrize("by", WAYS)
@pytest.mark.parametrize(("ratio", "sizes"), [((2, 1, 1), [20, 10, 10]), ((3, 1, 0), [30, 10, 0])])
def test_the_sizes_are_as_the_ratio_says(by, ratio, sizes) -> None:
    assert [len(part) for part in split(numbered(40), by=by, ratio=ratio)][:3] == sizes


@pytest.mark.parametrize("ratio", [(0, 1, 1), (2, -1, 1)])
def test_a_ratio_without_training_or_below_zero_is_an_error(ratio) -> None:
    with pytest.raises(InputError, match="is no ratio: such as 2:1:1"):
        split(numbered(4), ratio=ratio)


def test_instances_between_two_parts_are_left_out() -> None:
    chain = [Instance(f"i{at}", (f"e{at}", f"e{at + 1}"), "person") for at in range(40)]
    splits = split(chain, by="entities")
    assert 0 < len(splits.left_out) < 15
    assert all(splits.parts.values())


def test_the_news_split_by_entities_keeps_most_and_has_unseen_entities_only(data: Path) -> None:
    news = list(jsonl.read(str(data / "aggregation" / "news-train.jsonl")))
    splits = split(news, by="entities")
    assert len(splits.left_out) < len(news) / 10
    assert len(splits.test) > len(news) / 6
    assert unseen(splits.val, splits.train) == unseen(splits.test, splits.train) == 1
