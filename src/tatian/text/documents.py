"""Document: its text, its metadata, its layers, and passages of it with their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from tatian.errors import InputError, LayerMissing
from tatian.text.layers import SENTENCES, TOKENS, Authorship, Layer, LayerKey, Source, SourcedToken
from tatian.text.spans import S, Sentence, Span, Token, inside, within
from tatian.text.tokenizer import BLANK_LINE

T = TypeVar("T")

MARKS = frozenset({'"', "“", "”", "``", "''"})
"""Quotation marks."""
_MARK = re.compile("[\"“”]|``|''")
_OPENING = frozenset({"“", "``"})
_BEFORE_OPENING = frozenset("([{-–—‘")
_AFTER_CLOSING = frozenset(".,;:!?)]}-–—’")
_CLOSES_SPEECH = frozenset(".,!?…")
_QUOTATION_REACH = 4000
"""Number of characters before a token in which the beginning of a quotation is sought."""


class Metadata(Struct, frozen=True, omit_defaults=True):
    """Metadata of a text."""

    title: str | None = None
    date: str | None = None
    """ISO 8601 date that "yesterday" is relative to."""
    source: str | None = None
    """Publisher."""
    topic: str | None = None
    path: str | None = None
    extra: dict[str, str] = {}


class Document(Struct, frozen=True, omit_defaults=True):
    """Text with its standoff annotations; never changed in place."""

    id: str
    text: str
    metadata: Metadata = Metadata()
    layers: dict[str, Layer[Any]] = field(default_factory=dict)

    def has(self, key: LayerKey[Any]) -> bool:
        """Check whether a step has filled this layer (perhaps with nothing)."""
        return key.name in self.layers

    def get(self, key: LayerKey[T], default: tuple[T, ...] | None = None) -> tuple[T, ...]:
        """Return the annotations of one layer, or `default` if no step has filled it.

        Without a default, raise `LayerMissing`.
        """
        if layer := self.layers.get(key.name):
            return layer.items
        if default is None:
            raise LayerMissing(self.id, key.name)
        return default

    def with_layer(self, key: LayerKey[T], items: Iterable[T], made: Authorship | str) -> Document:
        """Return a copy with `items` as its `key` layer, made by `made`; spans are sorted."""
        kept = tuple(items)
        if issubclass(key.item, Span):
            kept = tuple(sorted(kept, key=_place))
            for item in kept:
                if _place(item)[1] > len(self.text):
                    raise ValueError(f"{item} lies outside document '{self.id}'")
        author = made if isinstance(made, Authorship) else Authorship(by=made)
        layers = {**self.layers, key.name: Layer(made=author, items=kept)}
        return msgspec.structs.replace(self, layers=layers)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Tokens layer."""
        return self.get(TOKENS)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Sentences layer."""
        return self.get(SENTENCES)

    def tokens_in(self, span: Span) -> Sequence[Token]:
        """Return the tokens that lie wholly inside `span`."""
        return within(self.tokens, span)

    def inside(self, key: LayerKey[S], span: Span) -> list[S]:
        """Return the annotations of a layer of spans that lie wholly inside `span`."""
        return inside(self.get(key), span)

    def without(self, *keys: LayerKey[Any]) -> Document:
        """Return a copy without some layers."""
        dropped = {key.name for key in keys}
        layers = {name: layer for name, layer in self.layers.items() if name not in dropped}
        return msgspec.structs.replace(self, layers=layers)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`; `from_json` gives back an equal document."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    @classmethod
    def from_json(cls, data: Any) -> Document:
        """Read what `to_json` wrote; undefined layers are kept as plain data."""
        try:
            loose = msgspec.convert(data, cls)
            typed = {name: _typed(name, layer) for name, layer in loose.layers.items()}
            document = msgspec.structs.replace(loose, layers=typed)
        except (msgspec.ValidationError, ValueError) as error:
            raise InputError(f"not a Tatian document: {error}") from error
        for token in document.get(TOKENS) if document.has(TOKENS) else ():
            if token.of(document.text) != token.text:
                raise InputError(
                    f"not a Tatian document: token {token.text!r} at {token.start} is not "
                    f"in the text of '{document.id}'"
                )
        return document


def _place(item: Any) -> tuple[int, int]:
    return item.start, item.end


def _typed(name: str, layer: Layer[Any]) -> Layer[Any]:
    key = LayerKey.known.get(name)
    if key is None:
        return layer
    items = msgspec.convert(layer.items, tuple[key.item, ...])  # type: ignore[name-defined]
    if issubclass(key.item, Span) and list(items) != sorted(items, key=_place):
        raise ValueError(f"layer '{name}' is not in the order of the text")
    return Layer(made=layer.made, items=items)


class Passage(Struct, frozen=True):
    """Sentence, or another part of a document, with its document's layers."""

    document: Document
    span: Span

    @property
    def text(self) -> str:
        """Text of the part."""
        return self.span.of(self.document.text)


class Claim(Struct, frozen=True):
    """Statement of one source at a point where sources differ."""

    document: str
    start: int
    end: int
    text: str


def copy_tokens(passage: Passage) -> tuple[SourcedToken, ...]:
    """Copy the passage's words as output words, spaced as in the original.

    Reads the document's `tokens` layer. Any white space before a word becomes one blank. The first
    word of the passage counts as preceded by one, so that copies can follow other words.
    """
    copied = []
    position = -1
    tokens = passage.document.tokens_in(passage.span)
    for token, quoted in zip(tokens, quoted_tokens(passage.document.text, tokens), strict=True):
        source = Source(passage.document.id, token.start, token.end)
        copied.append(SourcedToken(token.text, (source,), token.start != position, quoted))
        position = token.end
    return tuple(copied)


def quoted_tokens(text: str, tokens: Sequence[Token]) -> list[bool]:
    """Return whether each of some neighbouring tokens of a text is inside quotation marks.

    The marks count as inside. A quotation may have begun in an earlier sentence. It ends with the
    paragraph at the latest, so that an unclosed mark does no harm further on.
    """
    flags: list[bool] = []
    if not tokens:
        return flags
    inside = _is_inside(text, tokens[0].start)
    position = tokens[0].start
    outside_since = 0
    for token in tokens:
        if token.start > position + 1 and BLANK_LINE.search(text, position, token.start):
            inside = False
            outside_since = len(flags)
        position = token.end
        if token.text not in MARKS:
            flags.append(inside)
            continue
        opens = _opens(text, token.start, token.end, inside)
        if not inside and not opens and text[token.start - 1 : token.start] in _CLOSES_SPEECH:
            flags[outside_since:] = [True] * (len(flags) - outside_since)
            inside = True
        flags.append(inside or opens)
        inside = opens
        outside_since = len(flags)
    return flags


def _is_inside(text: str, position: int) -> bool:
    """Check whether a quotation opened earlier in the paragraph is still open at `position`."""
    start = max(0, position - _QUOTATION_REACH)
    inside = False
    if marks := [*_MARK.finditer(text, start, position)]:
        for end in BLANK_LINE.finditer(text, start, position):
            start = end.end()
        for mark in marks:
            if mark.start() >= start:
                inside = _opens(text, mark.start(), mark.end(), inside)
    return inside


def _opens(text: str, start: int, end: int, inside: bool) -> bool:
    """Check whether the mark opens a quotation; a straight one by the blanks around it."""
    mark = text[start:end]
    if mark != '"':
        return mark in _OPENING
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    free_before = not before or before.isspace() or before in _BEFORE_OPENING
    free_after = not after or after.isspace() or after in _AFTER_CLOSING
    return free_before if free_before != free_after else not inside
