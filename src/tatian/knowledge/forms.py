"""How a term is written in the dictionary, so that it is found however a text writes it.

A term is its words in lower case, accents removed, one space between them; a word is a run of
letters and digits. ``Open-source software``, ``OPEN SOURCE SOFTWARE`` and ``open source software``
are one term; so are ``U.K.``, ``u_k`` and ``u k``, which is how recognisers of speech spell it.
"""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def normal_form(text: str) -> str:
    """The term that `text` is, as the dictionary has it; empty if it has no letter or digit."""
    return " ".join(words_of(text))


def words_of(text: str) -> list[str]:
    """The words of a term: lower case, without accents."""
    return _WORD.findall(fold(text))


def fold(text: str) -> str:
    """Lower case without accents; as long as `text`, so that offsets stay true."""
    if text.isascii():
        return text.lower()
    return "".join(_folded(character) for character in text)


def _folded(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[:1] or character
    lower = base.lower()
    return lower if len(lower) == 1 else character


def page_title(title: str) -> str:
    """A title as Wikipedia writes it: spaces for underscores, first letter upper case."""
    plain = " ".join(title.replace("_", " ").split())
    return plain[:1].upper() + plain[1:]
