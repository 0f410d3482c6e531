"""What finding stories is made of: terms, candidates, likeness, clusters, copies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tatian.stories import assignment as looking
from tatian.stories.articles import (
    NAME,
    NUMBER,
    WORD,
    Frequencies,
    IndexedArticle,
    article_profile,
    log_odds,
    merge_profiles,
    pair_features,
    read_articles,
    time_distance,
)
from tatian.stories.assignment import cluster, find_candidates, find_nearest
from tatian.stories.collection import find_copies
from tatian.stories.store import Store, to_row

from .samples import EVERYTHING, FERRY, MUSEUM, QUAKE, QUAKE_LATER, article


@pytest.fixture(scope="module")
def articles() -> list[IndexedArticle]:
    return read_articles(EVERYTHING)


def test_names_never_occur_in_lower_case() -> None:
    (one,) = read_articles(
        [article("a", "Storm hits Halverne. The storm hit 12 houses on Monday.")]
    )
    kinds = np.bincount(one.terms & np.uint32(3), minlength=3)
    assert kinds[NAME] == 1
    assert kinds[NUMBER] == 1
    assert kinds[WORD] == 4


def test_frequent_words_count_for_little_in_the_smallest_corpus(
    articles: list[IndexedArticle],
) -> None:
    (one,) = read_articles([article("a", "The people of Halverne said so.")])
    weights = Frequencies.of([one]).weights(one)
    name = one.terms & np.uint32(3) == NAME
    assert weights[name].min() > 3 * weights[~name].max()


def test_similarity_is_symmetric(articles: list[IndexedArticle]) -> None:
    frequencies = Frequencies.of(articles)
    profiles = [article_profile(one, frequencies) for one in articles]
    for one in profiles:
        for other in profiles:
            assert pair_features(one, other) == pytest.approx(pair_features(other, one))


def test_a_merged_profile_counts_each_article_once(articles: list[IndexedArticle]) -> None:
    frequencies = Frequencies.of(articles)
    one, two, three = (article_profile(articles[number], frequencies) for number in range(3))
    at_once, in_turn = (
        merge_profiles([one, two, three]),
        merge_profiles([merge_profiles([one, two]), three]),
    )
    assert at_once.size == in_turn.size == 3
    assert at_once.terms.tolist() == in_turn.terms.tolist()
    assert np.allclose(at_once.weights, in_turn.weights)
    assert (at_once.first, at_once.last) == (articles[0].day, articles[2].day)


def test_there_is_a_penalty_for_more_than_a_few_weeks(articles: list[IndexedArticle]) -> None:
    frequencies = Frequencies.of(articles)
    one = article_profile(articles[0], frequencies)
    assert time_distance(one, replace(one, first=one.last + 45, last=one.last + 50)) == 0
    year = replace(one, first=one.last + 365, last=one.last + 365)
    assert time_distance(one, year) == time_distance(year, one) == pytest.approx(3, abs=0.1)
    assert time_distance(one, replace(one, first=0, last=0)) == 0
    assert log_odds(one, year) < log_odds(one, one) - 5


def test_candidates_lead_to_every_story(articles: list[IndexedArticle]) -> None:
    found = set(find_candidates(articles, Frequencies.of(articles), [1]))
    assert {(0, 1), (1, 2)} <= found
    assert all(1 in pair and pair[0] < pair[1] for pair in found)


def test_the_index_finds_the_results_of_exact_search(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("faiss")
    chance = np.random.default_rng(0)
    centres = np.repeat(chance.normal(size=(60, 64)), 20, axis=0)
    rows = centres + 0.5 * chance.normal(size=centres.shape)
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    none = np.empty(0, np.uint32)
    empty = np.empty(0, np.float32)
    many = [IndexedArticle(str(n), 0, none, empty, empty, none, row) for n, row in enumerate(rows)]
    exact = find_nearest(many, range(len(many)))
    monkeypatch.setattr(looking, "MAX_EXACT_PRODUCTS", 0)
    found = find_nearest(many, range(len(many)))
    again = find_nearest(many, range(len(many)))
    assert (found == again).all()
    shared = [len(set(a) & set(b)) for a, b in zip(exact.tolist(), found.tolist(), strict=True)]
    assert np.mean(shared) > 0.9 * exact.shape[1]


def test_an_article_without_pairs_is_a_cluster(articles: list[IndexedArticle]) -> None:
    frequencies = Frequencies.of(articles)
    profiles = {number: article_profile(one, frequencies) for number, one in enumerate(articles)}
    assert cluster(3, profiles, [(0, 1)]) == [[0, 1], [2]]
    assert cluster(2, {}, []) == [[0], [1]]


def test_the_earliest_article_is_the_one_copied() -> None:
    first, second = FERRY[0], article("b-1", FERRY[0].text + " More soon.", "2021-03-20")
    third = article("c-1", FERRY[0].text.replace("thick", "dense"), "2021-03-21")
    assert find_copies(read_articles([third, second, first])) == {"b-1": "wire-1", "c-1": "wire-1"}


def test_reports_of_one_event_are_no_copies() -> None:
    for documents in (FERRY, MUSEUM, [QUAKE[0], QUAKE_LATER[0]]):
        assert find_copies(read_articles(documents)) == {}


def test_only_articles_near_in_time_are_compared(
    tmp_path: Path, articles: list[IndexedArticle]
) -> None:
    store = Store(str(tmp_path))
    store.add(map(to_row, articles[:7], EVERYTHING[:7]))
    store.assign((1 + at // 3, kept.number) for at, kept in enumerate(store.recent(0)))
    assert store.highest() == 3
    assert store.recent(180) == []
    store.add(map(to_row, articles[7:8], EVERYTHING[7:8]))
    assert [kept.article.id for kept in store.recent(180)] == [
        *(one.id for one in EVERYTHING[:6]),
        "wire-4",
    ]
    undated = article("later-1", "A ferry ran aground.")
    store.add(map(to_row, read_articles([undated]), [undated]))
    assert len(store.recent(180)) == 9
    store.close()
