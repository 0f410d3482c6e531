"""Scoring of a wording by its faults: omissions, repetitions, wrong attachments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import asdict

from tatian.text.content import is_exact
from tatian.union.models.construct.outline import entity, is_past, is_planned
from tatian.union.models.construct.pairing import Pairing
from tatian.union.models.construct.reading import WordingReading, WordOrigin
from tatian.union.models.sentences import Parsed


class WordingWeights(Struct, frozen=True):
    """Cost of each fault of a wording, in points of the ranker's score."""

    missing: float = 1.0
    """A content word that is missing and has no counterpart in the wording."""
    missing_exact: float = 1.4
    """A missing name or figure."""
    missing_act: float = 1.0
    """A missing verb of a statement."""
    twice: float = 1.6
    """Two phrases with the same referent, both present."""
    repeated: float = 0.4
    """A content word that occurs more often than in any source."""
    moved: float = 0.8
    """A word with another head than in its source."""
    stale: float = 2.5
    """An event worded as planned although the other sentence says that it happened."""
    orphan: float = 1.5
    """A subject that lost its verb."""
    late: float = 0.05
    """Each word beyond twelve between two coordinated verbs."""
    base: float = 0.5
    """A main verb from the sentence that has at least two content words fewer."""
    weaker: float = 1.0
    """The weaker of the two sentences' verbs for one event: "damaged", not "destroyed"."""
    joint: float = 0.15
    """A switch from the words of one sentence to those of the other."""
    embedded: float = 0.03
    """Each word beyond three between the subject and its verb."""


WEIGHTS = WordingWeights()
_STRUCTURE = frozenset(("moved", "orphan", "late", "base", "joint", "embedded"))
_STRONGER: dict[str, frozenset[str]] = {
    strong: frozenset(weak.split())
    for strong, weak in {
        "destroy": "damage hit affect",
        "demolish": "damage",
        "wreck": "damage",
        "ruin": "damage",
        "gut": "damage",
        "kill": "hit attack",
        "murder": "attack kill",
        "win": "contest",
        "plunge": "fall drop decline",
        "tumble": "fall drop decline",
        "soar": "rise increase grow",
        "slash": "cut reduce",
        "convict": "charge accuse",
        "ban": "restrict",
        "tour": "visit",
    }.items()
}
"""Stronger verbs, each with the weaker verbs that it implies."""
_CHECKED = frozenset(("nsubj", "obj", "iobj", "acl", "appos", "advcl", "obl", "nmod", "xcomp"))
_SUBJECT_LIKE = frozenset(
    "nsubj nsubj:pass obj obl obl:agent appos nmod nmod:poss compound flat nmod:desc conj".split()
)
_CLAUSES = frozenset(("root", "conj", "parataxis", "ccomp", "advcl", "acl"))


class WordingJudge:
    """Scores the wordings of a pair by the matches between its sentences."""

    def __init__(self, pairing: Pairing, weights: WordingWeights = WEIGHTS) -> None:
        self.pairing = pairing
        self.sentences: tuple[Parsed, Parsed] = (pairing.frame, pairing.other)
        self.weights = weights
        self._most: Counter[str | None] = Counter()
        for sentence in self.sentences:
            self._most |= Counter(sentence.concepts)
        self.omittable: set[WordOrigin] = set()
        """Words that a union may omit, because they belong to an excluded claim."""
        self._stale: set[WordOrigin] = set()
        self._same = self._standing_for()

    def _standing_for(self) -> dict[WordOrigin, set[WordOrigin]]:
        """Map each word to the words of the other sentence that can replace it."""
        replacements: dict[WordOrigin, set[WordOrigin]] = {}
        for link in self.pairing.links:
            mine = {(0, place) for place in link.frame.places}
            theirs = {(1, place) for place in link.other.places}
            if link.bare:
                mine, theirs = {(0, link.frame.head)}, {(1, link.other.head)}
            verbs = link.frame.kind == link.other.kind == "verb"
            if verbs and link.other.head not in self.pairing.acts:
                continue
            if link.fuller != "frame":
                for place in mine:
                    replacements.setdefault(place, set()).update(theirs)
            if link.fuller != "other":
                for place in theirs:
                    replacements.setdefault(place, set()).update(mine)
        for theirs_act, mine_act in self.pairing.acts.items():
            pair = (0, mine_act), (1, theirs_act)
            stale = [
                is_planned(self.sentences[number], place)
                and is_past(self.sentences[1 - number], pair[1 - number][1])
                for number, place in pair
            ]
            if stale[0] != stale[1]:
                self._stale.add(pair[0] if stale[0] else pair[1])
            if not stale[1] or stale[0]:
                replacements.setdefault(pair[0], set()).add(pair[1])
            if not stale[0] or stale[1]:
                replacements.setdefault(pair[1], set()).add(pair[0])
        return replacements

    def counterparts(self, word: WordOrigin, guessed: bool = True) -> set[WordOrigin]:
        """Return the words of the other sentence with the same referent or event.

        Without `guessed`, exclude words that are matched only by the encoder's similarity.
        """
        number, place = word
        twins = self.pairing.twins
        words = set(self._same.get(word, ()))
        if number:
            twin = twins.get(place)
            words |= {(0, twin)} if twin is not None else set()
        else:
            words |= {(1, theirs) for theirs, mine in twins.items() if mine == place}
        return words if guessed else {other for other in words if not self._is_guess(word, other)}

    def _is_guess(self, word: WordOrigin, other: WordOrigin) -> bool:
        """Return True if two words are matched only by the encoder's similarity."""
        mine, theirs = sorted((word, other))
        concepts = self.sentences[0].concepts[mine[1]], self.sentences[1].concepts[theirs[1]]
        if concepts[0] is not None and concepts[0] == concepts[1]:
            return False
        return not any(
            mine[1] in link.frame.places and theirs[1] in link.other.places
            for link in self.pairing.links
            if not link.guessed
        )

    def missing(self, reading: WordingReading) -> list[WordOrigin]:
        """Return content words that are missing from the wording and have no counterpart in it."""
        concepts = Counter(reading.concepts)
        lost = []
        for number, sentence in enumerate(self.sentences):
            for place, concept in enumerate(sentence.concepts):
                if concept is None or sentence.tag(place) in ("PUNCT", "AUX"):
                    continue
                if (number, place) in reading.sources or concept in concepts:
                    continue
                if (number, place) in self.omittable:
                    continue
                if self._same.get((number, place), set()) & reading.sources:
                    continue
                if self._is_plan(number, place):
                    continue
                lost.append((number, place))
        return lost

    def _is_plan(self, number: int, place: int) -> bool:
        """Return True if a word such as "expected to" governs an event that has happened."""
        sentence = self.sentences[number]
        acts = self.pairing.acts if number else {v: k for k, v in self.pairing.acts.items()}
        return any(
            sentence.relations[child] == "xcomp" and child in acts
            for child in sentence.children[place]
        )

    def counts(self, reading: WordingReading) -> dict[str, float]:
        """Count each fault of a wording, by the name of its weight."""
        counts: Counter[str] = Counter()
        for number, place in self.missing(reading):
            sentence = self.sentences[number]
            if sentence.predicate(place) and sentence.relations[place] in _CLAUSES:
                counts["missing_act"] += 1
            elif is_exact(sentence.tokens[place].text):
                counts["missing_exact"] += 1
            else:
                counts["missing"] += 1
        concepts = Counter(concept for concept in reading.concepts if concept is not None)
        counts["repeated"] = sum(
            max(0, n - max(1, self._most[name])) for name, n in concepts.items()
        )
        counts["twice"] = self._twice(reading)
        counts["moved"] = self.moved(reading)
        counts["orphan"] = self._orphans(reading)
        counts["stale"] = len(self._stale & reading.sources)
        counts["late"] = self._late(reading)
        counts["base"] = self._on_shorter(reading)
        counts["weaker"] = self._weaker(reading)
        counts["joint"] = self._joints(reading)
        counts["embedded"] = self._embedded(reading)
        return dict(counts)

    def cost(self, reading: WordingReading, structure: float = 1.0) -> float:
        """Return the penalty for a wording's faults; `structure` scales faults of structure.

        Structure comes from a parse, which says little about a freely written sentence.
        """
        weights: dict[str, float] = asdict(self.weights)
        return sum(
            weights[name] * count * (structure if name in _STRUCTURE else 1.0)
            for name, count in self.counts(reading).items()
        )

    def _twice(self, reading: WordingReading) -> int:
        count = 0
        for link in self.pairing.links:
            heads = (0, link.frame.head), (1, link.other.head)
            if link.frame.kind == link.other.kind == "verb":
                if self.pairing.acts.get(link.other.head) != link.frame.head:
                    continue
            elif "verb" in (link.frame.kind, link.other.kind) and link.guessed:
                continue
            if heads[0] in reading.sources and heads[1] in reading.sources:
                count += 1
        for theirs, mine in self.pairing.acts.items():
            linked = any(
                link.other.head == theirs and link.frame.head == mine for link in self.pairing.links
            )
            count += not linked and (0, mine) in reading.sources and (1, theirs) in reading.sources
        return count

    def _on_shorter(self, reading: WordingReading) -> int:
        """Return 1 if the main verb is from the sentence with fewer content words, else 0."""
        lengths = [sum(concept is not None for concept in s.concepts) for s in self.sentences]
        if abs(lengths[0] - lengths[1]) < 2:
            return 0
        longer = int(lengths[1] > lengths[0])
        if reading.tree is None:
            return 0
        number = reading.index[reading.tree.root]
        origin = reading.origins[number] if number is not None else None
        return int(origin is not None and origin[0] != longer)

    def _weaker(self, reading: WordingReading) -> int:
        count = 0
        for theirs, mine in self.pairing.acts.items():
            for stronger, weaker in (((0, mine), (1, theirs)), ((1, theirs), (0, mine))):
                strong = self.sentences[stronger[0]].words[stronger[1]].lemma
                weak = self.sentences[weaker[0]].words[weaker[1]].lemma
                if weak in _STRONGER.get(strong, ()) and weaker in reading.sources:
                    count += stronger not in reading.sources
        return count

    def _joints(self, reading: WordingReading) -> int:
        count, last = 0, None
        for origin in reading.origins:
            if origin is None:
                continue
            if last is not None and (origin[0] != last[0]):
                count += 1
            last = origin
        return count

    def _embedded(self, reading: WordingReading) -> int:
        tree = reading.tree
        if tree is None:
            return 0
        subjects = [place for place in tree.under(tree.root, "nsubj") if place < tree.root]
        if not subjects:
            return 0
        group = [tree.root, *(p for p in tree.under(tree.root, "aux", "cop") if p > subjects[0])]
        return max(0, min(group) - subjects[0] - 4)

    def moved(self, reading: WordingReading) -> int:
        """Count words with another head than in their source."""
        tree = reading.tree
        if tree is None:
            return 0
        count = 0
        for place, origin in self._taken(reading, tree):
            sentence, at = self.sentences[origin[0]], origin[1]
            relation = sentence.relations[at]
            if relation not in _CHECKED or sentence.concepts[at] is None:
                continue
            head = sentence.heads[at]
            above = reading.index[tree.heads[place]] if tree.heads[place] >= 0 else None
            if above is None:
                count += relation in ("nsubj", "obj")
                continue
            head_source = reading.origins[above]
            if head_source is not None and not self._may_head(origin[0], head, head_source):
                count += 1
        return count

    @staticmethod
    def _taken(reading: WordingReading, tree: Parsed) -> Iterator[tuple[int, WordOrigin]]:
        """Yield the indices of unquoted source words in the parse, each with its origin."""
        for place in range(len(tree)):
            number = reading.index[place]
            origin = reading.origins[number] if number is not None else None
            if origin is not None and not tree.tokens[place].quoted:
                yield place, origin

    def _orphans(self, reading: WordingReading) -> int:
        """Count subjects that lost their verb and have no other role."""
        tree = reading.tree
        if tree is None:
            return 0
        count = 0
        for place, origin in self._taken(reading, tree):
            sentence, at = self.sentences[origin[0]], origin[1]
            if sentence.relations[at] == "nsubj" and sentence.concepts[at] is not None:
                has_head = (origin[0], sentence.heads[at]) in reading.sources
                part = tree.words[place].relation in _SUBJECT_LIKE
                count += not part and not has_head
        return count

    def _late(self, reading: WordingReading) -> int:
        tree = reading.tree
        if tree is None:
            return 0
        far = [
            place - tree.root - 12
            for place in tree.under(tree.root, "conj")
            if tree.predicate(place) and not tree.under(place, "nsubj")
        ]
        return max([0, *far])

    def _may_head(self, number: int, head: int, source: WordOrigin) -> bool:
        """Return True if `source` can replace a head, or is a word that the head belongs to."""
        if source == (number, head):
            return True
        sentence, there = self.sentences[number], self.sentences[source[0]]
        same = sentence.concepts[head]
        if same is not None and same == there.concepts[source[1]]:
            return True
        if source in self._same.get((number, head), set()):
            return True
        if (number, head) in self._same.get(source, set()):
            return True
        if source[0] == number:
            near = {entity(sentence, head), sentence.heads[head]}
            near |= set(sentence.children[head])
            return source[1] in near
        twins = self.pairing.twins
        if number == 1:
            return self.pairing.twin(head) == entity(there, source[1])
        return twins.get(source[1]) == entity(sentence, head)
