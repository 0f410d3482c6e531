"""What CoNLL-U says of a sentence beside its words, kept so that it can be written again."""

from __future__ import annotations

from msgspec import Struct

from tatian.text import LayerKey

COLUMNS = 10
NONE = "_"
"""An empty column."""
NAME = "NER="
UNSPACED = "SpaceAfter=No"


class Range(Struct, frozen=True, omit_defaults=True):
    """A multiword token: words `first` to `last`, counted from 1, written as one `form`."""

    first: int
    last: int
    form: str
    misc: str = NONE


class Frame(Struct, frozen=True, omit_defaults=True):
    """The comments of a sentence, its multiword tokens, and what MISC says of each word."""

    comments: tuple[str, ...] = ()
    """Whole lines, with their ``#``."""
    ranges: tuple[Range, ...] = ()
    misc: tuple[str, ...] = ()


FRAMES = LayerKey("conllu", Frame)
"""One frame per sentence of the sentences layer."""


def items(misc: str) -> list[str]:
    """What a MISC column lists."""
    return [] if misc == NONE else misc.split("|")


def joined(listed: list[str]) -> str:
    """A MISC column that lists these."""
    return "|".join(listed) or NONE
