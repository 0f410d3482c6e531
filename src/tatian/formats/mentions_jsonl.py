"""Tatian's mentions JSONL: one text per line, with all properties of its mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple

from tatian.errors import EmptyInput, InputError
from tatian.formats import Format
from tatian.formats.links import (
    build_document,
    evaluated_parts,
    links_of,
    part_of,
    title_of_text,
    topic_of,
)
from tatian.text import Document, Link, Span

T = TypeVar("T")


class LinkWithTerm(Link, frozen=True, omit_defaults=True):
    """A link as the file has it: with its words."""

    term: str = ""


class LinkedLine(Struct, frozen=True, omit_defaults=True):
    """A text as the file has it; `from_document` and `document` convert it."""

    id: str
    text: str
    topic: str = ""
    mentions: tuple[LinkWithTerm, ...] = ()
    evaluated: tuple[Span, ...] = ()
    title: str = ""
    part_of: str = ""

    @classmethod
    def from_document(cls, document: Document) -> LinkedLine:
        """Return the line for a document."""
        links = links_of(document)
        return cls(
            document.id,
            document.text,
            topic_of(document),
            tuple(LinkWithTerm(**asdict(link), term=link.of(document.text)) for link in links),
            evaluated_parts(document),
            title_of_text(document),
            part_of(document),
        )

    def document(self) -> Document:
        """Return the document of the line; raise a ValueError if it does not fit its own text."""
        for span in self.evaluated:
            if span.end > len(self.text):
                place = f"{span.start}..{span.end}"
                raise ValueError(f"the evaluated part {place} lies outside the text")
        return build_document(
            self.id,
            self.text,
            [_placed(mention, self.text) for mention in self.mentions],
            topic=self.topic,
            title=self.title,
            part_of=self.part_of,
            evaluated=self.evaluated,
        )


_DECODER = msgspec.json.Decoder(LinkedLine)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the texts of a JSONL file, mentions in text order; blank lines are skipped."""
    lines = parse_lines(text, path, lambda line: _DECODER.decode(line).document(), "text")
    return (document for _, document in lines)


def parse_lines(
    text: str, path: str | None, parse: Callable[[str], T], what: str
) -> Iterator[tuple[int, T]]:
    """Yield the result of `parse` for each line that is not blank, with the line's number.

    A line for which `parse` fails raises an `InputError`, and so does a file without any `what`.
    """
    has_lines = False
    for number, line in enumerate(text.split("\n"), start=1):
        if line := line.strip("\ufeff \t\r"):
            has_lines = True
            try:
                value = parse(line)
            except RecursionError as error:
                raise InputError("nested too deeply", path=path, line=number) from error
            except (msgspec.DecodeError, ValueError, InputError) as error:
                reason = str(error).replace("`", "'")
                if type(error) is msgspec.DecodeError:
                    reason = f"not JSON: {error}"
                raise InputError(reason, path=path, line=number) from error
            yield number, value
    if not has_lines:
        raise EmptyInput(f"the file contains no {what}", path=path)


def _placed(mention: LinkWithTerm, text: str) -> Link:
    actual = mention.of(text)
    where = f"{mention.start}..{mention.end}"
    if mention.end > len(text):
        raise ValueError(f"the mention at {where} lies outside the text")
    if not actual:
        raise ValueError(f"the mention at {where} is empty")
    if mention.term and mention.term != actual:
        raise ValueError(f"the text has '{actual}' at {where}, not '{mention.term}'")
    return Link(*astuple(mention)[:-1])


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield a line for each text."""
    for document in documents:
        yield encode(document) + "\n"


def encode(document: Document) -> str:
    """Return a text as its line, with ``mentions`` and ``titles`` even if they are empty."""
    line = LinkedLine.from_document(document)
    plain = msgspec.to_builtins(line)
    plain["mentions"] = [
        {"start": 0, "end": 0, "term": mention.term, "titles": mention.titles, **fields}
        for fields, mention in zip(plain.get("mentions", ()), line.mentions, strict=True)
    ]
    return msgspec.json.encode(plain).decode()


FORMAT = Format(
    "jsonl",
    "Tatian's mentions, one text per line",
    "mention",
    (".jsonl", ".json"),
    lambda head: head.lstrip().startswith("{"),
    read,
    write,
)
