"""Chains that another resolver found earlier, from a file of any coreference format."""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from tatian.coreference.data.formats import find, recognize
from tatian.errors import InputError
from tatian.text import CHAINS, Authorship, Chain, Document, Mention, Span
from tatian.text.opening import open_stream


class Precomputed:
    """Gives each document the chains that a file has for it, found by id or, alone, by its text."""

    def __init__(self, path: str, *, format: str | None = None) -> None:
        """`path` is read when first needed; `format` is told by its first lines if not given."""
        self._path = path
        self._format = format

    @cached_property
    def _documents(self) -> dict[str, Document]:
        with open_stream(self._path) as stream:
            text = stream.read().decode("utf-8", errors="replace")
        known = find(self._format) if self._format else recognize(text, self._path)
        return {document.id: document for document in known.read(text, self._path)}

    def resolve(self, document: Document) -> Document:
        """Add the `chains` layer; raises `InputError` where the file does not have the document.

        The two texts may differ in white space only.
        """
        found = self._documents.get(document.id)
        if found is None and len(self._documents) == 1:
            (found,) = self._documents.values()
        if found is None:
            raise InputError(f"no document '{document.id}' in it", path=self._path)
        chains = _moved(found, document)
        if chains is None:
            message = f"the text of '{found.id}' is not that of document '{document.id}'"
            raise InputError(message, path=self._path)
        return document.with_layer(CHAINS, chains, Authorship(by=f"file:{self._path}"))


def _moved(found: Document, document: Document) -> list[Chain] | None:
    """The chains at their places in another text; None where the words differ."""
    theirs, ours = (_letters(one.text) for one in (found, document))
    if [found.text[place] for place in theirs] != [document.text[place] for place in ours]:
        return None
    to = dict(zip(theirs, ours, strict=True))

    def move(span: Span) -> Span:
        inside = [to[place] for place in range(span.start, span.end) if place in to]
        return Span(inside[0], inside[-1] + 1) if inside else Span(0, 0)

    def moved(mention: Mention) -> Mention:
        place = move(mention)
        return replace(
            mention,
            start=place.start,
            end=place.end,
            head=None if mention.head is None else move(mention.head),
            parts=tuple(map(move, mention.parts)),
        )

    made = []
    for chain in found.get(CHAINS):
        mentions = tuple(sorted(one for one in map(moved, chain.mentions) if len(one)))
        if mentions:
            made.append(replace(chain, mentions=mentions))
    return made


def _letters(text: str) -> list[int]:
    return [place for place, letter in enumerate(text) if not letter.isspace()]
