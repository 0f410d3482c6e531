"""Sizes, skipped pairs and compression of a file of unions."""

import pytest

from tatian.union.data import UnionInstance, read
from tatian.union.plots import BINS, summarize

PAIR = ("A ferry ran aground in fog.", "A ferry sank.")


def test_instances_are_counted_merged_and_skipped_by_reason():
    found = summarize(
        [
            UnionInstance("1", PAIR, PAIR[0]),
            UnionInstance("2", PAIR, skip="unnatural"),
            UnionInstance("3", PAIR, skip="unnatural"),
            UnionInstance("4", PAIR, skip="disagreement"),
            UnionInstance("5", PAIR),
        ]
    )
    assert (found.instances, found.merged) == (5, 1)
    assert found.skipped == {"disagreement": 1, "unnatural": 2}


def test_the_mean_compression_rate_and_its_histogram_are_of_what_is_merged():
    unions = [PAIR[0], "A ferry ran aground in fog and sank.", "Ferry ran aground fog ferry sank."]
    found = summarize([UnionInstance(str(n), PAIR, union) for n, union in enumerate(unions)])
    assert found.compression is not None
    assert found.compression.value == pytest.approx((1 + 0.5 + 0) / 3)
    shares = dict(zip(BINS, found.histogram, strict=True))
    assert {name for name, share in shares.items() if share} == {"0-10", "50-60", "90-100"}
    assert sum(shares.values()) == pytest.approx(1)


def test_without_unions_there_is_no_compression():
    found = summarize([UnionInstance("1", PAIR)])
    assert found.compression is None
    assert found.histogram == ()


@pytest.mark.data
def test_the_published_splits_compress_as_the_paper_says(union_data):
    splits = [summarize(read(union_data / f"{name}.csv")) for name in ("train", "eval")]
    assert [one.merged for one in splits] == [1087, 349]
    mean = sum(one.compression.value * one.merged for one in splits) / 1436
    assert mean == pytest.approx(0.6082, abs=0.03)
