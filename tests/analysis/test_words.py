"""Shapes, endings and lemma scripts of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.pieces import endings, features_of, features_text, lemma_of, shape, verb_of


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("McDonald", "XxXxx"),
        ("U.S.", "X.X."),
        ("2,000", "d,dd"),
        ("AAAA", "XX"),
        ("iPhone15", "xXxxdd"),
        ("------", "--"),
        ("", ""),
        ("\u01c5aa", "Xxx"),
        ("\n\n\n\n", "\n\n"),
    ],
)
def test_a_shape_shows_case_digits_and_signs(word: str, expected: str) -> None:
    assert shape(word) == expected


def test_endings_are_the_last_two_and_three_letters_in_lower_case() -> None:
    assert endings("RUNNING") == ("ng", "ing")
    assert endings("I") == ("i", "i")


@pytest.mark.parametrize(
    ("form", "script", "lemma"),
    [
        ("Cities", "l|3|y", "city"),
        ("NATO", "k|0|", "NATO"),
        ("PARIS", "f|0|", "Paris"),
        ("was", "l|3|be", "be"),
        ("a", "l|5|x", "a"),
        ("a", "l|1|", "a"),
        ("wo", "l|1|ill", "will"),
    ],
)
def test_a_script_makes_the_lemma(form: str, script: str, lemma: str) -> None:
    assert lemma_of(form, script) == lemma


@given(st.text(min_size=1), st.sampled_from("klf"), st.integers(0, 9), st.text(max_size=3))
def test_a_lemma_is_never_empty(form: str, case: str, drop: int, append: str) -> None:
    assert lemma_of(form, f"{case}|{drop}|{append}")


def test_features_are_read_and_written_sorted() -> None:
    assert features_of("Number=Sing|Person=3") == {"Number": "Sing", "Person": "3"}
    assert features_text({"b": "1", "A": "2"}) == "A=2|b=1"
    assert features_of("_") == {}
    assert features_text({}) == "_"


@pytest.mark.parametrize(
    ("form", "fine", "verb"),
    [
        ("met", "VBD", "meet"),
        ("Withdrew", "VBD", "withdraw"),
        ("foretold", "VBN", "foretell"),
        ("befell", "VBD", "befall"),
        ("found", "VBD", "find"),
        ("found", "VB", None),
        ("played", "VBD", None),
    ],
)
def test_a_past_form_that_no_rule_makes_has_its_verb(
    form: str, fine: str, verb: str | None
) -> None:
    assert verb_of(form, fine) == verb
