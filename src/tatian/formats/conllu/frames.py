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
    features: str = NONE
    """Only ``Typo=Yes`` is usual."""


class Frame(Struct, frozen=True, omit_defaults=True):
    """The comments of a sentence, its multiword tokens, and what MISC says of each word."""

    comments: tuple[str, ...] = ()
    """Whole lines, with their ``#``."""
    ranges: tuple[Range, ...] = ()
    misc: tuple[str, ...] = ()
    enhanced: tuple[str, ...] = ()
    """The enhanced dependencies (DEPS) of each word; nothing where no word has any."""
    empty: tuple[str, ...] = ()
    """Empty nodes, as whole lines."""

    def comment(self, key: str) -> str | None:
        """What ``# key = value`` says: nothing for ``# key`` alone, None where there is neither."""
        for line in self.comments:
            name, _, value = line.removeprefix("#").partition("=")
            if name.strip() == key:
                return value.strip()
        return None

    def opens(self, unit: str) -> bool:
        """Whether a new document (``newdoc``) or paragraph (``newpar``) begins here."""
        return any(self.comment(key) is not None for key in (unit, f"{unit} id"))


FRAMES = LayerKey("conllu", Frame)
"""One frame per sentence of the sentences layer."""


def items(misc: str) -> list[str]:
    """What a MISC column lists."""
    return [] if misc == NONE else misc.split("|")


def value(misc: str, start: str) -> str:
    """What follows `start` (such as ``NER=``) in a MISC column; empty where it is not listed."""
    return next((item[len(start) :] for item in items(misc) if item.startswith(start)), "")
