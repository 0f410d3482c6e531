"""Tatian's mentions JSONL: a text a line, with all that any benchmark says of its mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.formats.format import Format
from tatian.formats.links import (
    evaluated_parts,
    linked,
    links_of,
    part_of,
    title_of_text,
    topic_of,
)
from tatian.text import Document, Link, Span

T = TypeVar("T")


class Linked(Span, frozen=True, omit_defaults=True):
    """A link as the file has it: with its words."""

    term: str = ""
    titles: tuple[str, ...] = ()
    score: float | None = None
    named: bool | None = None
    type: str = ""
    tags: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class LinkedLine(Struct, frozen=True, omit_defaults=True):
    """A text as the file has it; `of` and `document` are between it and a document."""

    id: str
    text: str
    topic: str = ""
    mentions: tuple[Linked, ...] = ()
    evaluated: tuple[Span, ...] = ()
    title: str = ""
    part_of: str = ""

    @classmethod
    def of(cls, document: Document) -> LinkedLine:
        """The line for a document."""
        links = links_of(document)
        return cls(
            document.id,
            document.text,
            topic_of(document),
            tuple(Linked(one.start, one.end, one.of(document.text), *_said(one)) for one in links),
            evaluated_parts(document),
            title_of_text(document),
            part_of(document),
        )

    def document(self) -> Document:
        """The document that the line stands for; ValueError if it does not fit its own text."""
        for span in self.evaluated:
            if span.end > len(self.text):
                place = f"{span.start}..{span.end}"
                raise ValueError(f"the evaluated part {place} lies outside the text")
        return linked(
            self.id,
            self.text,
            [_placed(one, self.text) for one in self.mentions],
            topic=self.topic,
            title=self.title,
            part_of=self.part_of,
            evaluated=self.evaluated,
        )


_DECODER = msgspec.json.Decoder(LinkedLine)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """The texts of a JSONL file; blank lines count for nothing, mentions come in text order."""
    read = each_line(text, path, lambda line: _DECODER.decode(line).document(), "text")
    return (document for _, document in read)


def each_line(
    text: str, path: str | None, made: Callable[[str], T], what: str
) -> Iterator[tuple[int, T]]:
    """What is made of each line of a JSONL file that is not blank, with the line's number.

    A line that nothing can be made of is an `InputError`, and so is a file without any `what`.
    """
    found = False
    for number, line in enumerate(text.split("\n"), start=1):
        if line := line.strip("\ufeff \t\r"):
            found = True
            try:
                one = made(line)
            except (msgspec.DecodeError, ValueError, RecursionError, InputError) as error:
                raise InputError(_reason(error), path=path, line=number) from error
            yield number, one
    if not found:
        raise EmptyInput(f"no {what} in it", path=path)


def _reason(error: Exception) -> str:
    """Why a line cannot be read, for a person."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    known = isinstance(error, msgspec.ValidationError) or not isinstance(error, msgspec.DecodeError)
    return str(error).replace("`", "'") if known else f"not JSON: {error}"


def _placed(mention: Linked, text: str) -> Link:
    stands = mention.of(text)
    where = f"{mention.start}..{mention.end}"
    if mention.end > len(text):
        raise ValueError(f"the mention at {where} lies outside the text")
    if not stands:
        raise ValueError(f"the mention at {where} is empty")
    if mention.term and mention.term != stands:
        raise ValueError(f"the text has '{stands}' at {where}, not '{mention.term}'")
    return Link(mention.start, mention.end, *_said(mention))


def _said(one: Link | Linked) -> tuple[Any, ...]:
    """All that is said of a mention beside its place."""
    return one.titles, one.score, one.named, one.type, one.tags, one.ids, one.names


def write(documents: Iterable[Document]) -> Iterator[str]:
    """A line for each text."""
    for document in documents:
        yield encode(document) + "\n"


def encode(document: Document) -> str:
    """One text as its line, with ``mentions`` and ``titles`` even where there are none."""
    line = LinkedLine.of(document)
    plain = msgspec.to_builtins(line)
    plain["mentions"] = [
        {**one, "term": mention.term, "titles": mention.titles}
        for one, mention in zip(plain.get("mentions", ()), line.mentions, strict=True)
    ]
    return msgspec.json.encode(plain).decode()


FORMAT = Format(
    "jsonl",
    "Tatian's mentions, a text a line",
    "mention",
    (".jsonl", ".json"),
    lambda head: head.lstrip().startswith("{"),
    read,
    write,
)
