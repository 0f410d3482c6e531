"""``term#link`` lines, as labelers enter them (Figure 1 of the mention benchmark)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError
from tatian.formats import find
from tatian.formats.links import build_document, links_of
from tatian.formats.mentions_csv import parse_terms
from tatian.text import Document, Link

from .link_samples import CUSTOMS, linked_texts

CSV = find("csv")
WIKI = "https://en.wikipedia.org/wiki/"
FIGURE = "The free and open source software gives users the freedom to use, to alter and share it."


def found(text: str, *lines: str) -> list[tuple[int, str, tuple[str, ...]]]:
    return [(one.start, one.of(text), one.titles) for one in parse_terms(text, "\n".join(lines))]


def test_lines_of_figure_1_are_read() -> None:
    lines = f"free#{WIKI}Free_software", f"open source software#{WIKI}Open-source_software"
    assert found(FIGURE, *lines) == [
        (4, "free", ("Free software",)),
        (13, "open source software", ("Open-source software",)),
    ]


def test_a_term_stands_after_the_one_before_it() -> None:
    lines = f"users#{WIKI}User", f"use#{WIKI}Usage"
    assert [start for start, _, _ in found(FIGURE, *lines)] == [40, 61]


def test_a_repeated_line_is_the_next_occurrence() -> None:
    text = "voters, voters and voters"
    assert [start for start, _, _ in found(text, *[f"voters#{WIKI}Voting"] * 3)] == [0, 8, 19]


def test_repeated_term_with_another_page_is_the_same_mention() -> None:
    lines = f"customs#{WIKI}Convention_(norm)", f"customs#{WIKI}Tradition"
    assert found(CUSTOMS.text, *lines) == [(26, "customs", ("Convention (norm)", "Tradition"))]


def test_offset_can_be_given() -> None:
    assert found("voters, voters", f"voters(8,14)#{WIKI}Voting") == [(8, "voters", ("Voting",))]


def test_terms_may_have_hashes_and_parentheses() -> None:
    assert found("C# (1,2)", f"C##{WIKI}C_Sharp") == [(0, "C#", ("C Sharp",))]
    assert found("say (1,2)", f"(1,2)#{WIKI}Pair") == [(4, "(1,2)", ("Pair",))]


def test_the_papers_abbreviation_and_bare_titles_are_links() -> None:
    assert found("a proximity", "proximity#uri:Distance") == [(2, "proximity", ("Distance",))]
    assert found("a proximity", "proximity#Distance") == [(2, "proximity", ("Distance",))]


def test_a_term_across_lines_is_one_line() -> None:
    text = build_document("a", "New\nYork", (Link(0, 8, ("New York",)),))
    (row,) = CSV.write([text])
    assert list(CSV.read(row)) == [text]


def test_a_carriage_return_alone_comes_back() -> None:
    text = build_document("a\rb", "New\rYork", (Link(0, 3, ("New York",)),))
    assert list(CSV.read("".join(CSV.write([text])))) == [text]


@given(linked_texts())
def test_positions_terms_and_pages_come_back(text: Document) -> None:
    written = "".join(CSV.write([text]))
    words = [one.of(text.text) for one in links_of(text)]
    try:
        (again,) = CSV.read(written)
    except InputError:
        assert any(not term.split() or "\n" in term for term in words)
        return
    assert (again.id, again.text, again.metadata) == (text.id, text.text, text.metadata)
    if all(term == term.strip() != "" for term in words):
        assert [(one.start, one.end, one.titles) for one in links_of(again)] == [
            (one.start, one.end, one.titles) for one in links_of(text)
        ]


@given(st.text(), st.text())
def test_whatever_is_entered_is_mentions_of_the_text_or_refused(text: str, entered: str) -> None:
    with suppress(ValueError):
        assert all(one.of(text) for one in parse_terms(text, entered))


@pytest.mark.parametrize(
    ("entered", "problem"),
    [
        ("free", "not term#link"),
        (f"#{WIKI}Free", "not term#link"),
        ("free#https://example.org/Free", "a page of Wikipedia"),
        (f"libre#{WIKI}Free", "'libre' is not in the text"),
        (f"open#{WIKI}A\nfree#{WIKI}B", "is not in the text after the term before"),
    ],
)
def test_a_wrong_line_is_named(entered: str, problem: str) -> None:
    rows = f'id,text,topic,mentions\na,"x\ny",,\nb,{FIGURE.replace(",", "")},,"{entered}"\n'
    with pytest.raises(InputError, match=problem) as failure:
        list(CSV.read(rows, "gold.csv"))
    assert (failure.value.path, failure.value.line) == ("gold.csv", 4)


def test_long_text_is_read() -> None:
    text = build_document("a", "word " * 100_000)
    assert list(CSV.read("".join(CSV.write([text])))) == [text]


def test_a_table_without_mentions_is_named() -> None:
    with pytest.raises(InputError, match="no column mentions"):
        list(CSV.read("id,text\na,b\n"))
    with pytest.raises(EmptyInput):
        list(CSV.read("id,text,mentions\n"))
