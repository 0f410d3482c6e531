"""Features of a sentence for and against its support, most of them from 0 to 1."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, product

import numpy as np

from tatian.consolidation.verification.evidence import Evidence, EvidenceSentence, presence
from tatian.consolidation.verification.grammar import is_time
from tatian.consolidation.verification.index import Detail, Index, Position, details, lone_words
from tatian.text.lexicon import OPPOSITES, REPORTING_VERBS

Words = Sequence[int]
"""Positions of words in a sentence."""
_WORD = re.compile(r"\w+")
_STRONG = (
    *("doubt lost", "denial lost", "opposite", "another speaker", "exchanged"),
    *("another time", "place taken", "no doubt", "another's part"),
    *("figure unknown", "name unknown"),
)
"""Checks that seldom fire on a sentence that the sources support."""
_MIN_SHARE = 0.3
"""Minimum covered share of the sentence for a passage's grammar to be compared."""
_NEIGHBOUR = 0.7
"""Factor for a word that only the passage before or after has."""
_MIN_STATEMENT, _MIN_DENIAL, _MIN_MOOD = 0.3, 0.65, 0.85
"""Minimum shared part of a statement, and of the best match for denials and for moods."""

DOUBTED = "doubted"
"""Log-odds against a sentence, by the model that reads all its passages as one."""


class Finding:
    """Features of one sentence, the words they concern, and the passages against it."""

    def __init__(self, evidence: Evidence, index: Index) -> None:
        self.evidence, self.index, self.passages = evidence, index, index.passages
        self.grammar = evidence.grammar
        self.grammars = [passage.grammar for passage in index.passages]
        self.figures: dict[str, float] = {}
        self.words: dict[str, list[int]] = {}
        self.passage_of_check: dict[str, int] = {}
        self.coverage = np.maximum(evidence.covered.max(0), evidence.joint_coverage)
        self.positions = [index.positions(item) for item in self.grammar.items]
        self.holders = [{number for number, _ in at} for at in self.positions]
        self.moods = self.grammar.moods_at(range(len(self.grammar.items)))
        self.nearest = evidence.numbers[int(np.argmax(evidence.shares))]
        self._add_model_figures()
        self._check_arguments()
        shares = zip(evidence.numbers, evidence.shares, strict=True)
        self.comparable = {number for number, share in shares if share >= _MIN_SHARE}
        self.comparable |= {self.nearest, *(evidence.numbers[n] for n in evidence.chosen)}
        self._check_statements()
        self._check_place_taken()
        self._check_acts()
        self._check_opposites()
        self._check_exchanged()
        self._check_quotations()
        fired = [name for name in _STRONG if self.figures.get(name, 0.0) >= 1]
        self._record("objections", min(1.0, len(fired) / 3))

    def _record(
        self, name: str, value: float, words: Iterable[int] = (), against: int | None = None
    ) -> None:
        """Record a figure if it is the highest of its name, with its words and opposing passage."""
        if value >= self.figures.get(name, 0.0):
            self.figures[name] = float(value)
            if value > 0 and words:
                self.words[name] = list(words)
                self.passage_of_check[name] = self.nearest if against is None else against

    def _add_model_figures(self) -> None:
        evidence = self.evidence
        content = np.array([bool(item.concepts) for item in self.grammar.items], dtype=float)
        weights = evidence.weights * np.maximum(content, 0.2)
        total = float(weights.sum()) or 1.0
        lacking = weights * (1 - self.coverage)
        self._record("untold", float(lacking.sum()) / total)
        self._record("untold alone", float((weights * (1 - evidence.covered)).sum(1).min()) / total)
        self._record("worst word", float(lacking.max()), [int(lacking.argmax())])
        nowhere = lacking * content * [not holders for holders in self.holders]
        self._record("strange", float(nowhere.max()), [int(nowhere.argmax())])
        self._record("share", max(evidence.joint_share, *evidence.shares))
        self._record("entailed", evidence.entailment.entailment)
        self._record("contradicted", evidence.entailment.contradiction)
        self.figures[DOUBTED] = -(evidence.support or 0.0)
        self._record("length", min(1.0, len(self.grammar.items) / 50))
        everywhere = frozenset().union(*(passage.grammar.concepts for passage in evidence.passages))
        run: list[int] = []
        for place, item in enumerate(self.grammar.items):
            if item.concepts:
                run = [*run, place] if item.concepts.isdisjoint(everywhere) else []
                self._record("foreign run", min(1.0, len(run) / 5), run)

    def _check_arguments(self) -> None:
        """Check whether passages that cover a clause have its names, numbers, days and subject."""
        grammar = self.grammar
        for detail in details(grammar):
            head = grammar.clause_head(detail.places[0])
            self._check_apart(grammar.clauses[head], detail.places, detail.kind)
            self._check_elsewhere(detail)
            if detail.is_time:
                self._check_time(head, detail.places)
            else:
                unknown = not any(self.holders[place] for place in detail.places)
                self._record(f"{detail.kind} unknown", float(unknown), detail.places)
        for head in grammar.clauses:
            subject = grammar.subject(head)
            named = grammar.name_in(subject[0]) if subject is not None else ()
            if named and grammar.items[named[-1]].tag == "PROPN":
                self._check_apart(grammar.extent(head), named, "subject")

    def _check_statements(self) -> None:
        """Compare each statement with the source statements that share most of its words."""
        grammar, statements_with = self.grammar, self.index.statements
        for places in grammar.statements.values():
            shared: defaultdict[Position, float] = defaultdict(float)
            total = 0.0
            for place in places:
                weight = max(map(self.index.rarity, grammar.items[place].concepts), default=0.0)
                total += weight
                for statement in {s for at in self.positions[place] for s in statements_with[at]}:
                    shared[statement] += weight
            best = max(shared.values(), default=0.0)
            self._record("scattered", 1 - best / total if total else 0.0, places)
            if best and best >= _MIN_STATEMENT * total:
                matches = {at for at in shared if shared[at] >= _MIN_DENIAL * best}
                self._check_denials(places, matches)
                near = [at for at in shared if shared[at] >= _MIN_MOOD * best]
                for mood in {"doubt", "plan"} - self.moods:
                    in_mood = [n for n, at in near if mood in self.index.moods[n, at]]
                    if in_mood:
                        self._record(f"{mood} lost", len(in_mood) / len(near), places, in_mood[0])

    def _check_denials(self, places: Sequence[int], nearest: set[Position]) -> None:
        """Check whether the nearest statements deny what this one affirms, or the reverse."""
        stated = self.index.statements
        for place in places:
            matches = [at for at in self.positions[place] if not nearest.isdisjoint(stated[at])]
            negated = self.grammar.is_negated(place)
            opposed = sorted(n for n, at in matches if self.grammars[n].is_negated(at) != negated)
            item = self.grammar.items[place]
            if opposed and (item.tag in {"VERB", "ADJ"} or item.is_predicate):
                self._record("denial lost", len(opposed) / len(matches), [place], opposed[0])

    def _check_apart(self, clause: Sequence[int], places: Sequence[int], kind: str) -> None:
        """Measure whether the passages that have an argument lack the other words of its clause.

        A gap is measured by the coverage model among the nearest passages, "astray" by shared words
        among all.
        """
        evidence, item = self.evidence, self.grammar.items[places[-1]]
        others = [place for place in clause if place not in places]
        weight = evidence.weights[others]
        total = float(weight.sum())
        covered = evidence.covered[:, others]
        scores = (covered @ weight) / total if total else np.ones(len(covered))
        presences = [presence(item, passage) for passage in evidence.passages]
        gap = max(0.0, float(scores.max() - (scores * presences).max()))
        self._record("gap", gap, places)
        shared: defaultdict[int, float] = defaultdict(float)
        whole = 0.0
        for place in others:
            concepts = self.grammar.items[place].concepts
            rarity = max(map(self.index.rarity, concepts), default=0.0)
            whole += rarity
            for number in self.holders[place]:
                shared[number] += rarity
        having = self.holders[places[-1]]
        with_it = (value * self._nearness(n, having) for n, value in shared.items())
        best = max(with_it, default=0.0)
        astray = (max(shared.values(), default=0.0) - best) / whole if whole else 0.0
        self._record(f"{kind} astray", astray, places)
        if kind != "subject":
            self._record("astray", astray, places)

    def _nearness(self, number: int, chosen: set[int]) -> float:
        """Return 1 for a chosen passage, less for the neighbour of one in its source."""
        if number in chosen:
            return 1.0
        neighbours = [n for n in (number - 1, number + 1) if n in chosen]
        document = self.passages[number].document
        return _NEIGHBOUR if any(self.passages[n].document == document for n in neighbours) else 0.0

    def _matches(self, places: Words, number: int, others: Words, *, whole: bool = False) -> bool:
        """Check whether one of the words, or all if `whole`, are among those of a passage."""
        matches = [any((number, p) in self.positions[q] for p in others) for q in places]
        return all(matches) if whole else any(matches)

    def _check_elsewhere(self, detail: Detail) -> None:
        """Check whether the sources have another argument in the same context."""
        total = self.index.total_rarity(detail.before) + self.index.total_rarity(detail.after)
        same = other = 0.0
        against = self.nearest
        for number, candidate in self.index.details:
            if candidate.item.tag != detail.item.tag or candidate.is_time != detail.is_time:
                continue
            score = self._context(detail, candidate)
            if not score:
                continue
            if self._matches(detail.places, number, candidate.places, whole=detail.is_time):
                same = max(same, score)
            elif score > other:
                other, against = score, number
        if total:
            self._record("elsewhere", max(0.0, other - same) / total, detail.places, against)

    def _check_time(self, head: int, places: Sequence[int]) -> None:
        """Check whether sources give only other days or years for the same act."""
        clause = [place for place in self.grammar.clauses[head] if place not in (head, *places)]
        is_known, rival = False, None
        for number, at in sorted(self.positions[head]):
            if any(number in self.holders[place] for place in clause):
                passage = self.grammars[number]
                times = [p for p, i in enumerate(passage.items) if is_time(i)]
                times = [p for p in times if passage.clause_head(p) == passage.clause_head(at)]
                if self._matches(places, number, times, whole=True):
                    is_known = True
                elif times:
                    rival = number
        self._record("another time", float(rival is not None and not is_known), places, rival)

    def _check_place_taken(self) -> None:
        """Check whether a passage has another name or number with the same head and relation."""
        grammar = self.grammar
        for head, place, _ in grammar.arcs:
            item = grammar.items[place]
            if not grammar.is_exact(place) or grammar.is_exact(head):
                continue
            is_known, rival = False, None
            for number, at in sorted(p for p in self.positions[head] if p[0] in self.comparable):
                passage = self.grammars[number]
                for dependent in passage.content_dependents(at):
                    if (number, dependent) in self.positions[place]:
                        is_known = True
                    elif (
                        number not in self.holders[place]
                        and passage.items[dependent].tag == item.tag
                        and passage.items[dependent].relation == item.relation
                        and passage.markers(dependent) == grammar.markers(place)
                    ):
                        rival = number
            self._record("place taken", float(rival is not None and not is_known), [place], rival)

    def _check_opposites(self) -> None:
        """Check whether the nearest passage has the opposite of a word in the same context."""
        nearest = self.grammars[self.nearest]
        nearby_words = {i.text.lower() for n in self.comparable for i in self.grammars[n].items}
        words, nearest_words = lone_words(self.grammar), lone_words(nearest)
        pairs = [(word, turned) for word, opposites in OPPOSITES.items() for turned in opposites]
        for word, opposite in pairs:
            only_here = word in words and opposite not in words
            if not only_here or opposite not in nearest_words or word in nearby_words:
                continue
            if self._have_same_context(words[word], nearest_words[opposite]):
                self._record("opposite", 1.0, [words[word]])
        for place in range(len(self.grammar.items)):
            markers = self.grammar.markers(place)
            turned = {opposite for word, opposite in pairs if word in markers}
            if turned:
                nearby = [
                    (n, self.grammars[n].markers(p))
                    for n, p in sorted(self.positions[place])
                    if n in self.comparable
                ]
                opposed = [number for number, others in nearby if turned & others]
                if opposed and not any(markers & others for _, others in nearby):
                    self._record("opposite", 1.0, [place], opposed[0])

    def _have_same_context(self, place: int, other: int) -> bool:
        """Check whether a word and one of the nearest passage share their head or a dependent.

        "His sister" and "her brother", "a day before the vote" and "a day after the count" do not.
        """
        grammar, nearest = self.grammar, self.grammars[self.nearest]
        heads = grammar.items[place].head, nearest.items[other].head
        if -1 not in heads and (self.nearest, heads[1]) in self.positions[heads[0]]:
            return True
        return any(
            (self.nearest, other_child) in self.positions[child]
            and grammar.items[child].relation == nearest.items[other_child].relation
            for child in grammar.content_dependents(place)
            for other_child in nearest.content_dependents(other)
        )

    def _check_exchanged(self) -> None:
        """Check whether the sources have two names in each other's contexts."""
        names = [detail for detail in details(self.grammar) if detail.kind == "name"]
        passage_names: defaultdict[int, list[Detail]] = defaultdict(list)
        for number, detail in self.index.details:
            if detail.kind == "name":
                passage_names[number].append(detail)
        for first, second in combinations(names, 2):
            straight, crossed, against = 0.0, 0.0, self.nearest
            for number in self.holders[first.places[-1]] & self.holders[second.places[-1]]:
                among = passage_names[number]
                left_names, right_names = (
                    [other for other in among if self._matches(name.places, number, other.places)]
                    for name in (first, second)
                )
                for left, right in product(left_names, right_names):
                    unturned = self._context(first, left) + self._context(second, right)
                    straight = max(straight, unturned)
                    turned = self._context(first, right) + self._context(second, left)
                    if turned > crossed and left is not right:
                        crossed, against = turned, number
            total = self._context(first, first) + self._context(second, second)
            if total and crossed > straight:
                value = min(1.0, 2 * (crossed - straight) / total)
                self._record("exchanged", value, [*first.places, *second.places], against)

    def _context(self, detail: Detail, other: Detail) -> float:
        """Return the weight of the words that two arguments share before and after them."""
        before, after = detail.before & other.before, detail.after & other.after
        return self.index.total_rarity(before) + self.index.total_rarity(after)

    def _check_acts(self) -> None:
        """Check whether the sources only suppose or plan what is stated as fact."""
        for place, item in enumerate(self.grammar.items):
            if not item.concepts or not (item.is_predicate or item.tag in {"VERB", "NOUN"}):
                continue
            occurrences = self._find_act(place)
            if not occurrences:
                continue
            self._check_roles(place, occurrences)
            against = occurrences[0][0]
            parsed = [(self.grammars[number], at) for number, at in occurrences]
            moods = self.grammar.act_moods(place)
            for mood in () if item.quoted else ("doubt", "plan"):
                if mood not in moods and all(mood in other.act_moods(at) for other, at in parsed):
                    self._record(f"no {mood}", 0.5 if moods else 1.0, [place], against)

    def _check_roles(self, head: int, occurrences: Sequence[Position]) -> None:
        """Check whether sources for an act give a participant's role only to someone else."""
        for names, role in self.grammar.participants(head):
            is_known = not any(self.grammar.items[place].entities for place in names)
            rival = None
            for number, at in occurrences:
                passage = self.grammars[number]
                for others, their_role in passage.participants(at):
                    if their_role == role and self._matches(names, number, others):
                        is_known = True
                    elif their_role == role and any(passage.items[p].entities for p in others):
                        rival = number
            self._record("another's part", float(rival is not None and not is_known), names, rival)

    def _find_act(self, place: int) -> list[Position]:
        """Return the positions where the sources have a word with most of its linked words."""
        own_words = {p for p in self.grammar.linked_words(place) if not self._is_reporting(p)}
        shared: dict[Position, int] = {}
        for number, at in sorted(self.positions[place]):
            passage = self.grammars[number]
            linked = {(number, p) for p in passage.linked_words(at)}
            shared[number, at] = sum(not linked.isdisjoint(self.positions[p]) for p in own_words)
            shared[number, at] += passage.denies_everyone(at)
        most = max(shared.values(), default=0)
        return [at for at, count in shared.items() if count == most and (most or not own_words)]

    def _is_reporting(self, place: int) -> bool:
        return self.grammar.items[place].text.lower() in REPORTING_VERBS

    def _check_quotations(self) -> None:
        grammar = self.grammar
        if grammar.quotations:
            self._record("quotes", 1.0)
        speakers = [p for p in grammar.speakers if grammar.items[p].tag != "PRON"]
        for run in grammar.quotations:
            spoken = _WORD.findall(" ".join(grammar.items[p].text.lower() for p in run))
            quotation = f" {' '.join(spoken)} "
            words = [_words(passage) for passage in self.passages]
            quoting = [n for n, row in enumerate(words) if quotation in f" {' '.join(row)} "]
            if not quoting:
                least = 0.8 * len(set(spoken))
                quoting = [n for n, w in enumerate(words) if len(set(spoken) & set(w)) >= least]
                self._record("not verbatim", 0.5 if quoting else 1.0, run)
            if speakers and quoting:
                is_speaker = any(self._speaks(p, n) for p in speakers for n in quoting)
                self._record("another speaker", float(not is_speaker), speakers, quoting[0])

    def _speaks(self, speaker: int, quoting: int) -> bool:
        """Check whether a speaker also speaks in a passage or its neighbours."""
        document, items = self.passages[quoting].document, self.grammars[quoting].items
        if self.grammars[quoting].is_first_person and not any(item.quoted for item in items):
            return True
        if any(n == quoting and not items[p].quoted for n, p in self.positions[speaker]):
            return True
        return any(
            self.passages[n].document == document and p in self.grammars[n].speakers
            for n, p in self.positions[speaker]
            if abs(n - quoting) == 1
        )


def _words(passage: EvidenceSentence) -> list[str]:
    return _WORD.findall(" ".join(item.text.lower() for item in passage.grammar.items))
