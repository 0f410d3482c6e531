"""ELEVANT's benchmark JSONL."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tatian.errors import InputError
from tatian.formats import find
from tatian.formats.links import build_document, evaluated_parts, links_of
from tatian.formats.wiki import with_titles
from tatian.text import Document, Link, Span

ELEVANT = find("elevant")


def label(start: int, end: int, entity: str, **more: Any) -> dict[str, Any]:
    return {
        "id": 0,
        "span": [start, end],
        "entity_id": entity,
        "name": "x",
        "type": "OTHER",
        **more,
    }


def read(*labels: dict[str, Any], **more: Any) -> Document:
    article = {
        "id": 7,
        "title": "News",
        "text": "Kenyan runner won in May",
        "labels": labels,
        **more,
    }
    (text,) = ELEVANT.read(json.dumps(article))
    return text


def test_ids_and_what_they_are_called_are_kept() -> None:
    (mention,) = links_of(read(label(0, 6, "Q114", name="Kenya", type="Q43229")))
    assert (len(mention), mention.ids, mention.names) == (6, ("Q114",), ("Kenya",))
    assert (mention.titles, mention.type) == ((), "Q43229")


def test_labels_with_the_same_span_are_alternatives() -> None:
    text = read(label(0, 6, "Q114", name="Kenya"), label(0, 6, "Q60723796", name="Kenyans"))
    (mention,) = links_of(text)
    assert mention.ids == ("Q114", "Q60723796")


@pytest.mark.parametrize("entity", ["<NIL>", "Unknown", "Unknown3", "<NO_MAPPING>"])
def test_an_unknown_entity_has_no_page(entity: str) -> None:
    (mention,) = links_of(read(label(0, 6, entity, name="Unknown")))
    assert (mention.ids, mention.names) == ((), ())


def test_optional_mentions_are_tagged() -> None:
    text = read(
        label(0, 6, "Q114", optional=True),
        label(21, 24, "DATETIME", type="DATETIME"),
        label(7, 13, "Q1", desc=True),
    )
    assert [one.tags for one in links_of(text)] == [("optional",), ("desc",), ("optional",)]


def test_the_evaluated_part_is_kept_unless_it_is_everything() -> None:
    assert evaluated_parts(read(evaluation_span=[0, 13])) == (Span(0, 13),)
    assert evaluated_parts(read(evaluation_span=[0, 24])) == ()


def test_ids_become_titles_through_a_knowledge_base_and_else_by_name() -> None:
    known = {"Q1": "Universe"}
    mentions = (
        Link(0, 1, ids=("Q1", "Q2"), names=("universe", "Earth")),
        Link(2, 3, ids=("Q3",), names=("Mars",)),
        Link(4, 5, ("Kept",), ids=("Q1",)),
    )
    by_name = {"Earth": "Earth"}.get
    (text,) = with_titles([build_document("x", "a b c", mentions)], known.get, by_name)
    assert [one.titles for one in links_of(text)] == [("Universe", "Earth"), (), ("Kept",)]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id":1}', "missing required field 'text'"),
        (json.dumps({"id": 1, "text": "ab", "labels": [label(1, 5, "Q1")]}), "outside the text"),
        (json.dumps({"id": 1, "text": "ab", "evaluation_span": [2, 1]}), "evaluation_span 2..1"),
    ],
)
def test_a_broken_line_is_named(line: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as failure:
        list(ELEVANT.read(f'{{"id":0,"text":"ok"}}\n{line}', "news.jsonl"))
    assert (failure.value.path, failure.value.line) == ("news.jsonl", 2)
