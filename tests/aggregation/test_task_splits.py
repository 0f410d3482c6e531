"""Training, validation and test: disjoint, seeded, in proportion."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data import Instance
from tatian.aggregation.data.splits import Splits, split
from tatian.errors import InputError

from .data_samples import numbered


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
    assert [len(part) for part in split(numbered(1718))] == [858, 430, 430]


@given(connected(), st.integers(0, 3))
def test_every_instance_is_in_one_part_and_parts_keep_the_order(listed, seed) -> None:
    splits = split(listed, seed=seed)
    assert sorted(one.id for part in splits for one in part) == sorted(one.id for one in listed)
    for part in splits:
        assert part == [one for one in listed if one in part]


@given(connected())
def test_the_order_of_the_instances_does_not_matter(listed) -> None:
    mixed = list(listed)
    Random(1).shuffle(mixed)
    assert ids(split(mixed, seed=7)) == ids(split(listed, seed=7))


def test_another_seed_gives_other_parts() -> None:
    listed = numbered(40)
    assert ids(split(listed, seed=1)) == ids(split(listed, seed=1))
    assert ids(split(listed, seed=1)) != ids(split(listed, seed=2))


@pytest.mark.parametrize(("ratio", "sizes"), [((2, 1, 1), [20, 10, 10]), ((3, 1, 0), [30, 10, 0])])
def test_the_sizes_are_as_the_ratio_says(ratio, sizes) -> None:
    assert [len(part) for part in split(numbered(40), ratio=ratio)] == sizes


@pytest.mark.parametrize("ratio", [(0, 1, 1), (2, -1, 1)])
def test_a_ratio_without_training_or_below_zero_is_an_error(ratio) -> None:
    with pytest.raises(InputError, match="expected one such as 2:1:1"):
        split(numbered(4), ratio=ratio)
