"""What one account denies and another affirms, with and without a parse."""

from __future__ import annotations

import pytest

from tatian.pipeline import Pipeline
from tatian.text import Document, Span
from tatian.union.disagreement import find_contradictions
from tatian.union.models import Passage


def denied(*texts: str) -> list[list[str]]:
    """The claims of each contradiction of yes and no between all sentences of these accounts."""
    pipeline = Pipeline.fast()
    documents = [pipeline.process(Document(chr(97 + n), text)) for n, text in enumerate(texts)]
    sentences = [Passage(d, Span(s.start, s.end)) for d in documents for s in d.sentences]
    found = [one for one in find_contradictions(sentences) if one.kind == "polarity"]
    return [[claim.text for claim in one.claims] for one in found]


MET = "President Emmanuel Macron met Olaf Scholz in Berlin on Monday. "
AGREED = "French president Macron and German Chancellor Scholz agreed on a gas price cap in Berlin."


def test_what_they_did_not_do_contradicts_that_the_people_named_before_did_it() -> None:
    assert denied(MET + "They did not agree on a gas price cap.", AGREED) == [
        ["did not agree", "agreed"]
    ]


def test_a_named_subject_is_compared_without_a_parse() -> None:
    assert denied(
        "Macron has not signed the gas treaty.", "Macron has signed the gas treaty in Berlin."
    ) == [["has not signed", "has signed"]]


@pytest.mark.parametrize(
    "other",
    [
        "They did not agree on a budget for schools.",
        "They would not agree on a gas price cap.",
        "They agreed on a gas price cap.",
    ],
    ids=["something else", "left open", "affirmed as well"],
)
def test_what_does_not_deny_it_is_no_contradiction(other: str) -> None:
    assert denied(MET + other, AGREED) == []


def test_other_people_may_do_otherwise() -> None:
    scored = "Reed scored two goals in the first half."
    assert denied("Hill had not scored two goals in the first half.", scored) == []
    assert denied("Hill met Stone in Orm. They had not scored two goals.", scored) == []


def test_what_somebody_failed_to_do_does_not_affirm_it() -> None:
    failed = "Macron and Scholz failed to have agreed on a gas price cap."
    assert denied(MET + "They did not agree on a gas price cap.", failed) == []


def test_nobody_hurt_contradicts_a_number_of_people_hurt() -> None:
    assert denied("No one was hurt.", "Two firefighters were injured.") == [
        ["No one was hurt", "Two firefighters were injured"]
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("No one was killed.", "Two firefighters were injured."),
        ("No one else was hurt.", "Two firefighters were injured."),
        ("No one was seriously hurt.", "Two firefighters were injured."),
        ("No one was hurt.", "Two players were injured last season."),
        ("No one was hurt.", "Two houses were destroyed."),
    ],
)
def test_nobody_hurt_contradicts_nothing_else(first: str, second: str) -> None:
    assert denied(first, second) == []
