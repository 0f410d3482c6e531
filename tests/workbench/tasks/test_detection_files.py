"""Texts for the mention tasks from every format of mentions."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats import find
from tatian.formats.links import build_document as linked_text
from tatian.text import Document, Link, Span
from tatian.text.layers import Authorship, Record
from tatian.workbench.tasks.confirmation import ConfirmationTask
from tatian.workbench.tasks.detection import DetectionTask

TEXT = "France taxes wine , and Spain taxes wine too ."
FRANCE, TAXES, SPAIN = (0, "France", "France"), (7, "taxes", "Tax"), (24, "Spain", "Spain")
LINKS = (FRANCE, TAXES, SPAIN)
FORMATS = ("jsonl", "nif", "csv")
"""Those that can be written."""


def mention(start: int, term: str, *titles: str, **more) -> Link:
    return Link(start, start + len(term), titles, **more)


GOLD = linked_text("t1", TEXT, tuple(mention(*one) for one in LINKS))


def file(format: str, *texts: Document) -> bytes:
    return "".join(find(format, "mention").write(texts or [GOLD])).encode()


def detect(name: str, data: bytes, mapping=None):
    return list(DetectionTask().read(name, data, mapping or {}))


def confirm(name: str, data: bytes, mapping=None):
    return list(ConfirmationTask().read(name, data, mapping or {}))


def links_of_item(content, terms):
    """Return an item's links as words and pages."""
    return [(content["text"][one["start"] : one["end"]], one["title"]) for one in terms]


@pytest.mark.parametrize("format", FORMATS)
def test_links_of_a_file_are_gold_of_detection(format):
    (item,) = detect(f"gold{find(format, 'mention').suffixes[0]}", file(format))
    assert links_of_item(item.content, item.gold["mentions"]) == [one[1:] for one in LINKS]


@pytest.mark.parametrize("format", FORMATS)
def test_links_of_a_file_are_candidates_of_confirmation(format):
    (item,) = confirm(f"gold{find(format, 'mention').suffixes[0]}", file(format))
    assert links_of_item(item.content, item.content["candidates"]) == [one[1:] for one in LINKS]
    assert item.gold is None


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_is_recognised_whatever_the_file_is_called(format):
    assert detect("upload", file(format)) == detect(
        f"x{find(format, 'mention').suffixes[0]}", file(format)
    )


TITLES = st.sampled_from(["Tax", "Wine", "Money supply"])
PLACES = [Span(0, 6), Span(7, 12), Span(13, 17), Span(24, 29), Span(30, 35)]


@st.composite
def texts(draw: st.DrawFn) -> list[Document]:
    """Draw texts that fit every format with several pages and topics."""
    found = []
    for number in range(draw(st.integers(1, 3))):
        places = draw(st.lists(st.sampled_from(PLACES), unique=True, min_size=1))
        mentions = [
            mention(place.start, place.of(TEXT), *draw(st.lists(TITLES, min_size=1, unique=True)))
            for place in sorted(places)
        ]
        topic = draw(st.sampled_from(["", "Taxes, and “wine”; tabs"]))
        found.append(linked_text(f"text {number}", TEXT, tuple(mentions), topic=topic))
    return found


@given(given=texts(), format=st.sampled_from(["nif", "csv"]))
def test_all_formats_give_the_same_items(given, format):
    plain, other = file("jsonl", *given), file(format, *given)
    assert detect("f", other) == detect("f", plain)
    assert confirm("f", other) == confirm("f", plain)


@given(given=texts())
def test_exported_answers_are_read_back_as_items(given):
    items = detect("f.jsonl", file("jsonl", *given))
    author = Authorship("ann", kind="person")
    records = [Record(one.key, "mentions.detect", one.key, author, one.gold) for one in items]
    exported = {one.name: one.data for one in DetectionTask().export(items, records)}
    again = detect("union.jsonl", exported["union.jsonl"])
    assert [links(one.key, one.gold["mentions"]) for one in again] == [
        links(one.key, one.gold["mentions"]) for one in items
    ]
    assert [one.content for one in again] == [one.content for one in items]
    assert [
        links(one.key, one.content["candidates"])
        for one in confirm("detections.jsonl", exported["detections.jsonl"])
    ] == [links(one.key, one.gold["mentions"]) for one in items]


def links(key, terms):
    """Return an item's links in a fixed order."""
    return key, sorted((one["start"], one["end"], one["title"]) for one in terms)


def test_columns_of_a_table_of_links_can_be_mapped():
    data = b"nr;body;links;stage;test\n7;Wine is taxed.;Wine#Wine;3;yes\n"
    mapping = {"id": "nr", "text": "body", "mentions": "links"}
    (item,) = detect("t.csv", data, mapping)
    assert (item.key, item.stage, item.test) == ("7", 3, True)
    assert links_of_item(item.content, item.gold["mentions"]) == [("Wine", "Wine")]


def record(by: str, item: str, text: str, *links: tuple[int, str, str]) -> bytes:
    terms = [
        {"start": start, "end": start + len(term), "term": term, "title": title}
        for start, term, title in links
    ]
    line = {
        "id": f"{by}/{item}", "task": "mentions.detect", "item": item, "made": {"by": by},
        "answer": {"mentions": terms}, "text": text,
    }  # fmt: skip
    return json.dumps(line).encode() + b"\n"


RECORDS = record("ann", "a", TEXT, FRANCE, TAXES) + record("ben", "a", TEXT, FRANCE, SPAIN)


def test_repeated_links_are_one_candidate():
    (item,) = confirm("round.jsonl", RECORDS)
    assert links_of_item(item.content, item.content["candidates"]) == [one[1:] for one in LINKS]


def test_records_of_labelers_give_texts_without_gold():
    (item,) = detect("round.jsonl", RECORDS)
    assert (item.key, item.content["text"], item.gold) == ("a", TEXT, None)


def test_different_texts_with_one_name_are_refused():
    with pytest.raises(InputError, match=r"two different texts are called 'a'"):
        detect("round.jsonl", RECORDS + record("cy", "a", "Another."))


def test_only_confirmation_skips_texts_without_links():
    data = file("nif", GOLD, linked_text("t2", "Nothing here."))
    assert [one.key for one in confirm("f.ttl", data)] == ["t1"]
    assert [one.key for one in detect("f.ttl", data)] == ["t1", "t2"]


@pytest.mark.parametrize(
    "text",
    [
        linked_text("t", TEXT, (mention(*FRANCE), mention(24, "Spain", ids=("Q29",)))),
        linked_text("t", TEXT, (mention(*FRANCE),), evaluated=(Span(0, 10),)),
        linked_text("t", TEXT, (mention(0, "France"),)),
        linked_text("t", TEXT),
    ],
    ids=["a page by its id alone", "a part was annotated", "no page", "no mentions"],
)
def test_incomplete_links_are_no_gold(text):
    assert detect("f.jsonl", file("jsonl", text))[0].gold is None


def test_a_mention_without_a_page_does_not_invalidate_gold():
    nowhere = mention(24, "Spain", ids=("http://aksw.org/notInWiki/Spain",))
    text = linked_text("t", TEXT, (mention(*FRANCE), nowhere))
    (item,) = detect("f.jsonl", file("jsonl", text))
    assert links_of_item(item.content, item.gold["mentions"]) == [("France", "France")]


ELEVANT = {"id": 1, "text": "In Spain.", "labels": [{"id": 0, "span": [3, 8], "entity_id": "Q29"}]}


@pytest.mark.parametrize(
    ("name", "data", "mapping", "message"),
    [
        ("f.ttl", file("nif") + b"<x", {}, r"f\.ttl:\d+: "),
        ("f.tsv", b"-DOCSTART- (1)\nx\tQ\n", {}, r"f\.tsv:\d+: tag 'Q': expected B or I"),
        ("f.ttl", file("nif"), {"text": "body"}, "a file of nif has no columns"),
        ("f.csv", file("csv").replace(b"France#", b"Italy#"), {}, "f.csv:2: 'Italy' is not"),
        ("f.csv", file("csv").replace(b"wiki/Spain", b"wiki/List_of_x"), {}, "is a list"),
        ("f.ttl", file("nif").replace(b"wiki/Spain", b"wiki/List_of_x"), {},
         r"f\.ttl: text 't1': 'List of x' is a list"),
        ("f.tsv", b"id\tbody\n1\tx\n", {}, "f.tsv:2: no field 'text', only 'id', 'body'"),
        ("f.xml", b"<ReferenceProblem></ReferenceProblem>", {}, "one of several files of aquaint"),
    ],
)  # fmt: skip
def test_read_errors_name_the_place(name, data, mapping, message):
    with pytest.raises(InputError, match=message):
        detect(name, data, mapping)


def test_links_without_titles_are_refused():
    with pytest.raises(InputError, match=r"contains no links to pages.* 'tatian mentions convert"):
        confirm("f.jsonl", json.dumps(ELEVANT).encode())
