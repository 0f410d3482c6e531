"""Rules that clean up annotators' answers, with the source of each.

``rules.tsv`` lists them in the order of application. "Paper" is TESA §3.3; "code" is the authors'
public implementation, which has more detail. Rules that are not `usual` are in the paper but not in
its code. They are off by default, so that figures are comparable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, cast

from msgspec import Struct

from tatian.assets import rows
from tatian.errors import InputError
from tatian.text.lexicon import NUMBER_WORDS, word_set

Unit = Literal["record", "worker", "instance", "phrase"]

WORKER_ASSIGNMENTS = 5
"""Minimum number of instances that a kept worker has answered, from the paper."""
INSTANCE_ANSWERS = 2
"""Minimum number of annotators, of three, who have named the set of a kept instance."""

_PROMPT = re.compile(r".*\bare discussed\s*\.", re.IGNORECASE | re.DOTALL)
_NUMBERS = word_set("two three four five six")
OTHER_DETERMINERS = word_set("a an these those this that both all some their our")
"""Determiners other than "the" at the beginning of a phrase."""
PRONOUNS = word_set("they them these those both we us everyone everybody all he she it him her you")
"""Answers that the instructions forbid."""
_NOT_APPLICABLE = frozenset({"na", "n/a", "n.a"})
GENERIC = word_set("people areas organizations")
"""Words of the prompt for the entities of each type."""


class Rule(Struct, frozen=True):
    """A rule that changes or discards units."""

    name: str
    unit: Unit
    does: str
    source: str
    usual: bool = True
    change: Callable[[str], str] | None = None
    """Function that changes a phrase; None for rules that discard."""
    refuses: Callable[[str], bool] | None = None
    """Predicate for phrases to discard; None for other rules."""

    @property
    def effect(self) -> Literal["changes", "discards"]:
        """Effect of the rule on its unit."""
        return "discards" if self.change is None else "changes"


def _without_first(words: frozenset[str]) -> Callable[[str], str]:
    """Drop the first word if it is one of `words` and not the only one."""

    def change(phrase: str) -> str:
        first, _, remainder = phrase.partition(" ")
        return remainder if remainder and first in words else phrase

    return change


def _without_number(phrase: str) -> str:
    first, _, remainder = phrase.partition(" ")
    return remainder if remainder and (first in NUMBER_WORDS or first.isdecimal()) else phrase


def _has(word: str) -> Callable[[str], bool]:
    return lambda phrase: word in phrase.split()


def _is(words: frozenset[str]) -> Callable[[str], bool]:
    return lambda phrase: phrase in words


def says_not_applicable(phrase: str) -> bool:
    """Return whether a written phrase means "not applicable"."""
    return phrase.strip(" .").lower() in _NOT_APPLICABLE


_CHANGES: dict[str, Callable[[str], str]] = {
    "prompt": lambda phrase: _PROMPT.sub("", phrase),
    "case": str.lower,
    "ends": lambda phrase: " ".join(phrase.split()).rstrip(". "),
    "the": _without_first(frozenset({"the"})),
    "two-to-six": _without_first(_NUMBERS),
    "determiners": _without_first(OTHER_DETERMINERS),
    "numbers": _without_number,
}
_REFUSES: dict[str, Callable[[str], bool]] = {
    "empty": lambda phrase: not phrase,
    **{word: _has(word) for word in ("have", "are", "and")},
    "slash": lambda phrase: "/" in phrase,
    "na-or-the": _is(frozenset({"na", "the"})),
    "generic": _is(GENERIC),
    "pronoun": _is(PRONOUNS),
}
_FEWEST = {"WORKER_ASSIGNMENTS": WORKER_ASSIGNMENTS, "INSTANCE_ANSWERS": INSTANCE_ANSWERS}
RULES = tuple(
    Rule(
        name,
        cast(Unit, unit),
        does.format_map(_FEWEST),
        source,
        applied == "usual",
        _CHANGES.get(name),
        _REFUSES.get(name),
    )
    for name, unit, applied, source, does in rows(Path(__file__).with_name("rules.tsv"))
)
EXTRA = tuple(rule.name for rule in RULES if not rule.usual)
"""Names of the rules that are off by default."""
RULE_SETS: dict[str, tuple[str, ...]] = {"code": (), "paper": EXTRA}
"""Extra rules of each rule set: that of the code, and that of the paper."""


def choose_rules(extra: Iterable[str] = ()) -> tuple[Rule, ...]:
    """Return the usual rules and those of `extra`, in order."""
    names = frozenset(extra)
    for name in sorted(names.difference(EXTRA)):
        raise InputError(f"no extra rule '{name}'; there are: {', '.join(EXTRA)}")
    return tuple(rule for rule in RULES if rule.usual or rule.name in names)


def normalize_phrase(phrase: str) -> str:
    """Return the normal form of a phrase: "french cities" of "The two French Cities" (§3.3)."""
    while True:
        before = phrase
        for change in _CHANGES.values():
            phrase = change(phrase)
        if phrase == before:
            return phrase
