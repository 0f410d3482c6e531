"""What speaks for and against a sentence, each as one figure from 0 to 1."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import log

import numpy as np

from tatian.consolidation.proof.evidence import Evidence, EvidenceSentence, presence
from tatian.consolidation.proof.grammar import Argument, Item, arguments, is_time
from tatian.text.lexicon import REPORTING_VERBS

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
    *("another time", "place taken", "no doubt", "denied", "opposite", "another speaker"),
    *("another's part", "figure unknown", "name unknown"),
)
"""What seldom speaks against a sentence that the accounts tell."""
_NEAR = 0.3
"""The share of the sentence that a passage must tell to be asked for its grammar."""
_BESIDE = 0.7
"""How far a word counts as in a passage that only the one before or after it has."""
_UNKNOWN = 3.0
"""How much a word says that no passage has."""

At = tuple[int, int]
"""A passage, and the place of a word in it."""


class Index:
    """Where the accounts have a word, a number or a mention."""

    def __init__(self, known: Sequence[EvidenceSentence]) -> None:
        self.known = known
        self._places: dict[str, set[At]] = {}
        for number, passage in enumerate(known):
            for place, item in enumerate(passage.grammar.items):
                for key in item.concepts | item.entities:
                    self._places.setdefault(key, set()).add((number, place))
        counts = {key: len({n for n, _ in found}) for key, found in self._places.items()}
        self._rarity = {key: log(1 + len(known) / count) for key, count in counts.items()}

    @cached_property
    def arguments(self) -> list[tuple[int, Argument]]:
        """All names, numbers and days with their passages."""
        return [(n, each) for n, one in enumerate(self.known) for each in arguments(one.grammar)]

    def of(self, item: Item) -> set[At]:
        """Where the same as a word stands."""
        return {at for key in item.concepts | item.entities for at in self._places.get(key, ())}

    def rarity(self, key: str) -> float:
        """How much a word says, by how few passages have it."""
        return self._rarity.get(key, _UNKNOWN)

    def weight(self, keys: Iterable[str]) -> float:
        """How much some words say."""
        return sum(map(self.rarity, keys))


class Finding:
    """The figures of one sentence, which of its words they are about, and what is against it."""

    def __init__(self, evidence: Evidence, index: Index) -> None:
        self.evidence, self.index, self.known = evidence, index, index.known
        self.grammar = evidence.grammar
        self.figures: dict[str, float] = {}
        self.words: dict[str, list[int]] = {}
        self.against: dict[str, int] = {}
        self.best = np.maximum(evidence.told.max(0), evidence.joint)
        self.at = [index.of(item) for item in self.grammar.items]
        self.having = [{number for number, _ in at} for at in self.at]
        self.nearest = evidence.numbers[int(np.argmax(evidence.shares))]
        self._models()
        self._arguments()
        shares = zip(evidence.numbers, evidence.shares, strict=True)
        self.near = {number for number, share in shares if share >= _NEAR}
        self.near |= {evidence.numbers[n] for n in evidence.chosen}
        self._taken()
        self._opposites()
        self._acts()
        self._quotations()
        fired = [name for name in _STRONG if self.figures.get(name, 0.0) >= 1]
        self._put("objections", min(1.0, len(fired) / 3))

    def _put(
        self, name: str, value: float, words: Iterable[int] = (), against: int | None = None
    ) -> None:
        """Keep the worst value of a name, with the words it is about and what an account says."""
        if value >= self.figures.get(name, 0.0):
            self.figures[name] = float(value)
            if value > 0 and words:
                self.words[name] = list(words)
                self.against[name] = self.nearest if against is None else against

    def _models(self) -> None:
        one = self.evidence
        content = np.array([bool(item.concepts) for item in self.grammar.items], dtype=float)
        weights = one.carries * np.maximum(content, 0.2)
        total = float(weights.sum()) or 1.0
        lacking = weights * (1 - self.best)
        self._put("untold", float(lacking.sum()) / total)
        self._put("untold alone", float((weights * (1 - one.told)).sum(1).min()) / total)
        self._put("worst word", float(lacking.max()), [int(lacking.argmax())])
        self._put("two worst words", float(np.sort(lacking)[-2:].sum()) / 2)
        self._put("share", max(one.whole, *one.shares))
        self._put("entailed", one.entailment.entailment)
        self._put("contradicted", one.entailment.contradiction)
        self._put("likeness", max(one.likeness))
        self._put("length", min(1.0, len(self.grammar.items) / 50))
        everywhere = frozenset().union(*(each.grammar.said for each in one.passages))
        run: list[int] = []
        for place, item in enumerate(self.grammar.items):
            if item.concepts:
                run = [*run, place] if item.concepts.isdisjoint(everywhere) else []
                self._put("foreign run", min(1.0, len(run) / 5), run)

    def _arguments(self) -> None:
        """Whether what tells a clause has its names, numbers, days and subject, too."""
        grammar = self.grammar
        for one in arguments(grammar):
            places, head = one.places, grammar.predicate(one.places[0])
            self._apart(grammar.clauses[head], places, one.kind)
            self._elsewhere(one)
            if one.is_time:
                self._time(head, places)
            else:
                unknown = not any(self.having[place] for place in places)
                self._put(f"{one.kind} unknown", float(unknown), places)
        for head in grammar.clauses:
            subject = grammar.subject(head)
            if subject is not None and grammar.items[subject[0]].tag != "PRON":
                kind = "subject" if grammar.items[subject[0]].tag == "PROPN" else "noun"
                self._apart(grammar.extent(head), grammar.phrase(subject[0]), kind)

    def _apart(self, clause: Sequence[int], places: Sequence[int], kind: str) -> None:
        """How much less the passages that have some words of a clause tell of the rest.

        A gap is measured by the model of what tells what, among the nearest passages; "astray" by
        shared words, among all.
        """
        one, item = self.evidence, self.grammar.items[places[-1]]
        rest = [place for place in clause if place not in places]
        weight = one.carries[rest]
        total = float(weight.sum())
        scores = (one.told[:, rest] @ weight) / total if total else np.ones(len(one.passages))
        having = [presence(item, each) for each in one.passages]
        gap = max(0.0, float(scores.max() - (scores * having).max()))
        self._put("noun gap" if kind == "noun" else "gap", gap, places)
        score: defaultdict[int, float] = defaultdict(float)
        whole = 0.0
        for place in rest:
            concepts = self.grammar.items[place].concepts
            said = max(map(self.index.rarity, concepts), default=0.0)
            whole += said
            for number in self.having[place]:
                score[number] += said
        mine = self.having[places[-1]]
        held = max((value * self._beside(n, mine) for n, value in score.items()), default=0.0)
        astray = (max(score.values(), default=0.0) - held) / whole if whole else 0.0
        self._put(f"{kind} astray", astray, places)
        if kind not in {"subject", "noun"}:
            self._put("astray", astray, places)

    def _beside(self, number: int, some: set[int]) -> float:
        """1 if a passage is one of some, less if it stands beside one in its account."""
        if number in some:
            return 1.0
        near = [n for n in (number - 1, number + 1) if n in some]
        own = self.known[number].document
        return _BESIDE if any(self.known[n].document == own for n in near) else 0.0

    def _same(
        self, places: Sequence[int], number: int, others: Sequence[int], *, whole: bool
    ) -> bool:
        """Whether some words, or of a date all of them, are among others of a passage."""
        found = [any((number, p) in self.at[q] for p in others) for q in places]
        return all(found) if whole else any(found)

    def _elsewhere(self, one: Argument) -> None:
        """Whether among the words around it the accounts have another one in its place."""
        total = self.index.weight(one.before) + self.index.weight(one.after)
        own = other = 0.0
        against = self.nearest
        for number, each in self.index.arguments:
            if each.item.tag != one.item.tag or each.is_time != one.is_time:
                continue
            before, after = one.before & each.before, one.after & each.after
            if not before and not after:
                continue
            score = self.index.weight(before) + self.index.weight(after)
            if self._same(one.places, number, each.places, whole=one.is_time):
                own = max(own, score)
            elif score > other:
                other, against = score, number
        if total:
            self._put("elsewhere", max(0.0, other - own) / total, one.places, against)

    def _time(self, head: int, places: Sequence[int]) -> None:
        """Whether accounts that date the same act have only other days or years."""
        clause = [place for place in self.grammar.clauses[head] if place not in (head, *places)]
        right, other = False, None
        for number, at in sorted(self.at[head]):
            if any(number in self.having[place] for place in clause):
                theirs = self.known[number].grammar
                times = [p for p, i in enumerate(theirs.items) if is_time(i)]
                times = [p for p in times if theirs.predicate(p) == theirs.predicate(at)]
                if self._same(places, number, times, whole=True):
                    right = True
                elif times:
                    other = number
        self._put("another time", float(other is not None and not right), places, other)

    def _taken(self) -> None:
        """Whether in the place of a name or number a passage has another one."""
        grammar = self.grammar
        for head, place, _ in grammar.arcs:
            item = grammar.items[place]
            if not grammar.is_exact(place) or grammar.is_exact(head):
                continue
            right, taken = False, None
            for number, at in sorted(self.at[head]):
                theirs = self.known[number].grammar
                for other in theirs.below(at) if number in self.near else ():
                    if (number, other) in self.at[place]:
                        right = True
                    elif (
                        number not in self.having[place]
                        and theirs.items[other].tag == item.tag
                        and theirs.items[other].relation == item.relation
                        and theirs.markers(other) == grammar.markers(place)
                    ):
                        taken = number
            self._put("place taken", float(taken is not None and not right), [place], taken)

    def _opposites(self) -> None:
        """Whether the passage that tells most has the opposite of a word, and not the word."""
        theirs = {item.text.lower() for item in self.known[self.nearest].grammar.items}
        mine = {item.text.lower(): place for place, item in enumerate(self.grammar.items)}
        for here, there in _OPPOSITES.items():
            if here in mine and there not in mine and there in theirs and here not in theirs:
                self._put("opposite", 1.0, [mine[here]])
        for place in range(len(self.grammar.items)):
            markers = self.grammar.markers(place)
            turned = {_OPPOSITES[one] for one in markers & _OPPOSITES.keys()}
            if turned:
                found = [
                    (n, self.known[n].grammar.markers(p))
                    for n, p in sorted(self.at[place])
                    if n in self.near
                ]
                other = [number for number, one in found if turned & one]
                if other and not any(markers & one for _, one in found):
                    self._put("opposite", 1.0, [place], other[0])

    def _acts(self) -> None:
        """Whether what is told outright is denied or only supposed in the accounts."""
        grammar, nearest = self.grammar, self.known[self.nearest].grammar
        denials = [any(map(one.denied, one.clauses)) for one in (grammar, nearest)]
        self._put("denials differ", float(denials[0] != denials[1]))
        for place, item in enumerate(grammar.items):
            if not item.concepts or not (item.is_predicate or item.tag in {"VERB", "NOUN"}):
                continue
            found = list(self._told_of(place))
            if not found:
                continue
            self._roles(place, found)
            against = found[0][0]
            theirs = [(self.known[number].grammar, at) for number, at in found]
            if item.is_predicate:
                other = all(one.denied(at) != grammar.denied(place) for one, at in theirs)
            else:
                other = all(one.negated(at) != grammar.negated(place) for one, at in theirs)
            self._put("denied", float(other), [place], against)
            moods = grammar.moods(place)
            for mood in () if item.quoted else ("doubt", "plan"):
                if mood not in moods and all(mood in one.moods(at) for one, at in theirs):
                    self._put(f"no {mood}", 0.5 if moods else 1.0, [place], against)

    def _roles(self, head: int, found: Sequence[At]) -> None:
        """Whether accounts that tell an act give somebody's part in it to another only."""
        for mine, role in self.grammar.parts(head):
            right = not any(self.grammar.items[place].entities for place in mine)
            other = None
            for number, at in found:
                grammar = self.known[number].grammar
                for theirs, part in grammar.parts(at):
                    if part != role:
                        continue
                    if any((number, one) in self.at[place] for one in theirs for place in mine):
                        right = True
                    elif any(grammar.items[one].entities for one in theirs):
                        other = number
            self._put("another's part", float(other is not None and not right), mine, other)

    def _told_of(self, place: int) -> Iterator[At]:
        """Where the accounts have a word with most of what belongs to it."""
        mine = {p for p in self.grammar.partners(place) if not self._reports(p)}
        shared: dict[At, int] = {}
        for number, at in sorted(self.at[place]):
            theirs = self.known[number].grammar
            partners = {(number, p) for p in theirs.partners(at)}
            shared[number, at] = sum(not partners.isdisjoint(self.at[p]) for p in mine)
            shared[number, at] += theirs.nobody(at)
        most = max(shared.values(), default=0)
        if most or not mine:
            yield from (at for at, count in shared.items() if count == most)

    def _reports(self, place: int) -> bool:
        return self.grammar.items[place].text.lower() in REPORTING_VERBS

    def _quotations(self) -> None:
        grammar = self.grammar
        if not grammar.quotations:
            return
        self._put("quotes", 1.0)
        speakers = [p for p in grammar.speakers if grammar.items[p].tag != "PRON"]
        for run in grammar.quotations:
            spoken = _WORD.findall(" ".join(grammar.items[p].text.lower() for p in run))
            line = f" {' '.join(spoken)} "
            words = [_words(one) for one in self.known]
            holders = [n for n, said in enumerate(words) if line in f" {' '.join(said)} "]
            if not holders:
                least = 0.8 * len(set(spoken))
                holders = [n for n, w in enumerate(words) if len(set(spoken) & set(w)) >= least]
                self._put("not verbatim", 0.5 if holders else 1.0, run)
            if speakers and holders:
                right = any(self._speaks(p, n) for p in speakers for n in holders)
                self._put("another speaker", float(not right), speakers, holders[0])

    def _speaks(self, speaker: int, holder: int) -> bool:
        """Whether a speaker of the sentence speaks in or beside a passage."""
        own = self.known[holder]
        if own.grammar.is_own and not any(item.quoted for item in own.grammar.items):
            return True
        if any(n == holder and not own.grammar.items[p].quoted for n, p in self.at[speaker]):
            return True
        return any(
            self.known[number].document == own.document
            and place in self.known[number].grammar.speakers
            for number, place in self.at[speaker]
            if abs(number - holder) == 1
        )


def _words(passage: EvidenceSentence) -> list[str]:
    return _WORD.findall(" ".join(item.text.lower() for item in passage.grammar.items))
