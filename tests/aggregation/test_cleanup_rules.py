"""The clean-up of a phrase, one rule after another."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data.cleanup import clean, clean_phrase
from tatian.aggregation.data.rules import EXTRA, RULES, choose_rules
from tatian.errors import InputError

from .data_samples import answer


@pytest.mark.parametrize(
    ("rule", "written", "kept"),
    [
        (
            "prompt",
            "in this article, lima and quito are discussed. capital cities",
            "capital cities",
        ),
        ("prompt", "george w. bush and j. d. vance are discussed . politicians", "politicians"),
        ("case", "French Politicians", "french politicians"),
        ("ends", "  french   politicians...", "french politicians"),
        ("the", "the cities", "cities"),
        ("two-to-six", "six cities", "cities"),
        ("two-to-six", "two-party systems", "two-party systems"),
        ("empty", " . ", None),
        ("have", "cities that have ports", None),
        ("are", "cities are discussed", None),
        ("and", "the state and the city", None),
        ("slash", "cities/towns", None),
        ("na-or-the", "the na", None),
        ("na-or-the", "The", None),
        ("generic", "people", None),
        ("generic", "The two areas", None),
        ("generic", "organizations", None),
    ],
)
def test_each_rule_changes_or_discards_a_phrase(rule: str, written: str, kept: str | None) -> None:
    assert clean_phrase(written) == kept
    cleaned = clean([answer("i", "w", written)], assignments=1)
    did = {one.rule.name for one in cleaned.applied if one.count}
    assert (rule in did) == (kept != written)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("The two cities", "cities"),
        ("the French presidential candidates", "french presidential candidates"),
        ("theaters", "theaters"),
        ("heads of the two states", "heads of the two states"),
        ("two the cities", "the cities"),
        ("seven cities", "seven cities"),
        ("these cities", "these cities"),
        ("they", "they"),
        ("brand names", "brand names"),
        ("american people", "american people"),
        ("scandal-hit banks", "scandal-hit banks"),
    ],
)
def test_rules_clean_up_a_phrase(written: str, kept: str) -> None:
    assert clean_phrase(written) == kept


@pytest.mark.parametrize(
    ("rule", "written", "kept"),
    [
        ("determiners", "both cities", "cities"),
        ("determiners", "the two cities", "cities"),
        ("numbers", "the 2 cities", "cities"),
        ("numbers", "ten cities", "cities"),
        ("numbers", "2", "2"),
        ("pronoun", "They", None),
        ("pronoun", "the others", "others"),
    ],
)
def test_optional_rules_apply_on_request(rule: str, written: str, kept: str | None) -> None:
    assert rule in EXTRA
    assert clean_phrase(written, choose_rules([rule])) == kept


def test_the_usual_rules_are_those_of_the_original_code() -> None:
    assert EXTRA == ("determiners", "numbers", "pronoun")
    assert [
        rule for rule in choose_rules() if "code" not in rule.source and rule.unit == "phrase"
    ] == []


def test_rules_have_unique_names_a_description_and_a_source() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.does and rule.source for rule in RULES)


def test_unknown_rule_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r"no extra rule 'verbs'; .* determiners, numbers, pronoun"
    ):
        choose_rules(["verbs"])


def test_rules_count_their_changes_and_keep_the_first_example() -> None:
    records = [
        answer("i", "ann", "The cities", "Cities/towns"),
        answer("i", "bob", "the ports", "people"),
    ]
    done = {one.rule.name: one for one in clean(records, assignments=1).applied}
    assert (done["the"].count, done["the"].example) == (2, "The cities")
    assert (done["case"].count, done["case"].example) == (2, "The cities")
    assert (done["slash"].count, done["slash"].example) == (1, "Cities/towns")
    assert (done["generic"].count, done["two-to-six"].count) == (1, 0)


@given(st.text(max_size=40))
def test_clean_phrases_are_normalised(written: str) -> None:
    kept = clean_phrase(written)
    if kept is None:
        return
    assert kept == " ".join(kept.lower().split()).rstrip(". ")
    assert kept
    assert "/" not in kept
    assert not {"have", "are", "and"}.intersection(kept.split())


def test_the_documentation_lists_the_rules_in_their_order() -> None:
    page = Path(__file__).parents[2] / "docs" / "research" / "aggregation.md"
    rows = [line.split(" | ") for line in page.read_text("utf-8").splitlines() if "| `" in line]
    shown = {row[0].split("`")[1]: row[2] for row in rows if len(row) == 4}
    names = [name for name in shown if name in {rule.name for rule in RULES}]
    assert names == [rule.name for rule in RULES]
    assert [shown[rule.name] for rule in RULES] == [rule.does for rule in RULES]
