"""Names without what news puts around them: titles, lands, what somebody sits for, legal forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tatian.aggregation.models.generating.positions import TITLES
from tatian.aggregation.models.generating.wording import adjectives
from tatian.text.lexicon import word_set

_ADDRESSES = word_set(
    "the mr mrs ms miss dr sir dame lord lady rev reverend cardinal sen rep reps representatives "
    "senators gov prof professor gen adm col capt justice former house senate us"
)
_POSSESSIVE = re.compile(r"^(?:\S+ ){0,2}\S+[’']s? (?=[A-Z])")
_OWNED = re.compile(r"[’']s?$")
_SEAT = re.compile(r" (?:of|from) (?:the )?[A-Z].*$")
_LEGAL = re.compile(r",? (?:Inc|Corp|Co|Ltd|LLC|PLC|AG|SA|SE|Corporation|Company)\.?$")


def forms(name: str, type: str) -> Iterator[str]:
    """The name itself, then what is left of it without titles and the like, each once."""
    plain = _OWNED.sub("", name)
    found = dict.fromkeys((name, plain))
    if type == "person":
        bare = _POSSESSIVE.sub("", _SEAT.sub("", plain))
        found |= dict.fromkeys((bare, _untitled(bare)))
    elif type == "organization":
        found |= dict.fromkeys((_LEGAL.sub("", plain),))
    found |= dict.fromkeys((_without_article(plain),))
    yield from filter(None, found)


def _untitled(name: str) -> str:
    """``Angela Merkel`` of ``German Chancellor Angela Merkel``."""
    words = name.split()
    last = max((at for at, word in enumerate(words) if _is_title(word)), default=-1)
    return " ".join(words[last + 1 :])


def _is_title(word: str) -> bool:
    low = word.lower().strip(".")
    return low in _ADDRESSES or low in TITLES or word in adjectives()


def _without_article(name: str) -> str:
    return name[4:] if name.lower().startswith("the ") else name
