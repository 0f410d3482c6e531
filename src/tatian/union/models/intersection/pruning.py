"""Pruning of a sentence to what others say too, so that the result is still a sentence.

Only optional parts may go: modifiers, appositions, conjuncts, clauses. What a clause needs (its
subject, its object, a negation, a condition) stays or goes with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tatian.text.lexicon import NEGATIONS
from tatian.union.models.sentences import RELATIVES, Parsed

LOOSE = frozenset(
    "nmod obl advmod amod acl appos advcl conj compound nummod parataxis list discourse "
    "vocative dislocated".split()
)
"""Relations of parts that may be dropped."""
_CLAUSES = frozenset(("ccomp", "conj", "parataxis", "advcl", "acl"))
"""Relations of clauses that may stand alone."""
_BOUND = frozenset(("nmod:poss", "compound:prt"))
_CONDITIONS = frozenset("if unless whether until till lest without".split())
"""Introductions of a condition; dropping it would make the statement stronger."""
_OPEN = _CONDITIONS | {"before"}
"""Introductions of a clause that need not have happened."""
_HEDGES = frozenset(
    "allegedly reportedly apparently perhaps maybe possibly probably nearly almost hardly barely "
    "supposedly likely less few fewer only alleged suspected accused former possible potential "
    "attempted failed fake would-be proposed planned".split()
)
"""Words that weaken or change a statement."""
_NEEDY = frozenset(
    "rely depend consist belong lead result refer lie live suffer agree focus deal aim amount "
    "stem range remain put place base locate involve include have be become".split()
)
"""Verbs that say little without a complement."""
_MEASURES = frozenset(
    "number million millions billion billions thousand thousands hundred hundreds dozen dozens "
    "tens majority percent % rest part parts kind type sort lot lots series one some most many "
    "half quarter third group pair team plenty end".split()
)
"""Nouns that say little without "of ..."."""
_INTERROGATIVES = frozenset("how when where why whom whose what who which that".split())


class Clause(Struct, frozen=True):
    """Part of a sentence that can stand alone: its top word and what it needs."""

    top: int
    without: frozenset[int] = frozenset()
    """Words under `top` that are dropped if it stands alone."""
    led_by: tuple[int, ...] = ()
    """Heads of phrases that it needs from elsewhere in the sentence, such as its subject."""
    excluded: frozenset[int] = frozenset()
    """Words of those phrases that are dropped."""


def clauses(sentence: Parsed) -> Iterator[Clause]:
    """Yield the sentence itself, then every clause with its own or a shared subject."""
    yield Clause(sentence.root)
    for place in range(len(sentence)):
        if sentence.relations[place] not in _CLAUSES or not sentence.predicate(place):
            continue
        if sentence.marker(place) in _OPEN or sentence.tokens[place].quoted:
            continue
        clause = _clause(sentence, place)
        if clause is not None:
            yield clause


def _clause(sentence: Parsed, place: int) -> Clause | None:
    links = frozenset(sentence.under(place, "mark", "cc"))
    subjects = sentence.under(place, "nsubj")
    head = sentence.heads[place]
    if subjects and sentence.relations[place] == "acl":
        relative = subjects[0]
        if sentence.lower[relative] not in RELATIVES or sentence.tag(head) == "PRON":
            return None
        removed = frozenset(sentence.subtree(place)) | set(sentence.under(head, "case", "cc"))
        return Clause(place, links | {relative}, (head,), removed)
    if subjects:
        asked = any(sentence.lower[p] in _INTERROGATIVES for p in sentence.subtree(subjects[0]))
        return None if asked or not sentence.finite(place) else Clause(place, links)
    if sentence.relations[place] == "conj" and sentence.predicate(head):
        shared = sentence.under(head, "nsubj")
        if shared and not sentence.under(place, "expl"):
            helpers = [] if sentence.finite(place) else sentence.under(head, "aux")
            return Clause(place, links, (*shared, *helpers))
    return None


def prune(sentence: Parsed, clause: Clause, worth: Sequence[float]) -> set[int]:
    """Return the places of the clause that are worth keeping."""
    kept = _kept(sentence, clause.top, worth, clause.without)
    for head in clause.led_by:
        kept |= _kept(sentence, head, worth, clause.excluded)
    return kept


def _kept(sentence: Parsed, top: int, worth: Sequence[float], without: frozenset[int]) -> set[int]:
    """Return the best subtree under `top`: optional parts stay if they gain more than they cost."""
    chosen: dict[int, list[int]] = {}
    gain: dict[int, float] = {}
    for place in _bottom_up(sentence, top, without):
        gain[place] = worth[place]
        chosen[place] = []
        for child in sentence.children[place]:
            if child not in without and (not _is_loose(sentence, child) or gain[child] > 0):
                chosen[place].append(child)
                gain[place] += gain[child]
    kept: set[int] = set()
    waiting = [top]
    while waiting:
        place = waiting.pop()
        kept.add(place)
        waiting += chosen[place]
    return kept


def _bottom_up(sentence: Parsed, top: int, without: frozenset[int]) -> list[int]:
    order, waiting = [], [top]
    while waiting:
        place = waiting.pop()
        order.append(place)
        waiting += [child for child in sentence.children[place] if child not in without]
    return order[::-1]


def _is_loose(sentence: Parsed, place: int) -> bool:
    """Return True if the sentence can do without the word and its dependents."""
    relation, word = sentence.relations[place], sentence.lower[place]
    if relation not in LOOSE or sentence.words[place].relation in _BOUND:
        return False
    if word in NEGATIONS or word in _HEDGES or sentence.negated(place):
        return False
    head = sentence.heads[place]
    if relation in {"compound", "nummod"} and not _is_light(sentence, place, head):
        return False
    if relation == "advmod" and (word in _INTERROGATIVES or sentence.tag(head) == "NUM"):
        return False
    if relation == "advcl" and sentence.marker(place) in _CONDITIONS:
        return False
    if relation == "nmod" and sentence.lower[head] in _MEASURES:
        return False
    after = place > head and not sentence.under(head, "obj")
    needy = sentence.words[head].lemma.lower() in _NEEDY and sentence.tag(head) == "VERB"
    return not (relation in {"obl", "advmod"} and after and needy)


def _is_light(sentence: Parsed, place: int, head: int) -> bool:
    """Return True if a number or compound part is optional: not in a name, a date or a sum."""
    if sentence.compound_at(place) == sentence.compound_at(head):
        return False
    name = sentence.name_at(place)
    if name is not None and name[0] <= head < name[1]:
        return False
    if sentence.relations[place] == "compound":
        return sentence.tag(head) != "NUM"
    plural = sentence.feature(head, "Number") == "Plur" and sentence.tag(head) == "NOUN"
    return plural and not sentence.temporal(head)
