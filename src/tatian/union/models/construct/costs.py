"""Costs of a wording's faults: omissions, repetitions, wrong attachments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import asdict

from tatian.text.content import is_exact
from tatian.union.models.construct.outline import find_entity, is_past, is_planned
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
    stale: float = 8.0
    """An event worded as planned although the other sentence says that it happened."""
    orphan: float = 1.5
    """A subject that lost its verb."""
    late: float = 0.05
    """Each word of distance beyond twelve between the main verb and a coordinated one."""
    base: float = 0.5
    """A main verb from the sentence that has at least two content words fewer."""
    weaker: float = 8.0
    """The weaker of the two sentences' verbs for one event: "damaged", not "destroyed"."""
    joint: float = 0.15
    """A switch from the words of one sentence to those of the other."""
    embedded: float = 0.03
    """Each word beyond three between the main verb and its subject before it."""


WEIGHTS: dict[str, float] = asdict(WordingWeights())
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


class WordingCosts:
    """Counts and weighs the faults of a pair's wordings, by the matches of its sentences."""

    def __init__(self, pairing: Pairing) -> None:
        self.pairing = pairing
        self.sentences: tuple[Parsed, Parsed] = (pairing.frame, pairing.other)
        self._most: Counter[str | None] = Counter()
        for sentence in self.sentences:
            self._most |= Counter(sentence.concepts)
        self.omittable: set[WordOrigin] = set()
        """Words that a union may omit, because they belong to an excluded claim."""
        self._outdated: set[WordOrigin] = set()
        self._replacements = self._find_replacements()

    def _find_replacements(self) -> dict[WordOrigin, set[WordOrigin]]:
        """Map each word to the words of the other sentence that can replace it."""
        replacements: dict[WordOrigin, set[WordOrigin]] = {}
        for link in self.pairing.links:
            frame_words = {(0, place) for place in link.frame.places}
            other_words = {(1, place) for place in link.other.places}
            if link.heads_only:
                frame_words, other_words = {(0, link.frame.head)}, {(1, link.other.head)}
            if link.kinds == {"verb"} and link.other.head not in self.pairing.acts:
                continue
            if link.fuller != "frame":
                for place in frame_words:
                    replacements.setdefault(place, set()).update(other_words)
            if link.fuller != "other":
                for place in other_words:
                    replacements.setdefault(place, set()).update(frame_words)
        for other_verb, frame_verb in self.pairing.acts.items():
            pair = (0, frame_verb), (1, other_verb)
            outdated = [
                word
                for word, rival in (pair, pair[::-1])
                if is_planned(self.sentences[word[0]], word[1])
                and is_past(self.sentences[rival[0]], rival[1])
            ]
            if len(outdated) == 1:
                self._outdated.update(outdated)
            for word, rival in (pair, pair[::-1]):
                if outdated != [rival]:
                    replacements.setdefault(word, set()).add(rival)
        return replacements

    def counterparts(self, word: WordOrigin, guessed: bool = True) -> set[WordOrigin]:
        """Return the words of the other sentence with the same referent or event.

        Without `guessed`, exclude words that are matched only by the encoder's similarity.
        """
        number, place = word
        twins = self.pairing.twins
        words = set(self._replacements.get(word, ()))
        if number:
            words |= {(0, twins[place])} if place in twins else set()
        else:
            words |= {(1, other) for other, frame in twins.items() if frame == place}
        return words if guessed else {other for other in words if not self._is_guess(word, other)}

    def _is_guess(self, word: WordOrigin, other: WordOrigin) -> bool:
        """Return True if two words are matched only by the encoder's similarity."""
        frame_word, other_word = sorted((word, other))
        concept = self.sentences[0].concepts[frame_word[1]]
        if concept is not None and concept == self.sentences[1].concepts[other_word[1]]:
            return False
        return not any(
            frame_word[1] in link.frame.places and other_word[1] in link.other.places
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
                if self._replacements.get((number, place), set()) & reading.sources:
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
        return {
            **counts,
            "repeated": sum(max(0, n - max(1, self._most[name])) for name, n in concepts.items()),
            "twice": self._count_doubled(reading),
            "moved": self.count_moved(reading),
            "orphan": self._count_orphans(reading),
            "stale": len(self._outdated & reading.sources),
            "late": self._count_late(reading),
            "base": self._has_shorter_base(reading),
            "weaker": self._count_weaker(reading),
            "joint": self._count_joints(reading),
            "embedded": self._count_embedded(reading),
        }

    def cost(self, reading: WordingReading, structure: float = 1.0) -> float:
        """Return the penalty for a wording's faults; `structure` scales faults of structure.

        Those come from a parse, which is less reliable for a freely written sentence.
        """
        return sum(
            WEIGHTS[name] * count * (structure if name in _STRUCTURE else 1.0)
            for name, count in self.counts(reading).items()
        )

    def _count_doubled(self, reading: WordingReading) -> int:
        count = 0
        for link in self.pairing.links:
            if link.kinds == {"verb"}:
                if self.pairing.acts.get(link.other.head) != link.frame.head:
                    continue
            elif "verb" in link.kinds and link.guessed:
                continue
            count += {(0, link.frame.head), (1, link.other.head)} <= reading.sources
        for other_place, frame_place in self.pairing.acts.items():
            heads = (frame_place, other_place)
            if any((link.frame.head, link.other.head) == heads for link in self.pairing.links):
                continue
            count += {(0, frame_place), (1, other_place)} <= reading.sources
        return count

    def _has_shorter_base(self, reading: WordingReading) -> int:
        """Return 1 if the main verb is from the sentence with fewer content words, else 0."""
        lengths = [sum(concept is not None for concept in s.concepts) for s in self.sentences]
        if abs(lengths[0] - lengths[1]) < 2:
            return 0
        longer = int(lengths[1] > lengths[0])
        if reading.tree is None:
            return 0
        origin = reading.origin_at(reading.tree.root)
        return int(origin is not None and origin[0] != longer)

    def _count_weaker(self, reading: WordingReading) -> int:
        count = 0
        for other_place, frame_place in self.pairing.acts.items():
            pair = (0, frame_place), (1, other_place)
            for stronger, weaker in (pair, pair[::-1]):
                strong = self.sentences[stronger[0]].words[stronger[1]].lemma
                weak = self.sentences[weaker[0]].words[weaker[1]].lemma
                if weak in _STRONGER.get(strong, ()) and weaker in reading.sources:
                    count += stronger not in reading.sources
        return count

    def _count_joints(self, reading: WordingReading) -> int:
        count, last = 0, None
        for origin in reading.origins:
            if origin is None:
                continue
            if last is not None and (origin[0] != last[0]):
                count += 1
            last = origin
        return count

    def _count_embedded(self, reading: WordingReading) -> int:
        tree = reading.tree
        if tree is None:
            return 0
        subjects = [place for place in tree.under(tree.root, "nsubj") if place < tree.root]
        if not subjects:
            return 0
        group = [tree.root, *(p for p in tree.under(tree.root, "aux", "cop") if p > subjects[0])]
        return max(0, min(group) - subjects[0] - 4)

    def count_moved(self, reading: WordingReading) -> int:
        """Count words with another head than in their source."""
        tree = reading.tree
        if tree is None:
            return 0
        count = 0
        for place, origin in self._sourced_words(reading, tree):
            sentence, source_place = self.sentences[origin[0]], origin[1]
            relation = sentence.relations[source_place]
            if relation not in _CHECKED or sentence.concepts[source_place] is None:
                continue
            head = sentence.heads[source_place]
            head_index = reading.index[tree.heads[place]] if tree.heads[place] >= 0 else None
            if head_index is None:
                count += relation in ("nsubj", "obj")
                continue
            head_source = reading.origins[head_index]
            if head_source is not None and not self._may_head(origin[0], head, head_source):
                count += 1
        return count

    @staticmethod
    def _sourced_words(reading: WordingReading, tree: Parsed) -> Iterator[tuple[int, WordOrigin]]:
        """Yield the indices of unquoted source words in the parse, each with its origin."""
        for place in range(len(tree)):
            origin = reading.origin_at(place)
            if origin is not None and not tree.tokens[place].quoted:
                yield place, origin

    def _count_orphans(self, reading: WordingReading) -> int:
        """Count subjects that lost their verb and have no other role."""
        tree = reading.tree
        if tree is None:
            return 0
        count = 0
        for place, origin in self._sourced_words(reading, tree):
            number, index = origin
            sentence = self.sentences[number]
            if sentence.relations[index] == "nsubj" and sentence.concepts[index] is not None:
                has_head = (number, sentence.heads[index]) in reading.sources
                has_role = tree.words[place].relation in _SUBJECT_LIKE
                count += not has_role and not has_head
        return count

    def _count_late(self, reading: WordingReading) -> int:
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
        """Return True if `source` can replace a head, or is that head's own head or dependent."""
        if source == (number, head):
            return True
        sentence, other_sentence = self.sentences[number], self.sentences[source[0]]
        concept = sentence.concepts[head]
        if concept is not None and concept == other_sentence.concepts[source[1]]:
            return True
        if source in self._replacements.get((number, head), set()):
            return True
        if (number, head) in self._replacements.get(source, set()):
            return True
        if source[0] == number:
            related_places = {find_entity(sentence, head), sentence.heads[head]}
            related_places |= set(sentence.children[head])
            return source[1] in related_places
        twins = self.pairing.twins
        if number == 1:
            return self.pairing.twin(head) == find_entity(other_sentence, source[1])
        return twins.get(source[1]) == find_entity(sentence, head)
