"""The least that identifies a noun phrase: MUC-6 §4.1, the MIN attribute."""

from __future__ import annotations

from tatian.analysis.trees import Tree
from tatian.text.lexicon import MONTHS, word_set

Places = tuple[int, int]
"""From a first place up to an end."""

_AMOUNTS = word_set(
    "% percent pct $ £ € ¥ us$ c$ a$ dollar dollars cent cents pound pounds euro euros yen francs "
    "marks rupees yuan"
)


def minimum(tree: Tree, head: int, names: list[Places]) -> Places:
    """The head, or the whole name, date, amount of money or percentage that it belongs to."""
    for name in names:
        if name[0] <= head < name[1]:
            return name
    if _is_month(tree.text(head)):
        numbers = [c for c in tree.under(head, "nummod", "nmod") if tree.tag(c) == "NUM"]
        return _around(head, numbers)
    if tree.text(head).lower() in _AMOUNTS:
        numbers = [c for c in tree.under(head, "nummod", "compound") if tree.tag(c) == "NUM"]
        below = [place for number in numbers for place in _amount(tree, number)]
        return _around(head, below)
    if tree.tag(head) == "PROPN":
        parts = [c for c in tree.under(head, "flat", "compound") if tree.tag(c) == "PROPN"]
        return _around(head, _beside(head, parts))
    return head, head + 1


def _is_month(word: str) -> bool:
    return word.lower() in MONTHS and word[0].isupper()


def _amount(tree: Tree, number: int) -> list[int]:
    """The number with "million" and the like, without "about"."""
    return [number, *(c for c in tree.under(number, "compound", "flat") if tree.tag(c) == "NUM")]


def _beside(head: int, parts: list[int]) -> list[int]:
    """Those of `parts` that join the head without a gap."""
    joined = {head}
    for part in sorted(parts, key=lambda place: abs(place - head)):
        if part - 1 in joined or part + 1 in joined:
            joined.add(part)
    return sorted(joined)


def _around(head: int, places: list[int]) -> Places:
    return min([head, *places]), max([head, *places]) + 1
