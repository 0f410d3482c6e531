"""What speaks for and against a sentence, each as one figure from 0 to 1.

A gap is how much worse the best passage with a name, number or day is for the rest of its clause
than the best passage of all: near 0 where the passage that tells the clause has it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from tatian.consolidation.proof.evidence import Evidence, Passage, presence
from tatian.consolidation.proof.grammar import Grammar, Item
from tatian.text.lexicon import MONTHS, WEEKDAYS

_WORD = re.compile(r"\w+")
_OPPOSITES = {
    here: there
    for pair in (
        "before/after more/less more/fewer up/down rose/fell increased/decreased won/lost "
        "first/last north/south east/west guilty/innocent accepted/rejected arrived/left "
        "opened/closed older/younger higher/lower over/under above/below first/second "
        "started/ended began/ended alive/dead inside/outside father/son mother/daughter "
        "brother/sister husband/wife least/most early/late bought/sold hired/fired"
    ).split()
    for one, other in [pair.split("/")]
    for here, there in ((one, other), (other, one))
}
_STRONG = (
    *("another's act", "another day", "other actor", "place taken", "only supposed", "otherwise"),
    *("opposite", "another speaker", "figure unknown", "name unknown"),
)
"""What seldom speaks against a sentence that the accounts tell."""
_TELLS = 0.5
"""The share of a clause that a passage must tell to be the one it is taken from."""
_NEAR = 0.3
"""The share of the sentence that a passage must tell to be asked for its grammar."""
_DAYS = frozenset((*WEEKDAYS, *MONTHS))


class Finding:
    """The figures of one sentence, and which of its words speak against it."""

    def __init__(self, evidence: Evidence, known: Sequence[Passage]) -> None:
        self.evidence = evidence
        self.grammar = evidence.grammar
        self.known = known
        self.figures: dict[str, float] = {}
        self.words: dict[str, list[int]] = {}
        self.best = np.maximum(evidence.told.max(0), evidence.joint)
        self.near = [
            passage
            for number, passage in enumerate(evidence.passages)
            if number in evidence.chosen or evidence.shares[number] >= _NEAR
        ]
        self._models()
        self._exact()
        self._arcs()
        self._taken()
        self._opposites()
        self._acts()
        self._quotations()
        fired = [name for name in _STRONG if self.figures.get(name, 0.0) >= 1]
        self._put("objections", min(1.0, len(fired) / 3))

    def _put(self, name: str, value: float, words: Iterable[int] = ()) -> None:
        """Keep the worst value of a name, with the words it is about."""
        if value >= self.figures.get(name, 0.0):
            self.figures[name] = float(value)
            if value > 0 and words:
                self.words[name] = list(words)

    def _models(self) -> None:
        one = self.evidence
        content = np.array([bool(item.concepts) for item in self.grammar.items], dtype=float)
        weights = one.carries * np.maximum(content, 0.2)
        total = float(weights.sum()) or 1.0
        lacking = weights * (1 - self.best)
        self._put("untold", float(lacking.sum()) / total)
        self._put("untold together", float((weights * (1 - one.joint)).sum()) / total)
        self._put("untold alone", float((weights * (1 - one.told)).sum(1).min()) / total)
        self._put("worst word", float(lacking.max()), [int(lacking.argmax())])
        self._put("two worst words", float(np.sort(lacking)[-2:].sum()) / 2)
        self._put("share", max(one.whole.share, *one.shares))
        self._put("everything", one.whole.everything)
        self._put("entailed alone", max(each.entailment for each in one.single))
        self._put("entailed together", one.together.entailment)
        self._put("contradicted nearest", one.single[0].contradiction)
        self._put("contradicted together", one.together.contradiction)
        self._put("likeness", max(one.likeness))
        clauses = one.clauses
        whole = max(one.together.entailment, *(each.entailment for each in one.single))
        self._put("clause entailed", min((each.entailed for each in clauses), default=whole))
        self._put("clause contradicted", max((each.denied for each in clauses), default=0.0))
        everywhere = frozenset().union(*(each.grammar.said for each in one.passages))
        foreign = [
            place
            for place, item in enumerate(self.grammar.items)
            if item.concepts and item.concepts.isdisjoint(everywhere)
        ]
        telling = [place for place, item in enumerate(self.grammar.items) if item.concepts]
        run: list[int] = []
        for place in telling:
            run = [*run, place] if place in foreign else []
            self._put("foreign run", min(1.0, len(run) / 5), run)
        self._put("length", min(1.0, len(self.grammar.items) / 50))

    def _gap(self, clause: Sequence[int], places: Sequence[int]) -> float:
        """How much less those passages tell of a clause that have one of its names or numbers."""
        one = self.evidence
        rest = [place for place in clause if place not in places]
        weight = one.carries[rest]
        total = float(weight.sum())
        scores = (one.told[:, rest] @ weight) / total if total else np.ones(len(one.passages))
        items = [self.grammar.items[place] for place in places]
        having = [max(presence(item, each) for item in items[-1:]) for each in one.passages]
        return max(0.0, float(scores.max() - (scores * having).max()))

    def _replaced(
        self, clause: Sequence[int], places: Sequence[int], others: Callable[[Grammar], list[Item]]
    ) -> bool:
        """Whether the passage that tells a clause best has others in place of some words."""
        one = self.evidence
        rest = [place for place in clause if place not in places]
        scores = one.told[:, rest] @ one.carries[rest]
        best = one.passages[int(scores.argmax())]
        mine = self.grammar.items[places[-1]]
        if scores.max() < _TELLS * one.carries[rest].sum() or presence(mine, best) == 1:
            return False
        return any(not same(mine, other) for other in others(best.grammar))

    def _exact(self) -> None:
        grammar = self.grammar
        for places in self._names():
            words = frozenset().union(*(grammar.items[p].concepts for p in places))
            gap = self._gap(grammar.clauses[grammar.predicate(places[0])], places)
            self._put("name gap", gap, places)
            everywhere = any(words & one.grammar.said for one in self.known)
            self._put("name unknown", float(not everywhere), places)
        for head in grammar.clauses:
            clause = grammar.extent(head)
            subject = grammar.subject(head)
            if subject is None or grammar.items[subject[0]].tag == "PRON":
                continue
            places = grammar.phrase(subject[0])
            name = grammar.items[subject[0]].tag == "PROPN"
            gap = self._gap(clause, places)
            self._put("subject gap" if name else "noun gap", gap, places)
            if name:
                self._put("another's act", float(self._replaced(clause, places, _actors)), places)
        for place, value in grammar.figures:
            clause = grammar.clauses[grammar.predicate(place)]
            self._put("figure gap", self._gap(clause, [place]), [place])
            if not any(v == value for one in self.known for _, v in one.grammar.figures):
                self._put("figure unknown", 1.0, [place])
        for place, item in enumerate(grammar.items):
            if item in _days(grammar):
                gap = self._gap(grammar.clauses[grammar.predicate(place)], [place])
                self._put("day gap", gap, [place])
                other = self._replaced(grammar.clauses[grammar.predicate(place)], [place], _days)
                self._put("another day", float(other), [place])
        gaps = ("name gap", "subject gap", "figure gap", "day gap")
        worst = max(gaps, key=lambda name: self.figures.get(name, 0.0))
        self._put("gap", self.figures.get(worst, 0.0), self.words.get(worst, ()))
        chosen = [self.evidence.passages[n] for n in self.evidence.chosen]
        for place, item in enumerate(grammar.items):
            if grammar.is_exact(place):
                lacking = 1 - max(presence(item, one) for one in chosen)
                self._put(
                    "name lacking" if item.tag == "PROPN" else "figure lacking", lacking, [place]
                )

    def _names(self) -> list[list[int]]:
        found: list[list[int]] = []
        items = self.grammar.items
        for place, item in enumerate(items):
            if item.tag != "PROPN" or item.text.lower() in _DAYS or not item.concepts:
                continue
            if found and found[-1][-1] == place - 1:
                found[-1].append(place)
            else:
                found.append([place])
        return found

    def _arcs(self) -> None:
        """Whether what belongs together in the sentence does so in a passage."""
        one = self.evidence
        apart, total = 0.0, 0.0
        for head, dependent, role in self.grammar.arcs:
            weight = float(np.sqrt(one.carries[head] * one.carries[dependent]))
            each = float(min(self.best[head], self.best[dependent]))
            both = float(np.minimum(one.told[:, head], one.told[:, dependent]).max())
            gap = max(0.0, each - both) * weight
            apart += gap
            total += weight
            self._put("apart", gap, [head, dependent])
            if role != "other":
                self._role(head, dependent, role)
        self._put("apart on average", apart / total if total else 0.0)

    def _role(self, head: int, dependent: int, role: str) -> None:
        """Whether passages give the part to someone else, or to this one the other part."""
        grammar = self.grammar
        mine = grammar.items[dependent]
        if mine.tag == "PRON" and not mine.entities:
            return
        right = swapped = other = False
        for one in self.near:
            for h, d, theirs in one.grammar.arcs:
                if theirs == "other" or not same(one.grammar.items[h], grammar.items[head]):
                    continue
                if same(one.grammar.items[d], mine):
                    right = right or theirs == role
                    swapped = swapped or theirs != role
                elif theirs == role and one.grammar.items[d].tag == mine.tag == "PROPN":
                    other = True
        self._put("other part", float(swapped and not right), [head, dependent])
        self._put("other actor", float(other and not right), [head, dependent])

    def _taken(self) -> None:
        """Whether in the place of a name or number a passage has another one."""
        grammar = self.grammar
        for head, place, _ in grammar.arcs:
            item = grammar.items[place]
            if not grammar.is_exact(place) or grammar.is_exact(head):
                continue
            right = taken = moved = False
            for one in self.near:
                held = presence(item, one) == 1
                for h, d, _ in one.grammar.arcs:
                    other = one.grammar.items[d]
                    if not same(one.grammar.items[h], grammar.items[head]):
                        continue
                    if same(other, item):
                        right = True
                    elif other.tag == item.tag and other.relation == item.relation:
                        bound = one.grammar.markers(d) == grammar.markers(place)
                        taken |= bound and not held
                        moved |= bound and held
            self._put("place taken", float(taken and not right), [place])
            self._put("place changed", float(moved and not right), [place])

    def _opposites(self) -> None:
        """Whether the passage that tells most has the opposite of a word, and not the word."""
        nearest = self.evidence.passages[int(np.argmax(self.evidence.shares))].grammar
        theirs = {item.text.lower() for item in nearest.items}
        mine = {item.text.lower(): place for place, item in enumerate(self.grammar.items)}
        for here, there in _OPPOSITES.items():
            if here in mine and there not in mine and there in theirs and here not in theirs:
                self._put("opposite", 1.0, [mine[here]])
        for place, item in enumerate(self.grammar.items):
            turned = {_OPPOSITES[one] for one in self.grammar.markers(place) & _OPPOSITES.keys()}
            if turned and item.concepts:
                found = [
                    one.grammar.markers(p)
                    for one in self.near
                    for p, other in enumerate(one.grammar.items)
                    if same(item, other)
                ]
                right = any(self.grammar.markers(place) & one for one in found)
                if not right and any(turned & one for one in found):
                    self._put("opposite", 1.0, [place])

    def _acts(self) -> None:
        """Whether what is told outright is denied or only supposed in the passages."""
        grammar, one = self.grammar, self.evidence
        nearest = one.passages[int(np.argmax(one.shares))].grammar
        count = sum(map(grammar.denied, grammar.clauses))
        theirs = sum(map(nearest.denied, nearest.clauses))
        self._put("denials differ", float((count > 0) != (theirs > 0)))
        for place in range(len(grammar.items)):
            item = grammar.items[place]
            if item.tag not in {"VERB", "NOUN", "ADJ"} or not item.concepts:
                continue
            mine = {d for h, d, _ in grammar.arcs if h == place} | {
                h for h, d, _ in grammar.arcs if d == place
            }
            found = []
            for passage in self.near:
                for p, i in enumerate(passage.grammar.items):
                    if not same(i, item):
                        continue
                    partners = {d for h, d, _ in passage.grammar.arcs if h == p}
                    partners |= {h for h, d, _ in passage.grammar.arcs if d == p}
                    shared = sum(
                        any(same(passage.grammar.items[b], grammar.items[a]) for b in partners)
                        for a in mine
                    )
                    found.append((shared, passage.grammar.denied(p), passage.grammar.supposed(p)))
            if not found:
                continue
            most = max(shared for shared, _, _ in found)
            if not most and mine:
                continue
            near = [one for one in found if one[0] == most]
            if item.is_predicate:
                denied = grammar.denied(place)
                if all(other != denied for _, other, _ in near):
                    self._put("otherwise", 1.0, [place])
            if not grammar.supposed(place) and all(other for _, _, other in near):
                self._put("only supposed", 0.4 if grammar.supposes else 1.0, [place])

    def _quotations(self) -> None:
        grammar = self.grammar
        if not grammar.quotations:
            return
        self._put("quotes", 1.0)
        for run in grammar.quotations:
            spoken = _WORD.findall(" ".join(grammar.items[p].text.lower() for p in run))
            line = f" {' '.join(spoken)} "
            holders = [
                n for n, one in enumerate(self.known) if line in f" {' '.join(_words(one))} "
            ]
            if not holders:
                near = [
                    n
                    for n, one in enumerate(self.known)
                    if len(set(spoken) & set(_words(one))) >= 0.8 * len(set(spoken))
                ]
                self._put("not verbatim", 0.5 if near else 1.0, run)
                holders = near
            speakers = [p for p in grammar.speakers if grammar.items[p].tag != "PRON"]
            if speakers and holders:
                right = any(self._speaks(p, n) for p in speakers for n in holders)
                self._put("another speaker", float(not right), speakers)

    def _speaks(self, speaker: int, holder: int) -> bool:
        """Whether a speaker of the sentence speaks in or beside a passage."""
        item = self.grammar.items[speaker]
        for near in (holder, holder - 1, holder + 1):
            if not 0 <= near < len(self.known):
                continue
            one = self.known[near]
            if one.document != self.known[holder].document:
                continue
            if near == holder:
                if one.grammar.is_own and not any(i.quoted for i in one.grammar.items):
                    return True
                if any(same(i, item) and not i.quoted for i in one.grammar.items):
                    return True
            elif any(same(one.grammar.items[p], item) for p in one.grammar.speakers):
                return True
        return False


def _actors(grammar: Grammar) -> list[Item]:
    """Those with a name who do something."""
    agents = [grammar.items[d] for _, d, role in grammar.arcs if role == "agent"]
    return [item for item in agents if item.tag == "PROPN"]


def _days(grammar: Grammar) -> list[Item]:
    """The days and months it names."""
    return [i for i in grammar.items if i.text.lower() in _DAYS and i.text[0].isupper()]


def _words(passage: Passage) -> list[str]:
    return _WORD.findall(" ".join(item.text.lower() for item in passage.grammar.items))


def same(one: Item, other: Item) -> bool:
    """Whether two words stand for one thing."""
    return bool(one.concepts & other.concepts or one.entities & other.entities)
