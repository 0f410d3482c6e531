"""What an uncased encoder cannot see in a word (shape, ending), and how its lemma is made."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from tatian.assets import sections

SHAPE_LENGTH = 6
ENDINGS = (2, 3)

_VERBS = sections(Path(__file__).with_name("verbs.txt"))["verbs"]
_PASTS = {past: verb for verb, *pasts in map(str.split, _VERBS.splitlines()) for past in pasts}
_BEFORE = re.compile(r"(?:over|under|with|out|re|un|mis|fore|for|be|up)(?=...)")

_LONG_RUN = re.compile(r"(.)\1{2,}", re.DOTALL)


def shape(word: str) -> str:
    """The word's pattern of cases, digits and signs; ``McDonald`` is ``XxXxx``."""
    return _LONG_RUN.sub(r"\1\1", "".join(map(_class, word)))[:SHAPE_LENGTH]


def _class(character: str) -> str:
    if character.isupper() or character.istitle():
        return "X"
    if character.isalpha():
        return "x"
    if character.isdecimal():
        return "d"
    return character


def endings(word: str) -> tuple[str, str]:
    """The lower-cased word's last two and last three characters."""
    lowered = word.lower()
    short, long = ENDINGS
    return lowered[-short:], lowered[-long:]


def verb_of(form: str, fine: str) -> str | None:
    """The verb that a past form which no rule makes belongs to, "withdrew" of "withdraw"."""
    if fine not in ("VBD", "VBN"):
        return None
    lowered = form.lower()
    before = _BEFORE.match(lowered)
    start = before.end() if before and lowered not in _PASTS else 0
    verb = _PASTS.get(lowered[start:])
    return verb and lowered[:start] + verb


def lemma_of(form: str, script: str) -> str:
    """The lemma that `script` (``case|drop|append``) makes of `form`; never empty.

    The form as it is (``k``), lower-cased (``l``) or capitalised (``f``), less `drop` characters
    at the end, then `append`. A script that drops more than there is leaves the form in its case.
    """
    case, drop, append = script.split("|", 2)
    cased = in_case(form, case)
    kept = len(cased) - int(drop)
    return (cased[:kept] + append if kept >= 0 else cased) or form


def in_case(form: str, case: str) -> str:
    """The form as it is (``k``), lower-cased (``l``), or capitalised (``f``)."""
    if case == "l":
        return form.lower()
    if case == "f":
        return form[:1].upper() + form[1:].lower()
    return form


@lru_cache(1 << 12)
def features_of(text: str) -> dict[str, str]:
    """Morphological features as CoNLL-U writes them; the same text gives the same dictionary."""
    if text in ("", "_"):
        return {}
    return dict(item.partition("=")[::2] for item in text.split("|"))


def features_text(features: dict[str, str]) -> str:
    """Features as CoNLL-U writes them: sorted by name, ``_`` for none."""
    ordered = sorted(features.items(), key=lambda item: item[0].lower())
    return "|".join(f"{name}={value}" if value else name for name, value in ordered) or "_"
