"""Written text that knows where each of its words came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

SourceKind = Literal["copied", "inflected", "substituted", "aggregated"]

_ADDRESS_MARKS = frozenset("./:@")


class Source(Struct, frozen=True, order=True):
    """The place in an account that an output word stands for."""

    document: str
    start: int
    end: int
    kind: SourceKind = "copied"


class WovenToken(Struct, frozen=True):
    """One word of the output; without sources it is glue, written by Tatian itself."""

    text: str
    sources: tuple[Source, ...] = ()
    space: bool = True
    """Whether a blank stands before it."""
    quoted: bool = False
    """Whether it stands inside quotation marks, where it must not be changed."""

    @property
    def glue(self) -> bool:
        """Whether no account has this word."""
        return not self.sources


def render(tokens: Iterable[WovenToken]) -> str:
    """The text of `tokens`, without a leading blank."""
    text = "".join((" " if token.space else "") + token.text for token in tokens)
    return text.removeprefix(" ")


def glue(text: str, *, space: bool = True) -> WovenToken:
    """A word of our own."""
    return WovenToken(text, (), space)


def capitalized(tokens: Sequence[WovenToken]) -> tuple[WovenToken, ...]:
    """The same sentence with a capital at its start, as English writes it.

    Quoted words, addresses and names such as "iPhone" stay as they are.
    """
    for index, token in enumerate(tokens):
        if not any(character.isalnum() for character in token.text):
            continue
        if not token.quoted and token.text[0].isalpha() and _is_plain(token.text):
            first = replace(token, text=token.text[0].upper() + token.text[1:])
            return (*tokens[:index], first, *tokens[index + 1 :])
        break
    return tuple(tokens)


def _is_plain(word: str) -> bool:
    return word.islower() and _ADDRESS_MARKS.isdisjoint(word)
