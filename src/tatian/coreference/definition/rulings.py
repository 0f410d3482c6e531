"""What a rule of the definition says about two markables, and how the rules are run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from tatian.coreference.definition.outline import Marked, Outline
from tatian.text import Mention

Verdict = Literal["link", "forbid"]


class Ruling(Struct, frozen=True):
    """That two markables corefer, or never do, with the rule that says so."""

    anaphor: Mention
    antecedent: Mention
    rule: str
    section: str
    verdict: Verdict = "link"
    optional: bool = False
    """Whether the definition has the link written STATUS="OPT"."""
    certain: bool = True
    """Whether the rule holds by itself; else it holds where nothing better is known."""


Finder = Callable[[Outline], Iterator[Ruling]]


def link(
    rule: str,
    section: str,
    anaphor: Marked,
    antecedent: Marked,
    *,
    optional: bool = False,
    certain: bool = True,
) -> Ruling:
    """That the first corefers with the second."""
    return Ruling(anaphor.mention, antecedent.mention, rule, section, "link", optional, certain)


def forbid(rule: str, section: str, anaphor: Marked, antecedent: Marked) -> Ruling:
    """That the two never corefer."""
    return Ruling(anaphor.mention, antecedent.mention, rule, section, "forbid")
