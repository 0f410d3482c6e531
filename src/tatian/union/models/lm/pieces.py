"""The word pieces of a language model: byte-level pair encoding, as its GGUF file describes it.

Text never turns into a control token, so nothing that stands in a sentence can end a prompt or
begin another; control tokens are put in by their name, with `Pieces.control`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from tatian.errors import AssetError
from tatian.union.models.lm.gguf import GGUF

KNOWN = ("smollm",)
"""Ways of cutting text before pairs are merged that are implemented here."""

_CUT = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W_]+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")
_CONTROL = 3
"""The type of tokens that text must not produce."""


def _letters() -> list[str]:
    """A printable character for each byte: itself where it prints, else one beyond Latin-1."""
    printing = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return [chr(byte) if byte in printing else chr(next(spare)) for byte in range(256)]


LETTERS = _letters()
_BYTES = {letter: byte for byte, letter in enumerate(LETTERS)}


class Pieces:
    """Turns text into the numbers a language model reads, and back."""

    def __init__(self, tokens: Sequence[str], merges: Sequence[str], kinds: Sequence[int]) -> None:
        self.tokens = tokens
        self._ids = {token: id for id, token in enumerate(tokens)}
        self._controls = {tokens[id]: id for id, kind in enumerate(kinds) if kind == _CONTROL}
        self._ranks = {
            (left, right): rank
            for rank, (left, _, right) in enumerate(merge.partition(" ") for merge in merges)
        }
        self._merged = lru_cache(maxsize=1 << 16)(self._merge)

    @classmethod
    def of(cls, file: GGUF) -> Pieces:
        """The pieces that a model's file brings with it."""
        cutting = file.text("tokenizer.ggml.pre")
        if file.text("tokenizer.ggml.model") != "gpt2" or cutting not in KNOWN:
            raise AssetError(f"{file.path} cuts text by '{cutting}'; known: {', '.join(KNOWN)}")
        return cls(
            file.items("tokenizer.ggml.tokens"),
            file.items("tokenizer.ggml.merges"),
            file.items("tokenizer.ggml.token_type"),
        )

    def encode(self, text: str) -> list[int]:
        """The pieces of a text; what looks like a control token is spelled out."""
        return [id for word in _words(text) for id in self._merged(word)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of some pieces, control tokens left out."""
        letters = "".join(self.tokens[id] for id in ids if self.tokens[id] not in self._controls)
        data = bytes(_BYTES[letter] for letter in letters if letter in _BYTES)
        return data.decode("utf-8", errors="replace")

    def control(self, name: str) -> int:
        """The number of a control token."""
        try:
            return self._controls[name]
        except KeyError:
            raise AssetError(f"the language model has no control token '{name}'") from None

    def _merge(self, word: str) -> tuple[int, ...]:
        parts = [LETTERS[byte] for byte in word.encode("utf-8", errors="replace")]
        while len(parts) > 1:
            pairs = [(self._ranks.get(pair), at) for at, pair in enumerate(pairwise(parts))]
            ranked = [(rank, at) for rank, at in pairs if rank is not None]
            if not ranked:
                break
            best, _ = min(ranked)
            parts = self._joined(parts, best)
        return tuple(self._id(part) for part in parts)

    def _joined(self, parts: list[str], rank: int) -> list[str]:
        """All places where the pair of this rank stands, from the left, made one."""
        found: list[str] = []
        at = 0
        while at < len(parts):
            pair = (parts[at], parts[at + 1]) if at + 1 < len(parts) else None
            if pair is not None and self._ranks.get(pair) == rank:
                found.append(pair[0] + pair[1])
                at += 2
            else:
                found.append(parts[at])
                at += 1
        return found

    def _id(self, part: str) -> int:
        try:
            return self._ids[part]
        except KeyError:
            raise AssetError(f"the language model has no piece for '{part}'") from None


def _words(text: str) -> Iterator[str]:
    """Each digit alone, and what stands between digits cut as GPT-2 does it."""
    begin = 0
    for at, character in enumerate(text):
        if unicodedata.category(character).startswith("N"):
            yield from _CUT.findall(text, begin, at)
            yield character
            begin = at + 1
    yield from _CUT.findall(text, begin)
