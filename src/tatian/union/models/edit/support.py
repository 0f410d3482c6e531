"""Every word of a union names all the places that stand behind it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tatian.text import WovenToken
from tatian.text.provenance import SourceKind
from tatian.union.models.edit.words import stems_of


def supported(
    tokens: Sequence[WovenToken], strands: Sequence[Sequence[WovenToken]]
) -> tuple[WovenToken, ...]:
    """The words, each also naming the word of the other sentence that says the same."""
    free: dict[str, list[WovenToken]] = {}
    for strand_tokens in strands:
        stems = stems_of(token.text for token in strand_tokens)
        for token, stem in zip(strand_tokens, stems, strict=True):
            if len(stem) > 1 and token.sources:
                free.setdefault(stem, []).append(token)
    result = []
    for token, stem in zip(tokens, stems_of(t.text for t in tokens), strict=True):
        known = {source.document for source in token.sources}
        for twin in free.get(stem, ()):
            source = twin.sources[0]
            if token.sources and source.document not in known:
                same = twin.text.lower() == token.text.lower()
                kind: SourceKind = "copied" if same else "inflected"
                token = replace(token, sources=(*token.sources, replace(source, kind=kind)))
                known.add(source.document)
        result.append(token)
    return tuple(result)
