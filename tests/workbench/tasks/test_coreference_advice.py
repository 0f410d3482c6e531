"""Remarks of the definition's rules on unfinished answers."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable
from tatian.errors import InputError
from tatian.workbench.tasks import Advising
from tatian.workbench.tasks import coreference as checks
from tatian.workbench.tasks.coreference import CoreferenceTask
from tatian.workbench.tasks.coreference.content import CoreferenceItem

TEXT = "The boys and girls enjoy their breakfast. The man who sells apples left."
CONTENT = {"text": TEXT}
BOTH = {"id": "1", "start": 0, "end": 18}
THEIR = {"id": "2", "start": 25, "end": 30, "antecedent": "1"}

needs_encoder = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


@pytest.fixture
def task() -> CoreferenceTask:
    return CoreferenceTask()


def advice(task, *markables, options=None, phrases=False, content=CONTENT):
    return task.advise(content, options or {}, {"markables": list(markables)}, phrases=phrases)


def test_the_task_gives_advice():
    assert isinstance(CoreferenceTask(), Advising)


@needs_encoder
def test_a_rule_of_content_names_the_phrase_and_its_section(task):
    (note,) = advice(task, BOTH, THEIR).notes
    assert (note.markable, note.section, note.severity) == ("1", "3.7", "advice")


@needs_encoder
def test_phrases_come_with_their_heads(task):
    found = advice(task, phrases=True).phrases
    named = {TEXT[a:b]: TEXT[c:d] for a, b, c, d in found}
    assert named["The man who sells apples"] == "man"
    assert advice(task).phrases is None


@needs_encoder
def test_a_text_is_analysed_once_and_the_oldest_is_forgotten(monkeypatch):
    made = []
    monkeypatch.setattr(checks, "analyse", lambda one: made.append(one.text) or one)
    texts = [f"text {number}" for number in range(9)]
    for text in (*texts[:8], *texts, texts[0]):
        checks.analysed_text(CoreferenceItem(text))
    assert made == [*texts, texts[0]]


def test_phrases_that_cross_are_noted_without_any_analysis(task, monkeypatch):
    monkeypatch.setattr(checks, "unavailable", lambda: "no encoder")
    crossing = {"id": "3", "start": 13, "end": 24}
    found = advice(task, BOTH, crossing)
    assert [(note.markable, note.rule) for note in found.notes] == [("3", "crossing-mentions")]
    assert not found.complete


def test_a_mark_in_a_part_that_is_not_annotated_is_an_error(task, monkeypatch):
    monkeypatch.setattr(checks, "unavailable", lambda: "no encoder")
    part = {"start": 0, "end": 30, "name": "DOCNO", "annotated": False}
    (note,) = advice(task, BOTH, content={"text": TEXT, "parts": [part]}).notes
    assert (note.markable, note.severity, note.section) == ("1", "error", "2")


def test_a_campaign_can_switch_advice_off(task):
    quiet = {"checks": False, "phrases": False}
    found = advice(task, BOTH, THEIR, options=quiet, phrases=True)
    assert (found.notes, found.phrases) == ((), None)


def test_invalid_markup_is_refused(task):
    with pytest.raises(InputError, match="not markup of this page"):
        task.advise(CONTENT, {}, {"markables": 3}, phrases=False)
    with pytest.raises(InputError, match="lies outside the text"):
        advice(task, {"id": "1", "start": 0, "end": 999})


@needs_encoder
def test_the_resolver_can_suggest_a_draft(task):
    content = {"text": "Ines Tal closed the port. She kept it shut."}
    found = task.suggest(content)
    stored = task.from_page(content, 1, {}, found)
    named = {content["text"][one["start"] : one["end"]] for one in stored["markables"]}
    assert {"Ines Tal", "She"} <= named
