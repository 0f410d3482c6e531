"""The clean-up of annotators' answers, rule by rule: what each does and where it comes from.

The rules are applied in the order of `RULES`. "Paper" is TESA §3.3; "code" is the authors' public
implementation, which says more. Rules that are not `usual` are what the paper says and its code
does not do: they are there to be asked for, and off where figures are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct

from tatian.errors import InputError
from tatian.text.lexicon import NUMBER_WORDS, word_set

Unit = Literal["record", "worker", "instance", "phrase"]

WORKER_ASSIGNMENTS = 5
"""Paper: the fewest instances that a worker must have answered to be kept."""
INSTANCE_ANSWERS = 2
"""Paper: the fewest annotators who must have named a set, of the three that were asked."""

_PROMPT = re.compile(r".*\bare discussed\s*\.", re.IGNORECASE | re.DOTALL)
_NUMBERS = word_set("two three four five six")
OTHER_DETERMINERS = word_set("a an these those this that both all some their our")
"""What a phrase may begin with beside "the"."""
PRONOUNS = word_set("they them these those both we us everyone everybody all he she it him her you")
"""What the instructions forbid as an answer."""
_NOT_APPLICABLE = frozenset({"na", "n/a", "n.a"})
GENERIC = word_set("people areas organizations")
"""What the prompt itself calls the entities of each type."""


class Rule(Struct, frozen=True):
    """One rule: it changes phrases or discards something, and its work is counted."""

    name: str
    unit: Unit
    does: str
    source: str
    usual: bool = True
    change: Callable[[str], str] | None = None
    """For rules that change a phrase: what becomes of it."""
    refuses: Callable[[str], bool] | None = None
    """For rules that discard a phrase: whether it is one of those."""

    @property
    def effect(self) -> Literal["changes", "discards"]:
        """What it does to its unit."""
        return "discards" if self.change is None else "changes"


def _without_first(words: frozenset[str]) -> Callable[[str], str]:
    """Drop the first word if it is one of `words` and not the only one."""

    def change(phrase: str) -> str:
        first, _, rest = phrase.partition(" ")
        return rest if rest and first in words else phrase

    return change


def _without_number(phrase: str) -> str:
    first, _, rest = phrase.partition(" ")
    return rest if rest and (first in NUMBER_WORDS or first.isdecimal()) else phrase


def _has(word: str) -> Callable[[str], bool]:
    return lambda phrase: word in phrase.split()


def _is(words: frozenset[str]) -> Callable[[str], bool]:
    return lambda phrase: phrase in words


def says_not_applicable(phrase: str) -> bool:
    """Whether what was written for a phrase says that there is none."""
    return phrase.strip(" .").lower() in _NOT_APPLICABLE


RULES: tuple[Rule, ...] = (
    Rule(
        "corrected",
        "record",
        "an annotator's earlier answer to the same instance",
        "records: a correction is a new record",
    ),
    Rule(
        "few-assignments",
        "worker",
        f"all answers of workers with fewer than {WORKER_ASSIGNMENTS} (by default)",
        "paper, code",
    ),
    Rule("beside-n/a", "phrase", "a phrase given together with N/A: the answer is N/A", "code"),
    Rule(
        "prompt",
        "phrase",
        'drops a leading "... are discussed.", copied from the prompt',
        "code",
        change=lambda phrase: _PROMPT.sub("", phrase),
    ),
    Rule("case", "phrase", "lower case", "paper, code", change=str.lower),
    Rule(
        "ends",
        "phrase",
        "drops trailing dots and needless spaces",
        "code",
        change=lambda phrase: " ".join(phrase.split()).rstrip(". "),
    ),
    Rule(
        "the",
        "phrase",
        'drops a leading "the"',
        "paper (determiners), code",
        change=_without_first(frozenset({"the"})),
    ),
    Rule(
        "two-to-six",
        "phrase",
        "drops a leading number from two to six",
        "paper (numerical expressions), code",
        change=_without_first(_NUMBERS),
    ),
    Rule(
        "determiners",
        "phrase",
        'drops other leading determiners ("these", "both", "a")',
        "paper (determiners)",
        usual=False,
        change=_without_first(OTHER_DETERMINERS),
    ),
    Rule(
        "numbers",
        "phrase",
        'drops any other leading number ("2", "ten")',
        "paper (numerical expressions)",
        usual=False,
        change=_without_number,
    ),
    Rule("empty", "phrase", "nothing is left", "code", refuses=lambda one: not one),
    Rule("have", "phrase", 'has the word "have"', "code", refuses=_has("have")),
    Rule("are", "phrase", 'has the word "are"', "code", refuses=_has("are")),
    Rule(
        "and",
        "phrase",
        'has the word "and": an enumeration',
        "paper (instructions), code",
        refuses=_has("and"),
    ),
    Rule(
        "slash",
        "phrase",
        'has a "/": several phrases in one',
        "code",
        refuses=lambda phrase: "/" in phrase,
    ),
    Rule("na-or-the", "phrase", 'is "na" or "the"', "code", refuses=_is(frozenset({"na", "the"}))),
    Rule(
        "generic",
        "phrase",
        'is the prompt\'s "people", "areas" or "organizations"',
        "paper (instructions), code",
        refuses=_is(GENERIC),
    ),
    Rule(
        "pronoun",
        "phrase",
        'is a pronoun ("they", "both")',
        "paper (instructions)",
        usual=False,
        refuses=_is(PRONOUNS),
    ),
    Rule("repeat", "phrase", "is the annotator's other phrase again", "code"),
    Rule(
        "few-answers",
        "instance",
        f"instances that fewer than {INSTANCE_ANSWERS} (by default) annotators named",
        "paper, code",
    ),
    Rule("n/a", "record", "answers without a phrase", "paper, code"),
)
EXTRA = tuple(rule.name for rule in RULES if not rule.usual)
"""The rules that must be asked for."""


def chosen(extra: Iterable[str] = ()) -> tuple[Rule, ...]:
    """The usual rules and those of `extra`, in order."""
    wanted = frozenset(extra)
    for name in sorted(wanted.difference(EXTRA)):
        raise InputError(f"no rule '{name}' that can be added: known: {', '.join(EXTRA)}")
    return tuple(rule for rule in RULES if rule.usual or rule.name in wanted)


_CHANGES = tuple(rule.change for rule in RULES if rule.change is not None)


def normal(phrase: str) -> str:
    """A phrase as gold phrases are kept (TESA §3.3): "The two French Cities" is "french cities".

    Every rule of the clean-up that changes phrases is applied, until none changes anything more
    ("these two cities", "both the cities").
    """
    while True:
        before = phrase
        for change in _CHANGES:
            phrase = change(phrase)
        if phrase == before:
            return phrase
