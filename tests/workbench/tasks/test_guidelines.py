"""The instructions of every task, as the workbench's own renderer shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from tatian.workbench.tasks import tasks
from tatian.workbench.web.presentation import Tab, split_tabs

MARKUP = re.compile(r"[*_`~\[\]|\\#]|<|>")
"""What only Markdown or HTML would write; between code marks anything may stand."""
BLOCKS = frozenset({"p", "li", "td", "th", "h3", "h4", "blockquote"})
STYLES = frozenset({"em", "strong"})
VERBATIM = frozenset({"code", "pre"})
SECTIONS = frozenset(
    f"{chapter}.{number}"
    for chapter, last in ((1, 5), (3, 7), (4, 3), (5, 7))
    for number in range(1, last + 1)
) | frozenset("1234567")
"""Of the definition of MUC-6, version 2.3."""
EVERY = pytest.mark.parametrize("name", sorted(tasks.builtin))


class Shown(HTMLParser):
    """Collector of a page's texts, and of nested styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: list[str] = [""]
        self.nested: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in BLOCKS:
            self.blocks.append("")
        if tag in STYLES and STYLES.intersection(self.open):
            self.nested.append(self.blocks[-1])
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(tag) :]
        if tag in BLOCKS:
            self.blocks.append("")

    def handle_data(self, data: str) -> None:
        if not VERBATIM.intersection(self.open):
            self.blocks[-1] += data


def show_tabs(name: str) -> Iterator[tuple[Tab, Shown]]:
    for tab in split_tabs(tasks.create(name).guidelines()):
        yield tab, Shown(tab.html)


@EVERY
def test_markup_is_not_shown_as_text(name: str) -> None:
    left = [
        f"{tab.title}: {block}"
        for tab, page in show_tabs(name)
        for block in page.blocks
        if MARKUP.search(block)
    ]
    assert left == []


@EVERY
def test_emphasis_is_not_nested(name: str) -> None:
    assert [f"{tab.title}: {text}" for tab, page in show_tabs(name) for text in page.nested] == []


@EVERY
def test_every_quotation_is_closed_in_its_paragraph(name: str) -> None:
    wrong = [
        f"{tab.title}: {block}"
        for tab, page in show_tabs(name)
        for block in page.blocks
        if not closed(block)
    ]
    assert wrong == []


def closed(text: str) -> bool:
    """Return True if quotation marks and brackets are paired and not nested."""
    curly = re.sub("[^“”]", "", text)
    round_ = re.sub("[^()]", "", text)
    while "()" in round_:
        round_ = round_.replace("()", "")
    return curly == "“”" * (len(curly) // 2) and not round_ and text.count('"') % 2 == 0


@EVERY
def test_every_part_has_a_heading_and_something_to_read(name: str) -> None:
    for tab, page in show_tabs(name):
        assert tab.title
        assert any(block.strip() for block in page.blocks), tab.title


@EVERY
def test_every_section_of_the_definition_that_is_named_exists(name: str) -> None:
    found = re.findall(r"§\s?(\d+(?:\.\d+)*)", tasks.create(name).guidelines())
    assert sorted(set(found) - SECTIONS) == []
    assert bool(found) == (name == "coreference")


def test_all_instructions_belong_to_a_task() -> None:
    folder = Path(str(files("tatian.workbench.tasks")))
    written = {one.read_text("utf-8") for one in folder.rglob("*.md")}
    assert written == {tasks.create(name).guidelines() for name in tasks.builtin}


@pytest.mark.parametrize(
    "text", ["“*A, *b,**”", "*a *b**", "a_b", "a `b", "[a](b", "| a |"], ids=lambda text: repr(text)
)
def test_the_check_finds_unrendered_markdown(text: str) -> None:
    (tab,) = split_tabs(f"## Title\n\n{text}\n")
    page = Shown(tab.html)
    assert page.nested or any(MARKUP.search(block) for block in page.blocks)
