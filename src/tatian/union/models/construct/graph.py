"""Source dependencies of a wording's words: what lost its head, its subject or its object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from tatian.text.content import saying
from tatian.union.models.construct.choice import WordingJudge
from tatian.union.models.construct.reading import Behind, WordingReading

_INNER = frozenset("det case mark aux cop cc punct expl discourse".split())
"""Relations of function words."""
_NOMINAL = frozenset("det case amod nummod compound flat nmod".split())
_TIGHT = frozenset("det case mark aux cop amod nummod compound flat fixed cc".split())
_CORE = frozenset("nsubj obj iobj xcomp ccomp csubj".split())
_CLAUSES = frozenset("root conj parataxis ccomp".split())
_PRONOUNS = frozenset("he she it they him her them his its their".split())
_LINKS = frozenset("; : and but or while as after who which that".split())


class WordingGraph:
    """Words of a wording, each attached to its source head or to what stands for that head."""

    def __init__(self, reading: WordingReading, judge: WordingJudge) -> None:
        self.reading = reading
        self.sentences = judge.sentences
        self._judge = judge
        self._index: dict[Behind, int] = {}
        for index, behind in enumerate(reading.behind):
            if behind is not None:
                self._index.setdefault(behind, index)

    @cached_property
    def _by_concept(self) -> dict[str, list[int]]:
        by_concept: dict[str, list[int]] = {}
        for index, behind in enumerate(self.reading.behind):
            if behind is not None:
                concept = self.sentences[behind[0]].concepts[behind[1]]
                if concept is not None:
                    by_concept.setdefault(concept, []).append(index)
        return by_concept

    def standing_for(self, word: Behind) -> list[int]:
        """Return the indices of the word itself, or of those that stand for it."""
        if word in self._index:
            return [self._index[word]]
        concept = self.sentences[word[0]].concepts[word[1]]
        found = list(self._by_concept.get(concept, ())) if concept is not None else []
        return found + [
            self._index[other] for other in self._judge.counterparts(word) if other in self._index
        ]

    @cached_property
    def parents(self) -> list[int | None]:
        """Index of each word's head in the wording; -1 for tops, None for words that lost theirs."""
        return [self._parent(index) for index in range(len(self.reading.behind))]

    def _parent(self, index: int) -> int | None:
        behind = self.reading.behind[index]
        if behind is None:
            return -1
        number, place = behind
        sentence = self.sentences[number]
        head = sentence.heads[place]
        if head < 0:
            return -1
        found = [other for other in self.standing_for((number, head)) if other != index]
        if sentence.concepts[head] in saying():
            found = [other for other in found if self._same_speaker((number, head), other)]
        if not found:
            for other, twin in self._judge.counterparts(behind):
                above = self.sentences[other].heads[twin]
                if (other, twin) in self._index or above < 0:
                    continue
                found += [i for i in self.standing_for((other, above)) if i != index]
        if not found:
            return None
        return min(found, key=lambda other: abs(other - index))

    def _same_speaker(self, verb: Behind, index: int) -> bool:
        """Return True if a verb of saying is the word itself or has the same subject."""
        behind = self.reading.behind[index]
        if behind is None or behind == verb:
            return True
        mine, theirs = (
            self.sentences[number].under(place, "nsubj") for number, place in (verb, behind)
        )
        if not mine or not theirs:
            return True
        concepts = self.sentences[verb[0]].concepts[mine[0]], self.sentences[behind[0]].concepts[theirs[0]]
        same = concepts[0] is not None and concepts[0] == concepts[1]
        return same or (behind[0], theirs[0]) in self._judge.counterparts((verb[0], mine[0]))

    def _is_checked(self, index: int) -> bool:
        token, behind = self.reading.tokens[index], self.reading.behind[index]
        if behind is None or token.quoted or not token.text[:1].isalnum():
            return False
        return True

    def faults(self) -> Iterator[str]:
        """Yield what is torn."""
        yield from self._broken()
        yield from self._crossed()
        yield from self._unfilled()
        yield from self._doubled()
        yield from self._orphaned_pronouns()

    def _orphaned_pronouns(self) -> Iterator[str]:
        """Yield pronouns whose sentence's subject, their likely antecedent, is lost."""
        for (number, place), index in self._index.items():
            sentence = self.sentences[number]
            if sentence.lower[place] not in _PRONOUNS or self.reading.tokens[index].quoted:
                continue
            subjects = [p for p in sentence.under(sentence.root, "nsubj") if p < place]
            if subjects and not self.standing_for((number, subjects[0])):
                if sentence.concepts[subjects[0]] is not None:
                    yield f"lost antecedent of {sentence.lower[place]}"

    def _broken(self) -> Iterator[str]:
        tokens = self.reading.tokens
        for index, parent in enumerate(self.parents):
            if parent is not None or not self._is_checked(index):
                continue
            behind = self.reading.behind[index]
            assert behind is not None
            sentence, place = self.sentences[behind[0]], behind[1]
            relation = sentence.relations[place]
            if relation in ("conj", "parataxis", "ccomp") and sentence.predicate(place):
                continue
            if relation in ("obl", "advcl", "advmod"):
                continue
            yield f"broken {relation} {tokens[index].text}"

    def _dominated(self, index: int, head: int) -> bool:
        seen = set()
        parents = self.parents
        at: int | None = index
        while at is not None and at >= 0 and at not in seen:
            if at == head:
                return True
            seen.add(at)
            at = parents[at]
        return False

    def _crossed(self) -> Iterator[str]:
        """Yield words that words of another phrase separate from their head."""
        tokens = self.reading.tokens
        for index, parent in enumerate(self.parents):
            if parent is None or parent < 0 or not self._is_checked(index):
                continue
            behind, above = self.reading.behind[index], self.reading.behind[parent]
            assert behind is not None and above is not None
            head = self.sentences[behind[0]].heads[behind[1]]
            relation = self.sentences[behind[0]].relations[behind[1]]
            if relation in _TIGHT and (head > behind[1]) != (parent > index):
                yield f"{relation} {tokens[index].text} on the wrong side"
            between = range(min(index, parent) + 1, max(index, parent))
            foreign = [
                i
                for i in between
                if self._is_checked(i) and not self._dominated(i, parent)
                and (self.reading.behind[i] or behind)[0] != behind[0] or
                (self._is_checked(i) and above[0] != behind[0] and not self._dominated(i, parent))
            ]
            if foreign:
                yield f"crossed {relation} {tokens[parent].text} -> {tokens[index].text} by {tokens[foreign[0]].text}"

    def _unfilled(self) -> Iterator[str]:
        """Yield verbs without the subject or object that they have in their source."""
        for behind, index in self._index.items():
            number, place = behind
            sentence = self.sentences[number]
            if self.reading.tokens[index].quoted:
                continue
            for child in sentence.children[place]:
                relation = sentence.relations[child]
                if relation in _CORE or relation in ("cop", "aux") :
                    if (number, child) in self._index:
                        continue
                    if relation in ("aux",):
                        yield f"lost aux {sentence.lower[child]} of {sentence.lower[place]}"
                        continue
                    if relation == "cop" or not self._fills(index, (number, child), relation):
                        yield f"lost {relation} {sentence.lower[child]} of {sentence.lower[place]}"
            if sentence.relations[place] in ("obj", "obl", "nmod") or sentence.tag(place) == "NOUN":
                for child in sentence.children[place]:
                    if sentence.relations[child] == "case" and (number, child) not in self._index:
                        parent = self.parents[index]
                        head = self.reading.behind[parent] if parent is not None and parent >= 0 else None
                        if head == (number, sentence.heads[place]):
                            yield f"lost case {sentence.lower[child]} of {sentence.lower[place]}"

    def _fills(self, verb: int, child: Behind, relation: str) -> bool:
        """Return True if a word that stands for a lost subject or object is the verb's own."""
        for index in self.standing_for(child):
            if self.parents[index] == verb:
                return True
            if relation == "nsubj" and index < verb and self._is_coordinated(verb):
                return True
        return False

    def _is_coordinated(self, verb: int) -> bool:
        """Return True if a linking word opens the verb's clause."""
        behind = self.reading.behind[verb]
        assert behind is not None
        sentence, place = self.sentences[behind[0]], behind[1]
        opening = min([place, *sentence.under(place, "aux", "cop", "advmod")])
        start = self._index.get((behind[0], opening), verb)
        before = self.reading.tokens[start - 1].text.lower() if start else ""
        return before in _LINKS

    def _doubled(self) -> Iterator[str]:
        """Yield heads with two subjects or objects of different sentences."""
        slots: dict[tuple[int, str], list[int]] = {}
        for index, parent in enumerate(self.parents):
            behind = self.reading.behind[index]
            if parent is None or parent < 0 or behind is None:
                continue
            relation = self.sentences[behind[0]].relations[behind[1]]
            if relation in ("nsubj", "obj", "det", "cop"):
                slots.setdefault((parent, relation), []).append(index)
        for (parent, relation), indices in slots.items():
            sides = {(self.reading.behind[i] or (0, 0))[0] for i in indices}
            if len(sides) > 1:
                yield f"two {relation} of {self.reading.tokens[parent].text}"
