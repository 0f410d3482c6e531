"""Answers in words on the pages of managers."""

from __future__ import annotations

from typing import Any

from tatian.workbench.web.admin.search import spans_to_words

CONTENT: dict[str, Any] = {"sentences": ["A ferry sank.", "The Alba sank in fog."]}


def test_a_union_names_its_base_and_quotes_its_highlights() -> None:
    marks = [{"start": 14, "end": 20, "sentence": 1}]
    union = {"type": "written", "base": 0, "merged": "A ferry sank in fog.", "highlights": marks}
    assert spans_to_words(union, CONTENT) == {
        "base": "sentence 1",
        "merged": "A ferry sank in fog.",
        "highlights": ["“in fog” (sentence 2)"],
    }


def test_a_skip_says_its_reason_in_words() -> None:
    skip = {"type": "skipped", "reason": "no-consolidation", "note": ""}
    assert spans_to_words(skip, CONTENT) == {"skipped": "no consolidation", "note": ""}


def test_spans_outside_the_text_are_shown_unchanged() -> None:
    answer = {"type": "person", "marks": [{"start": 90, "end": 99, "sentence": 1}]}
    assert spans_to_words(answer, CONTENT) == answer
    beyond = {"type": "written", "base": 7, "merged": "A ferry sank."}
    assert spans_to_words(beyond, CONTENT) == {"base": 7, "merged": "A ferry sank."}
