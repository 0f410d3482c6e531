"""Tables written by hand: what a line may say, and what is said of a line that is not in order."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError, NotText
from tatian.knowledge.building.pages import Anchor
from tatian.knowledge.building.tables import HEADER, KINDS, EntityTable, Row, format_row, parse_row
from tatian.knowledge.entities import Fact, page_title

MERKEL = (
    "Angela Merkel\tMerkel|Chancellor Merkel\tperson\toccupation=politician|nationality=Germany|"
    "position=Chancellor of Germany@2005..2021|born=1954-07-17"
)

WORDS = st.text("abcdeéßXYZ0123456789 '-.,&()", min_size=1, max_size=20).map(
    lambda text: " ".join(text.split())
)
NAMES = WORDS.filter(lambda text: any(map(str.isalnum, text)))
TITLES = NAMES.map(page_title).filter(lambda title: not title.startswith("#"))
DATES = st.sampled_from(["", "2005", "-44", "1999-12", "2005-11-22"])
FACTS = st.builds(
    Fact, st.sampled_from(["occupation", "place of birth", "iso 639"]), NAMES, DATES, DATES
)
ROWS = st.builds(
    Row,
    TITLES,
    st.lists(NAMES, unique=True, max_size=3).map(tuple),
    st.sampled_from(KINDS),
    st.lists(FACTS, unique=True, max_size=3).map(tuple),
)


def table(folder: Path, *lines: str, header: str = "\t".join(HEADER)) -> EntityTable:
    path = folder / "people.tsv"
    path.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8")
    return EntityTable(path)


def test_a_line_gives_title_aliases_kind_and_facts_with_their_time() -> None:
    assert parse_row(MERKEL) == Row(
        "Angela Merkel",
        ("Merkel", "Chancellor Merkel"),
        "person",
        (
            Fact("occupation", "politician"),
            Fact("nationality", "Germany"),
            Fact("position", "Chancellor of Germany", "2005", "2021"),
            Fact("born", "1954-07-17"),
        ),
    )


def test_either_end_of_a_time_may_be_open() -> None:
    facts = parse_row("A\t\tconcept\tx=a@2005..|y=b@..2021|z=c@..").facts
    assert [(fact.since, fact.until) for fact in facts] == [("2005", ""), ("", "2021"), ("", "")]


def test_an_at_sign_that_begins_no_time_belongs_to_the_value() -> None:
    assert parse_row("A\t\tconcept\temail=a@b.org").facts == (Fact("email", "a@b.org"),)


def test_comments_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    rows = table(tmp_path, "# Germany", "", MERKEL).rows()
    assert [row.title for row in rows] == ["Angela Merkel"]


def test_a_page_is_described_and_linked_to_what_its_facts_name(tmp_path: Path) -> None:
    (page,) = table(tmp_path, MERKEL)
    assert page.description == (
        "Angela Merkel is a German politician, Chancellor of Germany from 2005 to 2021."
    )
    named = ("Politician", "Germany", "Chancellor of Germany")
    assert page.anchors == tuple(Anchor(title, "") for title in named)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Angela Merkel\tperson", "expected 4 columns"),
        ("\t\tperson\t", "expected a title"),
        ("angela_Merkel\t\tperson\t", "expected the title as Wikipedia writes it, 'Angela Merkel'"),
        ("A[b\t\tperson\t", "is no title"),
        (
            "Angela Merkel\t\tpolitician\t",
            "expected one of person, location, organisation, concept",
        ),
        ("Angela Merkel\tMerkel||x\tperson\t", "expected an alias"),
        ("Angela Merkel\t\tperson\tpolitician", "expected relation=value"),
        ("Angela Merkel\t\tperson\tBorn=1954", "relation in lower case"),
        ("Angela Merkel\t\tperson\tborn=", "expected a value after born="),
        ("Angela Merkel\t\tperson\tposition=Chancellor@then..now", "expected years or ISO dates"),
    ],
)
def test_a_line_that_is_not_in_order_is_refused(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InputError, match=rf"people.tsv:3: .*{said}"):
        list(table(tmp_path, "# a comment", line))


def test_a_title_that_has_a_line_already_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":3: 'Angela Merkel' has a line already: line 2"):
        list(table(tmp_path, MERKEL, MERKEL))


def test_a_table_without_its_header_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":1: expected the names of the columns, title TAB"):
        list(table(tmp_path, header=MERKEL))


def test_a_table_without_lines_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyInput):
        list(table(tmp_path, "# nobody"))


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.tsv"
    path.write_bytes(b"title\0")
    with pytest.raises(NotText, match=r":1: a NUL byte"):
        list(EntityTable(path))


@given(ROWS)
def test_a_row_survives_being_written(row: Row) -> None:
    assert parse_row(format_row(row)) == row


@pytest.mark.parametrize(
    "row",
    [
        Row("A|b"),
        Row("A", ("x|y",)),
        Row("A", facts=(Fact("born", "19@54..55"),)),
        Row("A", facts=(Fact("x", "a\tb"),)),
    ],
)
def test_a_row_that_a_line_cannot_hold_is_not_written(row: Row) -> None:
    with pytest.raises(ValueError, match=r"expected|cannot hold|is no title"):
        format_row(row)


@given(st.binary(max_size=200))
def test_damaged_tables_are_read_or_refused_with_the_line(
    tmp_path_factory: pytest.TempPathFactory, garbage: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "garbage.tsv"
    path.write_bytes("\t".join(HEADER).encode() + b"\n" + garbage)
    try:
        list(EntityTable(path))
    except EmptyInput as error:
        assert error.path == str(path)  # noqa: PT017
    except InputError as error:
        assert error.line is not None  # noqa: PT017
        assert error.line > 1  # noqa: PT017
