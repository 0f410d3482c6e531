"""Tatian's mentions JSONL: a text a line, with all that any benchmark says of its mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.formats.format import Format, Losses
from tatian.formats.records import LinkedMention, LinkedText
from tatian.text import Span

_DECODER = msgspec.json.Decoder(LinkedText)
_ENCODER = msgspec.json.Encoder()


def read(text: str, path: str | None = None) -> Iterator[LinkedText]:
    """The texts of a JSONL file; blank lines count for nothing, mentions come in text order."""
    found = False
    for number, line in lines(text):
        found = True
        try:
            yield _checked(_DECODER.decode(line))
        except (msgspec.DecodeError, UnicodeEncodeError, ValueError, RecursionError) as error:
            raise InputError(reason(error), path=path, line=number) from error
    if not found:
        raise EmptyInput("no text in it", path=path)


def lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a JSONL file that are not blank, with their numbers."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line := line.strip("\ufeff \t\r"):
            yield number, line


def reason(error: Exception) -> str:
    """Why a line cannot be read, for a person."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    known = isinstance(error, msgspec.ValidationError | InputError)
    return (
        str(error) if known or not isinstance(error, msgspec.DecodeError) else f"not JSON: {error}"
    )


def _checked(text: LinkedText) -> LinkedText:
    for span in text.evaluated:
        if span.end > len(text.text):
            raise ValueError(f"the evaluated part {span.start}..{span.end} lies outside the text")
    mentions = sorted((_placed(one, text.text) for one in text.mentions), key=place)
    return replace(text, mentions=tuple(mentions))


def _placed(mention: LinkedMention, text: str) -> LinkedMention:
    stands = mention.of(text)
    where = f"{mention.start}..{mention.end}"
    if mention.end > len(text):
        raise ValueError(f"the mention at {where} lies outside the text")
    if not stands:
        raise ValueError(f"the mention at {where} is empty")
    if not mention.term:
        return replace(mention, term=stands)
    if mention.term != stands:
        raise ValueError(f"the text has '{stands}' at {where}, not '{mention.term}'")
    return mention


def place(mention: Span) -> tuple[int, int]:
    """Where a mention stands, for sorting."""
    return mention.start, -mention.end


def write(texts: Iterable[LinkedText], losses: Losses) -> Iterator[str]:
    """A line for each text."""
    for text in texts:
        yield encode(text) + "\n"


def encode(text: LinkedText) -> str:
    """One text as its line, with ``mentions`` and ``titles`` even where there are none."""
    plain = msgspec.to_builtins(text)
    plain["mentions"] = [
        {**one, "term": mention.term, "titles": mention.titles}
        for one, mention in zip(plain.get("mentions", ()), text.mentions, strict=True)
    ]
    return _ENCODER.encode(plain).decode()


FORMAT = Format(
    "jsonl",
    "Tatian's mentions, a text a line",
    "mention",
    (".jsonl", ".json"),
    lambda head: head.lstrip().startswith("{"),
    read,
    write,
)
