"""Blanks for the articles of ECB+, whose tokens were cut at every punctuation mark.

Its annotation tool wrote ``$120 , 000``, ``U . S .``, ``court - ordered`` and ``night ’ s``, but
left straight quotes on their words (``"We``). No general detokenizer can tell these from real
blanks, so the rules stand here. What they cannot know is whether a lone hyphen was a dash: it is
read as one before words such as "who" and "the", and as a hyphen elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from tatian.text.lexicon import CLITICS, PREPOSITIONS, STOP_WORDS

_OPENING = frozenset("([{“‘")
_CLOSING = frozenset(".,:;?!)]}…”’%")
_STOPS = frozenset(".,?!…")
_DOMAINS = frozenset({"com", "org", "net", "gov", "edu", "co", "uk", "au", "html"})
_CLITICS = frozenset(clitic[1:] for clitic in CLITICS if clitic[0] == "’") | {"t"}
_AFTER_DASH = STOP_WORDS - PREPOSITIONS - {"all", "half", "no", "one", "other"}


def spaces_after(words: Sequence[str]) -> list[bool]:
    """Whether a blank follows each of `words`, the tokens of one ECB+ sentence."""
    quotes = 0
    spaces = []
    for index, word in enumerate(words):
        quotes += word.count('"')
        spaces.append(index + 1 < len(words) and _space(words, index, quotes % 2 == 1))
    return spaces


def _space(words: Sequence[str], index: int, quoting: bool) -> bool:
    """Whether a blank stands between `words[index]` and the next one."""
    left, right = words[index], words[index + 1]
    before = words[index - 1] if index else ""
    after = words[index + 2] if index + 2 < len(words) else ""
    if left in _OPENING or (left == '"' and quoting):
        return False
    if right in ('"', "'", "''"):
        return not (quoting or right != '"' or left in _STOPS)
    if right in _CLOSING:
        return left in ("-", "–", "—")
    match left:
        case ".":
            return not (_initials(before, right, after) or _number(before, right) or _domain(right))
        case ",":
            return not (_number(before, right) and len(right) == 3)
        case ":":
            return not (_number(before, right) and len(right) >= 2)
        case "’":
            return not (right in _CLITICS or before in ("O", "D", "d"))
        case "/" | "_":
            return False
        case "-":
            return not (right == "-" or _hyphen(before, right, after))
    if right == "-":
        beyond = words[index + 3] if index + 3 < len(words) else ""
        return not _hyphen(left, after, beyond)
    return right not in ("/", "_")


def _initials(before: str, right: str, after: str) -> bool:
    """``U . S .`` and ``a . m .``."""
    single = len(before) == len(right) == 1 and before.isalpha() and right.isalpha()
    return single and after == "."


def _number(before: str, right: str) -> bool:
    return before[-1:].isdigit() and right[:1].isdigit()


def _domain(right: str) -> bool:
    return right in _DOMAINS


def _hyphen(left: str, right: str, after: str) -> bool:
    """Whether the hyphen between the two words joins them ("hit - and - run")."""
    if not (left[-1:].isalnum() and right[:1].isalnum()):
        return False
    return after == "-" or right.lower() not in _AFTER_DASH
