"""Checks for and against a sentence, each a figure from 0 to 1."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

import numpy as np

from tatian.consolidation.verification.evidence import Evidence, EvidenceSentence, presence
from tatian.consolidation.verification.grammar import is_time
from tatian.consolidation.verification.index import Argument, At, Index, arguments, whole_words
from tatian.text.lexicon import OPPOSITES, REPORTING_VERBS

_WORD = re.compile(r"\w+")
_STRONG = (
    *("doubt lost", "denial lost", "opposite", "another speaker", "exchanged"),
    *("another time", "place taken", "no doubt", "another's part"),
    *("figure unknown", "name unknown"),
)
"""Checks that seldom fire on a sentence that the sources support."""
_NEAR = 0.3
"""Least share of the sentence that a passage must cover for its grammar to be compared."""
_BESIDE = 0.7
"""Weight of a word that only the passage before or after it has."""
_SAME, _CLEAR, _LIKE = 0.3, 0.65, 0.85
"""Least share of a statement to compare with, and of the best match, for denials and for moods."""

DOUBTED = "doubted"
"""Log-odds against a sentence, by the model that reads all its passages as one."""


class Finding:
    """Figures of one sentence, the words they concern, and the passages against it."""

    def __init__(self, evidence: Evidence, index: Index) -> None:
        self.evidence, self.index, self.known = evidence, index, index.known
        self.grammar = evidence.grammar
        self.figures: dict[str, float] = {}
        self.words: dict[str, list[int]] = {}
        self.against: dict[str, int] = {}
        self.best = np.maximum(evidence.covered.max(0), evidence.joint)
        self.at = [index.of(item) for item in self.grammar.items]
        self.having = [{number for number, _ in at} for at in self.at]
        self.moods = self.grammar.colours(range(len(self.grammar.items)))
        self.nearest = evidence.numbers[int(np.argmax(evidence.shares))]
        self._models()
        self._arguments()
        shares = zip(evidence.numbers, evidence.shares, strict=True)
        self.near = {number for number, share in shares if share >= _NEAR}
        self.near |= {self.nearest, *(evidence.numbers[n] for n in evidence.chosen)}
        self._statements()
        self._taken()
        self._acts()
        self._opposites()
        self._exchanged()
        self._quotations()
        fired = [name for name in _STRONG if self.figures.get(name, 0.0) >= 1]
        self._put("objections", min(1.0, len(fired) / 3))

    def _put(
        self, name: str, value: float, words: Iterable[int] = (), against: int | None = None
    ) -> None:
        """Keep the worst value of a name, with the words it concerns and the opposing passage."""
        if value >= self.figures.get(name, 0.0):
            self.figures[name] = float(value)
            if value > 0 and words:
                self.words[name] = list(words)
                self.against[name] = self.nearest if against is None else against

    def _models(self) -> None:
        evidence = self.evidence
        content = np.array([bool(item.concepts) for item in self.grammar.items], dtype=float)
        weights = evidence.carries * np.maximum(content, 0.2)
        total = float(weights.sum()) or 1.0
        lacking = weights * (1 - self.best)
        self._put("untold", float(lacking.sum()) / total)
        self._put("untold alone", float((weights * (1 - evidence.covered)).sum(1).min()) / total)
        self._put("worst word", float(lacking.max()), [int(lacking.argmax())])
        nowhere = lacking * content * [not held for held in self.having]
        self._put("strange", float(nowhere.max()), [int(nowhere.argmax())])
        self._put("share", max(evidence.whole, *evidence.shares))
        self._put("entailed", evidence.entailment.entailment)
        self._put("contradicted", evidence.entailment.contradiction)
        self.figures[DOUBTED] = -(evidence.support or 0.0)
        self._put("length", min(1.0, len(self.grammar.items) / 50))
        everywhere = frozenset().union(*(passage.grammar.said for passage in evidence.passages))
        run: list[int] = []
        for place, item in enumerate(self.grammar.items):
            if item.concepts:
                run = [*run, place] if item.concepts.isdisjoint(everywhere) else []
                self._put("foreign run", min(1.0, len(run) / 5), run)

    def _arguments(self) -> None:
        """Check whether passages for a clause also have its names, numbers, days and subject."""
        grammar = self.grammar
        for argument in arguments(grammar):
            head = grammar.predicate(argument.places[0])
            self._apart(grammar.clauses[head], argument.places, argument.kind)
            self._elsewhere(argument)
            if argument.is_time:
                self._time(head, argument.places)
            else:
                unknown = not any(self.having[place] for place in argument.places)
                self._put(f"{argument.kind} unknown", float(unknown), argument.places)
        for head in grammar.clauses:
            subject = grammar.subject(head)
            named = grammar.named(subject[0]) if subject is not None else ()
            if named and grammar.items[named[-1]].tag == "PROPN":
                self._apart(grammar.extent(head), named, "subject")

    def _statements(self) -> None:
        """Check how much of each statement one statement of the sources has, and its mood."""
        grammar, held = self.grammar, self.index.statements
        for places in grammar.statements.values():
            score: defaultdict[At, float] = defaultdict(float)
            total = 0.0
            for place in places:
                said = max(map(self.index.rarity, grammar.items[place].concepts), default=0.0)
                total += said
                for statement in {statement for at in self.at[place] for statement in held[at]}:
                    score[statement] += said
            best = max(score.values(), default=0.0)
            self._put("scattered", 1 - best / total if total else 0.0, places)
            if best and best >= _SAME * total:
                self._denials(places, {at for at in score if score[at] >= _CLEAR * best})
                near = [at for at in score if score[at] >= _LIKE * best]
                for mood in {"doubt", "plan"} - self.moods:
                    theirs = [n for n, at in near if mood in self.index.moods[n, at]]
                    if theirs:
                        self._put(f"{mood} lost", len(theirs) / len(near), places, theirs[0])

    def _denials(self, places: Sequence[int], near: set[At]) -> None:
        """Check whether the nearest statements deny what this one affirms, or the reverse."""
        for place in places:
            same = [at for at in self.at[place] if not near.isdisjoint(self.index.statements[at])]
            denied = self.grammar.denied(place)
            other = sorted(n for n, at in same if self.known[n].grammar.denied(at) != denied)
            item = self.grammar.items[place]
            if other and (item.tag in {"VERB", "ADJ"} or item.is_predicate):
                self._put("denial lost", len(other) / len(same), [place], other[0])

    def _apart(self, clause: Sequence[int], places: Sequence[int], kind: str) -> None:
        """Measure how much less of the rest of a clause the passages with some of its words cover.

        A gap is measured by the coverage model, among the nearest passages; "astray" by shared
        words, among all.
        """
        evidence, item = self.evidence, self.grammar.items[places[-1]]
        rest = [place for place in clause if place not in places]
        weight = evidence.carries[rest]
        total = float(weight.sum())
        covered = evidence.covered[:, rest]
        scores = (covered @ weight) / total if total else np.ones(len(covered))
        having = [presence(item, passage) for passage in evidence.passages]
        gap = max(0.0, float(scores.max() - (scores * having).max()))
        self._put("gap", gap, places)
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
        if kind != "subject":
            self._put("astray", astray, places)

    def _beside(self, number: int, some: set[int]) -> float:
        """Return 1 if a passage is one of some, less if it is next to one in its source."""
        if number in some:
            return 1.0
        near = [n for n in (number - 1, number + 1) if n in some]
        document = self.known[number].document
        return _BESIDE if any(self.known[n].document == document for n in near) else 0.0

    def _same(
        self, places: Sequence[int], number: int, others: Sequence[int], *, whole: bool
    ) -> bool:
        """Check whether some words, or all words of a date, are among others of a passage."""
        matches = [any((number, p) in self.at[q] for p in others) for q in places]
        return all(matches) if whole else any(matches)

    def _elsewhere(self, argument: Argument) -> None:
        """Check whether the sources have another argument among the words around this one."""
        total = self.index.weight(argument.before) + self.index.weight(argument.after)
        same = other = 0.0
        against = self.nearest
        for number, candidate in self.index.arguments:
            if candidate.item.tag != argument.item.tag or candidate.is_time != argument.is_time:
                continue
            score = self._around(argument, candidate)
            if not score:
                continue
            if self._same(argument.places, number, candidate.places, whole=argument.is_time):
                same = max(same, score)
            elif score > other:
                other, against = score, number
        if total:
            self._put("elsewhere", max(0.0, other - same) / total, argument.places, against)

    def _time(self, head: int, places: Sequence[int]) -> None:
        """Check whether sources that date the same act have only other days or years."""
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
        """Check whether a passage has another name or number in the same place."""
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
        """Check whether the best passage has the opposite of a word in its place, not the word."""
        theirs = self.known[self.nearest].grammar
        anywhere = {i.text.lower() for n in self.near for i in self.known[n].grammar.items}
        mine, said = whole_words(self.grammar), whole_words(theirs)
        pairs = [(here, there) for here, others in OPPOSITES.items() for there in others]
        for here, there in pairs:
            if here not in mine or there in mine or there not in said or here in anywhere:
                continue
            if self._stand_alike(mine[here], said[there]):
                self._put("opposite", 1.0, [mine[here]])
        for place in range(len(self.grammar.items)):
            markers = self.grammar.markers(place)
            turned = {there for here, there in pairs if here in markers}
            if turned:
                nearby = [
                    (n, self.known[n].grammar.markers(p))
                    for n, p in sorted(self.at[place])
                    if n in self.near
                ]
                other = [number for number, words in nearby if turned & words]
                if other and not any(markers & words for _, words in nearby):
                    self._put("opposite", 1.0, [place], other[0])

    def _stand_alike(self, place: int, other: int) -> bool:
        """Check whether a word of the nearest passage has the head of a word, or a like child.

        "His sister" and "her brother", "a day before the vote" and "a day after the count" do not.
        """
        grammar, theirs = self.grammar, self.known[self.nearest].grammar
        heads = grammar.items[place].head, theirs.items[other].head
        if -1 not in heads and (self.nearest, heads[1]) in self.at[heads[0]]:
            return True
        return any(
            (self.nearest, there) in self.at[here]
            and grammar.items[here].relation == theirs.items[there].relation
            for here, there in product(grammar.below(place), theirs.below(other))
        )

    def _exchanged(self) -> None:
        """Check whether the sources exchange two names among the words around them."""
        mine = [argument for argument in arguments(self.grammar) if argument.kind == "name"]
        theirs: defaultdict[int, list[Argument]] = defaultdict(list)
        for number, argument in self.index.arguments:
            if argument.kind == "name":
                theirs[number].append(argument)
        for first, second in combinations(mine, 2):
            straight, crossed, against = 0.0, 0.0, self.nearest
            for number in self.having[first.places[-1]] & self.having[second.places[-1]]:
                here, there = (
                    [
                        e
                        for e in theirs[number]
                        if self._same(a.places, number, e.places, whole=False)
                    ]
                    for a in (first, second)
                )
                for left, right in product(here, there):
                    unturned = self._around(first, left) + self._around(second, right)
                    straight = max(straight, unturned)
                    turned = self._around(first, right) + self._around(second, left)
                    if turned > crossed and left is not right:
                        crossed, against = turned, number
            total = self._around(first, first) + self._around(second, second)
            if total and crossed > straight:
                value = min(1.0, 2 * (crossed - straight) / total)
                self._put("exchanged", value, [*first.places, *second.places], against)

    def _around(self, argument: Argument, other: Argument) -> float:
        """Return the weight of the words that two names share before and after them."""
        before, after = argument.before & other.before, argument.after & other.after
        return self.index.weight(before) + self.index.weight(after)

    def _acts(self) -> None:
        """Check whether what is stated as fact is only supposed or planned in the sources."""
        for place, item in enumerate(self.grammar.items):
            if not item.concepts or not (item.is_predicate or item.tag in {"VERB", "NOUN"}):
                continue
            places = list(self._find_act(place))
            if not places:
                continue
            self._roles(place, places)
            against = places[0][0]
            theirs = [(self.known[number].grammar, at) for number, at in places]
            moods = self.grammar.moods(place)
            for mood in () if item.quoted else ("doubt", "plan"):
                if mood not in moods and all(mood in other.moods(at) for other, at in theirs):
                    self._put(f"no {mood}", 0.5 if moods else 1.0, [place], against)

    def _roles(self, head: int, places: Sequence[At]) -> None:
        """Check whether sources for an act give somebody's role in it only to another."""
        for mine, role in self.grammar.parts(head):
            right = not any(self.grammar.items[place].entities for place in mine)
            other = None
            for number, at in places:
                grammar = self.known[number].grammar
                for theirs, part in grammar.parts(at):
                    if part != role:
                        continue
                    if any((number, other) in self.at[place] for other in theirs for place in mine):
                        right = True
                    elif any(grammar.items[part_place].entities for part_place in theirs):
                        other = number
            self._put("another's part", float(other is not None and not right), mine, other)

    def _find_act(self, place: int) -> Iterator[At]:
        """Yield the places where the sources have a word with most of its dependents."""
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
        if grammar.quotations:
            self._put("quotes", 1.0)
        speakers = [p for p in grammar.speakers if grammar.items[p].tag != "PRON"]
        for run in grammar.quotations:
            spoken = _WORD.findall(" ".join(grammar.items[p].text.lower() for p in run))
            line = f" {' '.join(spoken)} "
            words = [_words(passage) for passage in self.known]
            holders = [n for n, row in enumerate(words) if line in f" {' '.join(row)} "]
            if not holders:
                least = 0.8 * len(set(spoken))
                holders = [n for n, w in enumerate(words) if len(set(spoken) & set(w)) >= least]
                self._put("not verbatim", 0.5 if holders else 1.0, run)
            if speakers and holders:
                right = any(self._speaks(p, n) for p in speakers for n in holders)
                self._put("another speaker", float(not right), speakers, holders[0])

    def _speaks(self, speaker: int, holder: int) -> bool:
        """Check whether a speaker of the sentence speaks in or next to a passage."""
        passage = self.known[holder]
        if passage.grammar.is_own and not any(item.quoted for item in passage.grammar.items):
            return True
        if any(n == holder and not passage.grammar.items[p].quoted for n, p in self.at[speaker]):
            return True
        return any(
            self.known[number].document == passage.document
            and place in self.known[number].grammar.speakers
            for number, place in self.at[speaker]
            if abs(number - holder) == 1
        )


def _words(passage: EvidenceSentence) -> list[str]:
    return _WORD.findall(" ".join(item.text.lower() for item in passage.grammar.items))
