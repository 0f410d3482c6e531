"""What experts sorted, counted as the union paper does: Table 8, Table 5, §5.3."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.errors import InputError
from tatian.statistics import Table
from tatian.text.spans import Span
from tatian.union.tallies import (
    ErrorCause,
    SortedErrors,
    SortedRelations,
    SortedSkip,
    SpanRelation,
    is_paraphrastic,
    parse_sorted,
    tally,
)

from ..inside import run

LOST = ErrorCause("t5", "coverage", "uni-directional entailment")


def cells(table: Table, row: str) -> list[object]:
    found = {str(cells[0]): list(cells[1:]) for cells in table.rows}
    return found[row]


def test_causes_are_counted_by_criterion() -> None:
    attached = ErrorCause("gpt", "faithfulness", "wrong attachment")
    given = [SortedErrors("a", "ann", 3, (LOST, attached)), SortedErrors("b", "ann", 3, (LOST,))]
    (table,) = tally(given)
    assert cells(table, "uni-directional entailment")[:3] == [2, 0, 0]
    assert cells(table, "wrong attachment")[:3] == [0, 1, 0]
    assert "6 unions" in table.title


def test_several_experts_of_one_item_count_as_their_mean() -> None:
    (table,) = tally([SortedErrors("a", "ann", 3, (LOST,)), SortedErrors("a", "bo", 3)])
    assert cells(table, "uni-directional entailment")[0] == 0.5


def test_skips_have_the_category_mistake() -> None:
    given = [
        SortedSkip("a", "ann", "no-consolidation", "no-consolidation"),
        SortedSkip("b", "ann", "mistake", "unnatural"),
    ]
    (table,) = tally(given)
    assert cells(table, "mistake")[0] == 1
    assert cells(table, "unnatural")[0] == 0


def test_relations_are_counted_in_ten_pairs() -> None:
    texts = ("A supermarket burned in Osk.", "A store burned in Osk.")
    whole = SpanRelation("entails", (Span(2, 13),), (Span(2, 7),))
    same = SpanRelation("equivalent", (Span(14, 20),), (Span(8, 14),))
    given = [SortedRelations("a", "ann", texts, (whole, same)), SortedRelations("b", "ann", texts)]
    (table,) = tally(given)
    assert cells(table, "uni-directional entailment") == [5.0, 0.0]
    assert cells(table, "equivalence") == [0.0, 5.0]


@pytest.mark.parametrize(
    ("first", "second", "differs"),
    [
        ("supermarket", "store", True),
        ("Francis Harvey", "Harvey", False),
        ("was injured", "were injuring", False),
        ("gave interviews on the radio", "was heard on the radio", True),
    ],
)
def test_paraphrastic_is_what_differs_in_its_words(first: str, second: str, differs: bool) -> None:
    assert is_paraphrastic(first, second) is differs


def test_an_item_that_one_expert_sorted_twice_is_refused() -> None:
    with pytest.raises(InputError, match="'ann' sorted item 'a' twice"):
        list(tally([SortedSkip("a", "ann", "mistake")] * 2))


def test_the_command_prints_a_table_of_each_kind(tmp_path: Path) -> None:
    file = tmp_path / "skips.jsonl"
    file.write_text('{"type": "skip", "id": "a", "by": "ann", "category": "mistake"}\n')
    status, printed, _ = run(["union", "tally", file], tmp_path, {})
    assert status == 0
    assert "mistake" in printed
    assert parse_sorted(file.read_text()) == [SortedSkip("a", "ann", "mistake")]
