"""Marks on a text: the text stays, elements always nest, colours take turns."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tatian.views.highlight import highlight, series_classes
from tatian.views.wording import format_count, join_items, printable


class Reader(HTMLParser):
    """The text of some HTML, and the first element that is closed in the wrong order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.open: list[str] = []
        self.marks: list[dict[str, str | None]] = []
        self.wrong: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.marks.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong = self.wrong or tag

    def handle_data(self, data: str) -> None:
        self.text += data


class Numbered(NamedTuple):
    start: int
    end: int
    number: int


def opening(mark: Numbered, inside: int, goes_on: bool) -> str:
    return f'<mark data-n="{"" if goes_on else mark.number}" data-h="{inside}">'


def draw_marks(text: str, *places: tuple[int, int]) -> str:
    ordered = sorted(places, key=lambda place: (place[0], -place[1]))
    marks = [Numbered(*place, number) for number, place in enumerate(ordered, 1)]
    return highlight(text, 0, len(text), marks, opening)


def test_a_mark_inside_another_is_an_element_inside_another() -> None:
    assert draw_marks("abc", (0, 3), (1, 2)) == (
        '<mark data-n="1" data-h="1">a<mark data-n="2" data-h="0">b</mark>c</mark>'
    )


def test_a_mark_that_crosses_another_is_reopened_after_it() -> None:
    assert draw_marks("abc", (0, 2), (1, 3)) == (
        '<mark data-n="1" data-h="1">a<mark data-n="2" data-h="0">b</mark></mark>'
        '<mark data-n="" data-h="0">c</mark>'
    )


def test_an_empty_mark_is_kept() -> None:
    assert draw_marks("ab", (1, 1)) == 'a<mark data-n="1" data-h="0"></mark>b'


@given(st.text(max_size=12), st.data())
def test_marks_keep_the_text_and_nest(text: str, data: st.DataObject) -> None:
    text = text.replace("\r", " ").replace("\x00", " ")
    place = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(place, place).map(sorted), max_size=8))
    read = Reader(draw_marks(text, *[(one[0], one[1]) for one in spans]))
    assert read.text == text
    assert read.wrong is None
    assert read.open == []
    labels = [mark["data-n"] for mark in read.marks if mark["data-n"]]
    assert sorted(labels, key=lambda one: int(one or 0)) == [
        str(number) for number in range(1, len(spans) + 1)
    ]


def test_reused_colours_have_another_line_style() -> None:
    assert [series_classes(number) for number in (None, 0, 7, 8, 17, 32)] == [
        "cn", "c0", "c7", "c0 l1", "c1 l2", "c0"
    ]  # fmt: skip


def test_counts_and_lists_in_words() -> None:
    assert (format_count(1, "chain"), format_count(2000, "chain")) == ("1 chain", "2,000 chains")
    assert [join_items(list("abc"[:count])) for count in range(4)] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_control_characters_are_replaced() -> None:
    assert printable("a\x1b[31m\tb\n\x07") == "a\ufffd[31m\tb\n\ufffd"
