"""What an editor should look at in a finished text."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.check import TextFlaw, text_flaws
from tatian.consolidation.layout import lay_out
from tatian.consolidation.report import build_result
from tatian.consolidation.weave import plan
from tatian.text import Document, Metadata

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline(detector="names", aggregator="heads")


def flaws(pipeline: tatian.Pipeline, *texts: str) -> list[tuple[str, str]]:
    """The kind of each flaw in the text that these accounts make, and the words where it stands."""
    documents = [pipeline.process(Document(str(n), text)) for n, text in enumerate(texts)]
    made = plan(documents)
    woven = build_result(made, lay_out(made))
    return [(one.kind, woven.text[one.start : one.end]) for one in text_flaws(woven, made)]


@pytest.mark.parametrize(
    "text",
    [
        'Ann Dale waited all night. "Nobody came," she said. Rain fell until dawn.',
        "Ann Dale waited. “Nobody came,” she said. “Nobody called.”",
        "Peter Lund left the house. He was tired.",
        "A farmer found the tracks. He called the police.",
        "The tug sank; the crew swam ashore.",
        "Ann Dale waited. “Nobody came, she said. Rain fell.",
        "Snow fell on Monday. “It was dark. He ran away,” the note said.",
        'Snow fell on Monday. "It was dark. He ran away," the note said.',
    ],
)
def test_a_clean_text_has_no_flaws(pipeline: tatian.Pipeline, text: str) -> None:
    assert flaws(pipeline, text) == []


@pytest.mark.parametrize(
    "text",
    [
        'Ann Dale waited. Nobody came," she said. Rain fell.',
        "Ann Dale waited. Nobody came,” she said. Rain fell.",
        "Ann Dale waited. “Nobody came,” she said. He lied.” Rain fell.",
    ],
)
def test_a_quotation_mark_without_a_partner_is_named(pipeline: tatian.Pipeline, text: str) -> None:
    assert [kind for kind, _ in flaws(pipeline, text)] == ["quotation"]


def test_a_sentence_without_a_verb_is_a_fragment(pipeline: tatian.Pipeline) -> None:
    text = "The tug sank off Ostrey. A long night for the men of the old lifeboat."
    assert flaws(pipeline, text) == [("fragment", "A long night for the men of the old lifeboat.")]


def test_a_he_of_whom_the_text_has_not_spoken_is_named(pipeline: tatian.Pipeline) -> None:
    assert flaws(pipeline, "Snow fell on Monday. Then he left.") == [("pronoun", "he")]


def test_two_figures_for_one_thing_are_named_unless_the_text_does(
    pipeline: tatian.Pipeline,
) -> None:
    one = "The dam at Orrin burst on Monday. The flood destroyed 310 houses in Orrin."
    two = "The mayor of Orrin wept. The flood destroyed 340 houses in Orrin on Monday."
    found = flaws(pipeline, one, two)
    documents = [pipeline.process(Document(str(n), text)) for n, text in enumerate((one, two))]
    shown = [len(conflict.claims) for conflict in plan(documents).conflicts]
    assert bool(found) != bool(shown)


def test_a_flaw_says_where_it_is() -> None:
    assert str(TextFlaw("fragment", 4, 0, 9, "it breaks off")) == "sentence 5: it breaks off"


def test_consolidate_reports_each_problem() -> None:
    heard: list[str] = []
    text = 'Ann Dale waited. Nobody came," she said. Rain fell.'
    tatian.consolidate([Document("a", text)], fast=True, warn=heard.append)
    assert heard == ["sentence 2: a quotation mark has no partner"]


def test_a_date_without_a_day_is_named() -> None:
    warnings: list[str] = []
    documents = [
        Document("a", "The ferry sank off Halverne on Monday.", Metadata(date="2023-99-99")),
        Document("b", "Tugs came to Halverne at noon.", Metadata(date="2023-04-20T14:30")),
    ]
    tatian.consolidate(documents, fast=True, warn=warnings.append)
    assert warnings == ["a: no day in the date '2023-99-99': write it as 2023-04-20"]
