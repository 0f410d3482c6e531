"""Entailment with a reference in both directions, and the definition of a union (§7.2, §3)."""

import pytest

from tatian.analysis import Entailment
from tatian.union.metrics.nli import (
    DefinitionCheck,
    are_equivalent,
    check_definition,
    entail_both_ways,
    load_judge,
)

LONG = "A ferry ran aground in fog near Halverne."
SHORT = "A ferry ran aground."


def containing(pairs):
    """A judge for whom a text entails whatever words it has."""
    for premise, hypothesis in pairs:
        has = set(hypothesis.lower().strip(".").split()) <= set(
            premise.lower().replace(".", "").split()
        )
        yield Entailment(0.9, 0.05, 0.05) if has else Entailment(0.2, 0.7, 0.1)


def test_both_directions_are_asked_reference_first():
    assert entail_both_ways([(LONG, SHORT), (SHORT, LONG)], containing) == [(0.9, 0.2), (0.2, 0.9)]


def test_equivalent_asks_for_half_in_both_directions():
    assert are_equivalent((0.5, 0.5))
    assert not are_equivalent((0.9, 0.49))


def test_a_text_entails_itself_without_being_judged():
    def refusing(pairs):
        for pair in pairs:
            raise AssertionError(pair)
        return iter(())

    assert entail_both_ways([(LONG, LONG)], refusing) == [(1.0, 1.0)]


def test_repeated_pairs_are_judged_once():
    asked = []

    def counting(pairs):
        for pair in pairs:
            asked.append(pair)
            yield Entailment(1, 0, 0)

    entail_both_ways([(LONG, SHORT), (LONG, SHORT)], counting)
    assert len(asked) == len(set(asked)) == 2


def test_a_union_entails_each_source_and_follows_from_them_all():
    sources = ["A ferry ran aground in fog.", "A ferry ran aground near Halverne."]
    (good,) = check_definition([(sources, LONG)], containing)
    assert good == DefinitionCheck((0.9, 0.9), 0.9)
    assert good.holds
    (lossy,) = check_definition([(sources, SHORT)], containing)
    assert lossy == DefinitionCheck((0.2, 0.2), 0.9)
    assert not lossy.holds
    (invented,) = check_definition([(sources, "A ferry sank in fog near Halverne.")], containing)
    assert invented.entailed == 0.2


def test_groups_of_different_sizes_keep_their_own_figures():
    found = check_definition([([SHORT], SHORT), ([SHORT, LONG, LONG], LONG)], containing)
    assert [len(one.entails) for one in found] == [1, 3]


def test_progress_is_reported():
    told = []
    entail_both_ways([(LONG, SHORT)], containing, lambda *step: told.append(step))
    assert told == [("entailment", 1, 2), ("entailment", 2, 2)]


@pytest.mark.parametrize("name", [None, "encoder"])
def test_the_shipped_model_is_the_default(name):
    ((forward, backward),) = entail_both_ways([(LONG, SHORT)], load_judge(name))
    assert forward > 0.5 > backward
