"""Every word of a union names all the places that stand behind it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tatian.text import WovenToken
from tatian.text.provenance import SourceKind
from tatian.union.models.aligning.words import Alignment


def supported(tokens: Iterable[WovenToken], alignment: Alignment) -> tuple[WovenToken, ...]:
    """The words, those of the base also naming the word of the other that says the same."""
    other, base = alignment.other, alignment.base
    place_of = {(t.sources[0].document, t.sources[0].start): p for p, t in enumerate(base.tokens)}
    result = []
    for token in tokens:
        source = token.sources[0] if token.sources else None
        place = place_of.get((source.document, source.start)) if source else None
        for twin in alignment.to_other.get(place, ()) if place is not None else ():
            kind: SourceKind = "substituted"
            if other.lower[twin] == token.text.lower():
                kind = "copied"
            elif other.words[twin].lemma == base.words[place].lemma:  # type: ignore[index]
                kind = "inflected"
            found = replace(other.tokens[twin].sources[0], kind=kind)
            if found not in token.sources:
                token = replace(token, sources=(*token.sources, found))
        result.append(token)
    return tuple(result)
