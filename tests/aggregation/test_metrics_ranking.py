"""The measures of a ranking, against the papers' formulas applied to every order of the ties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data.records import Instance
from tatian.aggregation.metrics import score

Ranking = Sequence[tuple[str, float]]


def average_precision(order: Sequence[str], gold: set[str]) -> float:
    """TESA's equation 1, word by word."""
    ranks = [order.index(one) + 1 for one in gold]
    return sum(len(gold & set(order[:rank])) / len(order[:rank]) for rank in ranks) / len(gold)


def recall_at_10(order: Sequence[str], gold: set[str]) -> float:
    """Equation 2."""
    return len(gold & set(order[:10])) / len(gold)


def reciprocal_rank(order: Sequence[str], gold: set[str]) -> float:
    """Equation 3."""
    return 1 / min(order.index(one) + 1 for one in gold)


FORMULAS = {
    "map": average_precision,
    "r@10": recall_at_10,
    "mrr": reciprocal_rank,
}


def orders(ranking: Ranking) -> Iterator[list[str]]:
    """Every order that a ranking's scores allow."""
    tied = [
        permutations([phrase for phrase, _ in block])
        for _, block in groupby(ranking, key=lambda pair: pair[1])
    ]
    for choice in product(*tied):
        yield list(chain.from_iterable(choice))


def values(ranking: Ranking, gold: Sequence[str]) -> dict[str, float]:
    instance = Instance(
        "i",
        ("Lisbon", "Porto"),
        "location",
        aggregations=tuple(gold),
        candidates=tuple(phrase for phrase, _ in ranking),
    )
    counts = score([instance], {"i": ranking}).counts
    return {metric: rows[0][0] for metric, rows in counts.items()}


@st.composite
def rankings(draw: st.DrawFn, *, distinct: bool = False) -> tuple[Ranking, list[str]]:
    size = draw(st.integers(1, 30 if distinct else 7))
    phrases = [f"phrase {number}" for number in range(size)]
    levels = (
        range(size) if distinct else draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    )
    ranking = list(zip(phrases, map(float, sorted(levels, reverse=True)), strict=True))
    gold = draw(st.lists(st.sampled_from(phrases), min_size=1, unique=True))
    return ranking, gold


@given(rankings())
def test_ties_have_the_mean_over_all_their_orders(drawn: tuple[Ranking, list[str]]) -> None:
    ranking, gold = drawn
    every = list(orders(ranking))
    found = values(ranking, gold)
    for name, formula in FORMULAS.items():
        expected = sum(formula(order, set(gold)) for order in every) / len(every)
        assert found[name] == pytest.approx(expected), name


@given(rankings(distinct=True))
def test_without_ties_the_papers_formulas_hold(drawn: tuple[Ranking, list[str]]) -> None:
    ranking, gold = drawn
    found = values(ranking, gold)
    for name, formula in FORMULAS.items():
        expected = formula([phrase for phrase, _ in ranking], set(gold))
        assert found[name] == pytest.approx(expected), name


@given(rankings(), st.randoms())
def test_order_of_ties_does_not_change_scores(
    drawn: tuple[Ranking, list[str]], random: Random
) -> None:
    ranking, gold = drawn
    shuffled = list(ranking)
    random.shuffle(shuffled)
    shuffled.sort(key=lambda pair: -pair[1])
    assert values(shuffled, gold) == values(ranking, gold)


@given(rankings())
def test_every_measure_lies_between_0_and_1(drawn: tuple[Ranking, list[str]]) -> None:
    assert all(0 <= value <= 1 + 1e-12 for value in values(*drawn).values())


@given(rankings(distinct=True))
def test_gold_ranked_first_scores_1(drawn: tuple[Ranking, list[str]]) -> None:
    ranking, gold = drawn
    best = [*gold, *(phrase for phrase, _ in ranking if phrase not in gold)]
    found = values([(phrase, -float(place)) for place, phrase in enumerate(best)], gold)
    assert [found["map"], found["mrr"]] == pytest.approx([1, 1])
    assert found["r@10"] == pytest.approx(min(1, 10 / len(gold)))


def test_scores_equal_those_computed_by_hand() -> None:
    ranking = [("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6)]
    found = values(ranking, ["b", "d"])
    assert found["map"] == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert found["mrr"] == 1 / 2
    assert found["r@10"] == 1


def test_ties_are_averaged_over_all_orders() -> None:
    found = values([("a", 0.5), ("b", 0.5)], ["b"])
    assert found["map"] == found["mrr"] == pytest.approx((1 + 1 / 2) / 2)


def test_a_tie_across_the_tenth_place_counts_in_part() -> None:
    ranking = [(f"p{number}", 1.0 if number < 8 else 0.0) for number in range(24)]
    assert values(ranking, ["p8", "p0"])["r@10"] == pytest.approx((1 + 2 / 16) / 2)


def test_equal_scores_are_worth_a_random_order() -> None:
    ranking = [(f"p{number}", 0.0) for number in range(24)]
    found = values(ranking, ["p23"])
    assert found["r@10"] == pytest.approx(10 / 24)
    assert found["mrr"] == pytest.approx(sum(1 / rank for rank in range(1, 25)) / 24)
