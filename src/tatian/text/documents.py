"""Document: its text, its metadata, and the layers that steps have added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from tatian.errors import InputError, LayerMissing
from tatian.text.layers import SENTENCES, TOKENS, Authorship, Layer, LayerKey
from tatian.text.spans import S, Sentence, Span, Token, inside, within

T = TypeVar("T")


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

    def get(self, key: LayerKey[T]) -> tuple[T, ...]:
        """Return the annotations of one layer; raises `LayerMissing` if no step has filled it."""
        layer = self.layers.get(key.name)
        if layer is None:
            raise LayerMissing(self.id, key.name)
        return layer.items

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
                    f"not a Tatian document: token {token.text!r} at {token.start} does not stand "
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
