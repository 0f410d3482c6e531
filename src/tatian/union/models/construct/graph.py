"""Dependency graph of a wording, from the dependencies of its source sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tatian.text.content import reporting_concepts
from tatian.union.models.construct.costs import WordingCosts
from tatian.union.models.construct.reading import WordingReading, WordOrigin
from tatian.union.models.sentences import RELATIVES, Parsed

STATEMENTS = frozenset("conj parataxis ccomp".split())
PRONOUNS = frozenset("he she it they him her them his its their".split())


class WordingGraph:
    """Words of a wording, each attached to its source head or to the head's replacement."""

    def __init__(self, reading: WordingReading, costs: WordingCosts, guessed: bool = True) -> None:
        self.reading = reading
        self.sentences = costs.sentences
        self._costs = costs
        self._guessed = guessed
        self.places: dict[WordOrigin, list[int]] = {}
        self._by_concept: dict[str, list[int]] = {}
        for index, origin in enumerate(reading.origins):
            if origin is not None:
                self.places.setdefault(origin, []).append(index)
                concept = self.sentences[origin[0]].concepts[origin[1]]
                if concept is not None:
                    self._by_concept.setdefault(concept, []).append(index)
        self.has_added_pronouns = any(t.glue and t.text in PRONOUNS for t in reading.tokens)

    def source(self, index: int) -> tuple[Parsed, int]:
        """Return the source sentence of a word, and its place there."""
        origin = self.reading.origins[index]
        assert origin is not None
        return self.sentences[origin[0]], origin[1]

    @cached_property
    def parents(self) -> list[int | None]:
        """Index of each word's head; -1 for main predicates, None if the head was dropped."""
        return [self._find_parent(index) for index in range(len(self.reading.origins))]

    def _find_parent(self, index: int) -> int | None:
        origin = self.reading.origins[index]
        if origin is None:
            return -1
        number, place = origin
        sentence = self.sentences[number]
        head = sentence.heads[place]
        if head < 0:
            return self.antecedent(index)
        heads = list(self.places.get((number, head), ()))
        if not heads:
            heads = [other for other in self.find_heads_of_replaced(origin) if other != index]
        if not heads:
            heads = [other for other in self.find_equivalents((number, head)) if other != index]
            if sentence.concepts[head] in reporting_concepts():
                heads = [i for i in heads if self.share_speaker((number, head), i)]
        if not heads:
            statement = sentence.relations[place] in STATEMENTS and sentence.predicate(place)
            antecedent = self.antecedent(index) if statement else -1
            return antecedent if antecedent >= 0 else None
        return min(heads, key=lambda other: abs(other - index))

    def find_equivalents(self, word: WordOrigin) -> list[int]:
        """Return the indices of the word, or else of words with the same referent or concept."""
        if word in self.places:
            return self.places[word]
        indices = [
            i
            for twin in self._costs.counterparts(word, self._guessed)
            for i in self.places.get(twin, ())
        ]
        concept = self.sentences[word[0]].concepts[word[1]]
        if not indices and concept is not None:
            indices = self._by_concept.get(concept, [])
        if not indices and self.sentences[word[0]].tag(word[1]) == "PRON":
            other, pronoun = 1 - word[0], self.sentences[word[0]].lower[word[1]]
            same = [p for p, w in enumerate(self.sentences[other].lower) if w == pronoun]
            indices = [i for p in same for i in self.places.get((other, p), ())]
        return indices

    def find_heads_of_replaced(self, word: WordOrigin) -> Iterator[int]:
        """Yield the heads of dropped words that this word replaces."""
        other = 1 - word[0]
        sentence, concept = self.sentences[other], self.sentences[word[0]].concepts[word[1]]
        twins = {
            place
            for number, place in self._costs.counterparts(word, self._guessed)
            if number == other
        }
        twins |= {p for p, c in enumerate(sentence.concepts) if c is not None and c == concept}
        for twin in sorted(twins):
            head = sentence.heads[twin]
            if (other, twin) not in self.places and head >= 0:
                yield from self.find_equivalents((other, head))

    def antecedent(self, index: int) -> int:
        """Return the index of the word before a verb's added "who" or "which"; -1 without one."""
        start = self.opening(index)
        pronoun = self.reading.tokens[start - 1]
        if start < 2 or not pronoun.glue or pronoun.text not in RELATIVES:
            return -1
        before = start - 2
        while before > 0 and not self.is_word(before):
            before -= 1
        return before

    def opening(self, verb: int) -> int:
        """Return the index at which a verb's group opens: its first auxiliary, adverb or marker."""
        origin = self.reading.origins[verb]
        assert origin is not None
        number, place = origin
        group = [place, *self.sentences[number].under(place, "aux", "cop", "advmod", "mark")]
        indices = [i for p in group for i in self.places.get((number, p), ()) if i <= verb]
        return min([verb, *indices])

    def share_speaker(self, verb: WordOrigin, index: int) -> bool:
        """Return True if a reporting verb is the word at `index` or has the same subject."""
        origin = self.reading.origins[index]
        if origin is None or origin == verb:
            return True
        subjects = [
            (number, self.sentences[number].under(place, "nsubj"))
            for number, place in (verb, origin)
        ]
        if not all(places for _, places in subjects):
            return True
        first, second = ((number, places[0]) for number, places in subjects)
        concept = self.sentences[first[0]].concepts[first[1]]
        same = concept is not None and concept == self.sentences[second[0]].concepts[second[1]]
        return same or second in self._costs.counterparts(first, self._guessed)

    def is_word(self, index: int) -> bool:
        """Return True for a word of a source outside quotations."""
        token = self.reading.tokens[index]
        sourced = self.reading.origins[index] is not None
        return sourced and not token.quoted and token.text[:1].isalnum()

    def is_below(self, index: int, head: int) -> bool:
        """Return True if `head` is the word at `index` or an ancestor of it."""
        seen: set[int] = set()
        ancestor: int | None = index
        while ancestor is not None and ancestor >= 0 and ancestor not in seen:
            if ancestor == head:
                return True
            seen.add(ancestor)
            ancestor = self.parents[ancestor]
        return False
