"""The shortlist: which pairs of spans the coverage model reads."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from tatian.analysis import vectors
from tatian.analysis.coverage import Coverage, read_coverage
from tatian.consolidation.coverage import compare_spans
from tatian.consolidation.passages import NO_PASSAGES
from tatian.consolidation.shortlist import (
    ALWAYS,
    Pair,
    pair_features,
    read_shortlist,
    remember_coverage,
    shipped,
)
from tatian.consolidation.similarity import NearSpans, find_near_spans
from tatian.consolidation.spans import read_spans

from .bundles import processed

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
ACCOUNTS = (
    "The ferry Aurora ran aground off Halverne on Monday. Rescuers brought all 212 passengers of "
    "the ferry ashore in boats. The captain of the Aurora drank coffee with the mayor of Sennick. "
    "The mayor of Sennick praised the boats that came. The ferry was built in Sennick in 1988. "
    "Boats of the mayor carried passengers of the Aurora to Halverne.",
    "Off Halverne the ferry Aurora went aground on Monday. All 212 people aboard the ferry were "
    "taken off by boats. A museum in Sennick shows the bell of an older Aurora. The harbour of "
    "Halverne was built for boats of half that length. The mayor of Halverne owns two boats. A "
    "ferry of the same name ran to Sennick on Monday.",
)


def near() -> NearSpans:
    documents = processed(*ACCOUNTS)
    spans = [one for n, document in enumerate(documents) for one in read_spans(n, document).spans]
    rows = vectors([span.text for span in spans])
    by_key = {span.key: row for span, row in zip(spans, rows, strict=True)}
    return find_near_spans(spans, documents, by_key, NO_PASSAGES)


def read(limit: float | None = None) -> dict[Pair, Coverage]:
    weights = shipped() if limit is None else replace(shipped(), limit=limit)
    return read_shortlist(near(), read_coverage, weights=weights)


def test_pairs_that_cannot_cover_each_other_are_not_read() -> None:
    found, everything = read(), read(limit=0.0)
    assert len(everything) == len(near().pairs)
    assert len(found) < len(everything)
    spared = [coverage for pair, coverage in everything.items() if pair not in found]
    assert all(coverage.share < 0.4 for coverage in spared)


def test_sentences_that_say_the_same_are_read_in_both_directions() -> None:
    assert {((0, 0), (1, 0)), ((1, 0), (0, 0)), ((0, 1), (1, 1)), ((1, 1), (0, 1))} <= set(read())


def test_the_nearest_of_each_span_is_read_however_unlikely() -> None:
    nearest = {pair.spans for pair in near().pairs if pair.rank < ALWAYS}
    assert set(read(limit=1.1)) == nearest


def test_reverse_direction_is_skipped_without_coverage() -> None:
    def nothing(pairs: Sequence[tuple[str, str]]) -> list[Coverage]:
        return [Coverage(0.0, 0.0, 0.0, ()) for _ in pairs]

    found = read_shortlist(near(), nothing)
    nearest = {pair.spans for pair in near().pairs if pair.rank < ALWAYS}
    assert all(pair in nearest or pair[::-1] not in found for pair in found)


def test_a_pair_that_was_not_read_covers_nothing() -> None:
    documents = processed(*ACCOUNTS)
    spans = [one for n, document in enumerate(documents) for one in read_spans(n, document).spans]
    rows = vectors([span.text for span in spans])
    by_key = {span.key: row for span, row in zip(spans, rows, strict=True)}
    coverage = compare_spans(spans, documents, by_key, judge=read_coverage)
    spared = {pair.spans for pair in near().pairs} - set(read())
    assert spared
    assert all(coverage.covered_share(key, [other]) == 0 for key, other in spared)
    assert all(other in coverage.candidates(key) for key, other in spared)


def test_the_weights_name_only_features_that_exist() -> None:
    features = set(next(iter(pair_features(near()).values())))
    assert set(shipped().unread) == features
    assert set(shipped().reverse) == features | {"reverse share", "reverse anything"}


@pytest.mark.long(200)
def test_nearly_all_covering_pairs_of_the_development_bundles_are_read(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    benchmark = importlib.import_module("shortlist")
    bundles = benchmark.read_bundles(str(data / "consolidation" / "dev"))
    stories = list(benchmark.judge_stories(bundles))
    assert benchmark.recall(stories, shipped()) >= 0.99


def test_each_pair_of_texts_is_read_once() -> None:
    asked: list[tuple[str, str]] = []

    def read(pairs: Sequence[tuple[str, str]]) -> list[Coverage]:
        asked.extend(pairs)
        return [Coverage(float(len(text)), 0.0, 0.0, ()) for text, _ in pairs]

    remembered = remember_coverage(read)
    assert [one.share for one in remembered([("ab", "c"), ("abc", "c"), ("ab", "c")])] == [2, 3, 2]
    assert [one.share for one in remembered([("abc", "c"), ("a", "c")])] == [3, 1]
    assert asked == [("ab", "c"), ("abc", "c"), ("a", "c")]
