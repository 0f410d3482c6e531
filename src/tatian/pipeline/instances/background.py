"""Background of instances: the beginning of each entity's page."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal

from msgspec import Struct

from tatian.aggregation.data.background import Backgrounds
from tatian.aggregation.data.records import fold_phrase
from tatian.errors import EmptyInput, InputError
from tatian.knowledge import KnowledgeBase
from tatian.text.splitter import split
from tatian.text.streams import open_stream
from tatian.text.tokenizer import tokenize

Unit = Literal["characters", "tokens"]
DEFAULT_LENGTH = 600
"""Default length of a background: TESA's code keeps 600 characters, the paper says 600 tokens."""
_NO_PAGE = frozenset(("", "-", "none"))
_PARENTHESES = re.compile(r"\s*\([^()]*\)")


class Corrections:
    """Table of entities with ambiguous names and their correct pages, if they have one."""

    def __init__(self, pages: dict[str, str | None], path: str | None = None) -> None:
        self._pages = {fold_phrase(name): page for name, page in pages.items()}
        self.path = path

    @classmethod
    def read(cls, path: str) -> Corrections:
        """Read a file of lines ``entity TAB page``; no page, ``-`` or ``none`` means none."""
        pages: dict[str, str | None] = {}
        seen: dict[str, int] = {}
        with open_stream(path) as stream:
            for number, line in stream.lines():
                try:
                    text = line.decode("utf-8-sig").strip("\r\n")
                except UnicodeDecodeError as error:
                    raise InputError("not UTF-8", path=stream.name, line=number) from error
                if not text.strip() or text.startswith("#"):
                    continue
                name, tab, page = text.partition("\t")
                if not tab or not name.strip() or "\t" in page:
                    message = "expected 'entity TAB page', or 'entity TAB none'"
                    raise InputError(message, path=stream.name, line=number)
                if earlier := seen.get(fold_phrase(name)):
                    message = f"'{name.strip()}' is already in line {earlier}"
                    raise InputError(message, path=stream.name, line=number)
                seen[fold_phrase(name)] = number
                page = page.strip()
                pages[name] = None if page.lower() in _NO_PAGE else page
        if not pages:
            raise EmptyInput("the file contains no corrections", path=path)
        return cls(pages, path)

    def __contains__(self, name: str) -> bool:
        return fold_phrase(name) in self._pages

    def page(self, name: str) -> str | None:
        """Return the correct page of an entity in the table; None if it has none."""
        return self._pages[fold_phrase(name)]

    def check(self, base: KnowledgeBase) -> None:
        """Raise `InputError` for the first page that the base does not have."""
        for name, page in self._pages.items():
            if page is not None and base.id_of(page) is None:
                message = f"'{name}' is corrected to '{page}', which the knowledge base lacks"
                raise InputError(message, path=self.path)


class Background(Struct, frozen=True, dict=True):
    """Descriptions of entities from a knowledge base, cut to a length."""

    base: KnowledgeBase
    corrections: Corrections | None = None
    length: int = DEFAULT_LENGTH
    unit: Unit = "characters"

    @cached_property
    def _names(self) -> Backgrounds:
        return Backgrounds(self.base)

    def of(self, name: str, type: str, page: str = "") -> str:
        """Return the beginning of the entity's page; empty if it has none."""
        if self.corrections is not None and name in self.corrections:
            page_title = self.corrections.page(name)
            entity = self.base.entity(page_title) if page_title else None
        else:
            entity = self.base.entity(page) if page else None
            entity = entity or self._names.entity(name, type)
        return cut(entity.description, self.length, self.unit) if entity else ""


def cut(text: str, length: int, unit: Unit = "characters") -> str:
    """Return the first sentences up to `length`, without parentheses, or a part of the first."""
    while (without_parentheses := _PARENTHESES.sub("", text)) != text:
        text = without_parentheses
    text = " ".join(text.split())

    def measure(part: str) -> int:
        return len(part) if unit == "characters" else len(tokenize(part))

    ends = [sentence.end for sentence in split(text) if measure(text[: sentence.end]) <= length]
    if ends:
        return text[: ends[-1]]
    tokens = tokenize(text)
    if unit == "tokens":
        return text[: tokens[length - 1].end] if len(tokens) > length else text
    return text[: max((token.end for token in tokens if token.end <= length), default=0)]
