"""Who does what to whom: the arguments of verbs, whether told actively or passively."""

from __future__ import annotations

from typing import Literal

from tatian.text.lexicon import PRONOUNS
from tatian.union.relations.units import Reading, Unit

Role = Literal["subject", "object"]


def arguments(reading: Reading, verb: Unit) -> dict[int, Role]:
    """The heads of a verb's subject and object, as if it were active.

    What a relative clause hangs on takes the place of its "who".
    """
    tree = reading.tree
    found: dict[int, Role] = {}
    for child in tree.children[verb.head]:
        relation = tree.words[child].relation
        role: Role | None = None
        if relation in ("nsubj", "obl:agent"):
            role = "subject"
        elif relation in ("nsubj:pass", "obj"):
            role = "object"
        if role is None:
            continue
        relative = tree.words[child].features.get("PronType") == "Rel"
        found[tree.heads[verb.head] if relative else child] = role
    return found


def at(reading: Reading, place: int) -> list[Unit]:
    """The names, phrases and pronouns that a word heads, or stands beside: names first."""
    tree = reading.tree
    same = {place, *tree.under(place, "appos", "flat")}
    units = [
        unit for unit in reading.units if unit.kind in ("name", "phrase") and unit.head in same
    ]
    if is_pronoun(reading, place):
        units.append(Unit("phrase", place, place + 1, place))
    return sorted(units, key=lambda unit: (unit.kind != "name", unit.first))


def is_pronoun(reading: Reading, place: int) -> bool:
    """Whether a word stands for somebody or something named elsewhere."""
    pronoun = PRONOUNS.get(reading.tokens[place].text.lower())
    return pronoun is not None and pronoun.person == 3 and not pronoun.possessive
