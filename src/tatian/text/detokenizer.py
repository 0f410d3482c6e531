"""Text with English spacing from corpora that come as tokens, with the way back to each token."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from tatian.text.lexicon import CLITICS, PREPOSITIONS, STOP_WORDS
from tatian.text.spans import Span
from tatian.text.tokenizer import PARTS

ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "\\/": "/",
    "\\*": "*",
}
"""How the Penn Treebank writes what its format could not."""

_JOINED = frozenset(pair for parts in PARTS.values() for pair in pairwise(parts))
_BOUND_LEFT = re.compile(r"[,.;:?!%)\]}”»°]|\.{2,}|…|[?!]{2,}")
_BOUND_RIGHT = re.compile(r"[(\[{“«‘`#]|(?:US|AU?|CA?|HK|NZ)?[$£€¥]")
_DASHED = STOP_WORDS - PREPOSITIONS - {"all", "half", "no", "one", "other", "just", "must", "s"}
_PLURAL = re.compile(r"(?i).*[sxz]")


def detokenize(
    words: Sequence[str], space_after: Sequence[bool] | None = None
) -> tuple[str, tuple[Span, ...]]:
    """The text that `words` stand for, and where in it each of them is.

    Give `space_after` where the corpus knows (`SpaceAfter=No` in CoNLL-U); otherwise English habits
    decide. Penn Treebank escapes such as ``-LRB-`` are written as the marks they stand for.
    """
    forms = [ESCAPES.get(word, word) for word in words]
    if space_after is None:
        gaps = _habits(words, forms)
    elif len(space_after) == len(forms):
        gaps = [" " if space else "" for space in space_after]
    else:
        raise ValueError(f"{len(words)} words, but space_after has {len(space_after)} entries")
    gaps[-1:] = [""] if forms else []
    ends = list(accumulate(len(form) + len(gap) for form, gap in zip(forms, gaps, strict=True)))
    spans = tuple(
        Span(end - len(gap) - len(form), end - len(gap))
        for form, gap, end in zip(forms, gaps, ends, strict=True)
    )
    return "".join(form + gap for form, gap in zip(forms, gaps, strict=True)), spans


def _habits(words: Sequence[str], forms: Sequence[str]) -> list[str]:
    """For each word, the blank that English puts after it, if any."""
    opening = _opening_quotes(words, forms)
    count = len(forms)
    return [
        "" if index + 1 < count and _touch(forms, opening, index) else " " for index in range(count)
    ]


def _opening_quotes(words: Sequence[str], forms: Sequence[str]) -> list[bool]:
    """Which straight quotes open; they alternate, and apostrophes after a plural are none."""
    opening = [False] * len(forms)
    inside = {'"': False, "'": False}
    for index, (word, form) in enumerate(zip(words, forms, strict=True)):
        if form not in inside:
            continue
        if word in ("``", "''"):
            opens = word == "``"
        elif index and index == len(forms) - 1:
            opens = False
        elif form == "'" and not inside[form] and index and _PLURAL.fullmatch(forms[index - 1]):
            continue
        else:
            opens = not inside[form]
        opening[index] = inside[form] = opens
    return opening


def _touch(forms: Sequence[str], opening: Sequence[bool], index: int) -> bool:
    """Whether no blank stands between the words at `index` and `index` + 1."""
    left, right = forms[index], forms[index + 1]
    if left in ("'", '"') and opening[index]:
        return True
    if right.lower() in CLITICS or (left.lower(), right.lower()) in _JOINED:
        return True
    if _BOUND_LEFT.fullmatch(right):
        return True
    if _BOUND_RIGHT.fullmatch(left):
        return left != "#" or right[0].isalnum()
    if right in ("'", '"', "’", "’’"):
        return not opening[index + 1]
    if right in ("-", "‐", "‑", "/"):
        return _binds(forms, index + 1)
    if left in ("-", "‐", "‑", "/"):
        return _binds(forms, index)
    return False


def _binds(forms: Sequence[str], index: int) -> bool:
    """Whether the hyphen or slash at `index` joins its neighbours rather than standing alone."""
    if not 0 < index < len(forms) - 1:
        return False
    left, right = forms[index - 1], forms[index + 1]
    if not (left[-1].isalnum() and right[0].isalnum()):
        return False
    if forms[index] == "/":
        return True
    chained = "-" in (*forms[max(0, index - 2) : index], *forms[index + 2 : index + 3])
    function_word = left.lower() in _DASHED or right.lower() in _DASHED
    return chained or not function_word
