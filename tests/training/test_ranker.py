"""Training of the default ranker."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.aggregation.data import Instance
from tatian.aggregation.data.records import TYPES
from tatian.errors import InputError
from tatian.training.ranker import draw_sets, is_implied, memory_parts, read_sets, with_candidates

SETS = Path(__file__).parents[2] / "corpus" / "aggregation"
CITIES = Instance("a", ("Oslo", "Rome"), "location", aggregations=("european cities", "capitals"))


def test_a_set_is_forgotten_with_its_part_of_the_memory() -> None:
    sets = list(read_sets(SETS / "sets.txt"))
    parts = memory_parts(sets)
    assert all(at in part for at, part in enumerate(parts))
    assert len({*parts}) == 5


def test_drawn_sets_have_the_phrases_of_all_their_groups() -> None:
    wider = Instance("b", ("Oslo", "Rome", "Lima"), "location", aggregations=("cities",))
    named = {one.entities: one.aggregations for one in draw_sets([CITIES, wider])}
    assert set(named["Oslo", "Rome"]) == {"european cities", "capitals", "cities"}
    assert all(found == ("cities",) for names, found in named.items() if "Lima" in names)


def test_a_wrong_candidate_says_something_else_than_a_right_one() -> None:
    assert is_implied("big cities", CITIES)
    assert not is_implied("asian cities", CITIES)
    for one in with_candidates(list(read_sets(SETS / "sets.txt")))[::50]:
        assert len(one.candidates) == 24
        assert set(one.aggregations) < set(one.candidates)


def test_sets_and_groups_have_no_context() -> None:
    for name in ("sets", "groups"):
        for one in read_sets(SETS / f"{name}.txt"):
            assert one.type in TYPES
            assert len({*one.entities}) == len(one.entities) > 1, one
            assert all(phrase == phrase.strip().lower() for phrase in one.aggregations), one


def test_a_line_of_other_fields_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sets.txt"
    path.write_text("location | cities\n")
    with pytest.raises(InputError, match=r"sets\.txt:1: 2 fields, not 3"):
        list(read_sets(path))
