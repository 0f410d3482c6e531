"""What the colours of a union mean, in words: each sentence has one, what several say has another.

A colour never stands alone: underlines on pages, brackets in plain text say the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from tatian.union.views.colouring import Piece, Sources

TINTS = 4
"""Sentences with a colour of their own; further ones take turns."""
AMISS = {
    "missing": "seems to be missing from the union",
    "unfaithful": "seems to be in no sentence",
    "repeated": "seems to be said before",
}


def kind(sources: Sources) -> str:
    """The name of a colour: ``s0`` and so on for one sentence, ``all`` for several."""
    if not sources:
        return ""
    return "all" if len(sources) > 1 else f"s{sources[0] % TINTS}"


def meaning(sources: Sources, sentences: int) -> str:
    """What a colour says."""
    if not sources:
        return ""
    if len(sources) == 1:
        return f"only sentence {sources[0] + 1}"
    if len(sources) == sentences:
        return "both sentences" if sentences == 2 else "all sentences"
    return f"sentences {' and '.join(str(index + 1) for index in sources)}"


def bracketed(pieces: Sequence[Piece]) -> str:
    """Colours as brackets, for plain text: ``[2: Waitrose supermarket]``, ``[1+2: fire]``."""
    written = ""
    for piece in pieces:
        sign = "+".join(str(index + 1) for index in piece.sources)
        if piece.amiss:
            sign += f"{', ' if sign else ''}{piece.amiss}"
        written += f"[{sign}: {piece.text}]" if sign else piece.text
    return written
