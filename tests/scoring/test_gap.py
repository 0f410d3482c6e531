"""GAP: the figures of the task's own scorer."""

from __future__ import annotations

import pytest

from tatian.coreference.metrics import score_gap
from tatian.errors import EmptyInput, InputError

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"


def row(id: str, pronoun: str, a: bool, b: bool) -> str:
    return (
        f"{id}\tA saw B; {pronoun} left.\t{pronoun}\t9\tA\t0\t{a}\tB\t6\t{b}\thttp://x\n".replace(
            "True", "TRUE"
        ).replace("False", "FALSE")
    )


GOLD = HEADER + row("t-1", "he", True, False) + row("t-2", "Her", False, True)
GOLD += row("t-3", "his", False, False) + row("t-4", "she", True, False)


def test_a_system_file_has_three_columns():
    system = "t-1\tTrue\tFalse\nt-2\tTrue\tFalse\nt-3\tFalse\tTrue\nt-4\tTRUE\tFALSE\n"
    found = score_gap(GOLD, system)
    assert found.counts() == (2, 2, 1, 3)
    assert found.rates() == pytest.approx((2 / 3, 1 / 2, 4 / 7))
    assert found.accuracy() == 5 / 8
    assert found.rates("masculine") == pytest.approx((1, 1 / 2, 2 / 3))
    assert found.rates("feminine") == pytest.approx((1 / 2, 1 / 2, 1 / 2))
    assert found.bias == pytest.approx(3 / 4)


def test_it_may_have_a_header_or_all_columns_of_the_gold_file():
    assert score_gap(GOLD, "ID\tA-coref\tB-coref\nt-1\tTrue\tFalse\n").counts()[0] == 1
    assert score_gap(GOLD, GOLD).rates() == (1, 1, 1)


def test_an_example_that_is_left_out_misses_both_names():
    found = score_gap(GOLD, "t-1\tTrue\tFalse\nt-2\tFalse\tTrue\nt-4\tTrue\tFalse\n")
    assert found.missing == 1
    assert found.counts() == (3, 0, 2, 3)


def test_there_is_no_bias_without_both_genders():
    assert score_gap(GOLD, "t-1\tTrue\tFalse\n").bias is None


def test_the_score_is_the_overall_f1_with_an_error():
    found = score_gap(GOLD, "t-1\tTrue\tFalse\n")
    assert found.score().value == pytest.approx(found.rates().f1)
    assert found.score().standard_error > 0


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (GOLD, "t-1\tTrue\n", r"s\.tsv:1: 2 columns where 3 are needed"),
        (GOLD, "t-1\tyes\tFalse\n", r"s\.tsv:1: A-coref is 'yes', not TRUE or FALSE"),
        (GOLD, "t-1\tTrue\tTrue\n" * 2, r"s\.tsv:2: a second line for 't-1'"),
        (GOLD, "x\tTrue\tTrue\n", r"s\.tsv: no example of the gold file is in it"),
        (GOLD, "ID\tA\nt-1\tTrue\n", r"s\.tsv:1: no column 'A-coref'"),
        (GOLD.replace("\this\t", "\tits\t"), "t-1\tTrue\tTrue\n", r"g\.tsv:4: 'its' has no gender"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_line(gold, system, message):
    with pytest.raises(InputError, match=message):
        score_gap(gold, system, gold_path="g.tsv", system_path="s.tsv")


def test_a_gold_file_needs_examples():
    with pytest.raises(EmptyInput, match="no examples"):
        score_gap(HEADER, "t-1\tTrue\tTrue\n")
