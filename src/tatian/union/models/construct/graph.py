"""Source dependencies of a wording's words, which show what a merge tore apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tatian.text.content import saying
from tatian.text.spans import runs
from tatian.union.models.construct.choice import WordingJudge
from tatian.union.models.construct.reading import Behind, WordingReading

_TIGHT = frozenset("det case mark aux cop amod nummod compound flat fixed cc".split())
"""Relations of words that stay on their side of the head."""
_ARGUMENTS = frozenset("nsubj csubj obj iobj xcomp ccomp".split())
_ADVERBIAL = frozenset("obl advmod advcl".split())
_FREE = frozenset(("advcl", "advmod"))
"""Relations of phrases that may modify another act than in their source."""
_STATEMENTS = frozenset("conj parataxis ccomp".split())
_RELATIVE = frozenset("who which that".split())
_LINKS = frozenset("; : and but or while as after".split()) | _RELATIVE
_NEAR = 8
"""Most words between two attributions of a statement, or a noun and its relative clause."""
_STOPS = frozenset(". ; , : and".split())
_PRONOUNS = frozenset("he she it they him her them his its their".split())


class WordingGraph:
    """Words of a wording, each attached to its source head or to what stands for that head."""

    def __init__(
        self, reading: WordingReading, judge: WordingJudge, guessed: bool = True
    ) -> None:
        self.reading = reading
        self.sentences = judge.sentences
        self._judge = judge
        self._guessed = guessed
        self._places: dict[Behind, list[int]] = {}
        self._by_concept: dict[str, list[int]] = {}
        for index, behind in enumerate(reading.behind):
            if behind is not None:
                self._places.setdefault(behind, []).append(index)
                concept = self.sentences[behind[0]].concepts[behind[1]]
                if concept is not None:
                    self._by_concept.setdefault(concept, []).append(index)
        self._pronouns = any(t.glue and t.text in _PRONOUNS for t in reading.tokens)

    def faults(self) -> Iterator[str]:
        """Yield the places where the wording is torn."""
        yield from self._detached()
        yield from self._separated()
        yield from self._unfilled()
        yield from self._doubled()
        yield from self._orphaned_pronouns()
        yield from self._unspoken()
        yield from self._misplaced()
        yield from self._spliced()
        yield from self._cut_short()
        yield from self._attributed_twice()

    # Heads

    @cached_property
    def parents(self) -> list[int | None]:
        """Index of each word's head; -1 for main predicates, None for words that lost theirs."""
        return [self._parent(index) for index in range(len(self.reading.behind))]

    def _parent(self, index: int) -> int | None:
        behind = self.reading.behind[index]
        if behind is None:
            return -1
        number, place = behind
        sentence = self.sentences[number]
        head = sentence.heads[place]
        if head < 0:
            return self._antecedent(index)
        found = list(self._places.get((number, head), ()))
        if not found:
            found = [other for other in self._slots_of_twins(behind) if other != index]
        if not found:
            found = [other for other in self._standing_for((number, head)) if other != index]
            if sentence.concepts[head] in saying():
                found = [i for i in found if self._has_same_speaker((number, head), i)]
        if not found:
            statement = sentence.relations[place] in _STATEMENTS and sentence.predicate(place)
            antecedent = self._antecedent(index) if statement else -1
            return antecedent if antecedent >= 0 else None
        return min(found, key=lambda other: abs(other - index))

    def _standing_for(self, word: Behind) -> list[int]:
        """Return the indices of the word itself, or else of words for the same thing."""
        if word in self._places:
            return self._places[word]
        found = [i for twin in self._judge.counterparts(word, self._guessed) for i in self._places.get(twin, ())]
        concept = self.sentences[word[0]].concepts[word[1]]
        if not found and concept is not None:
            found = self._by_concept.get(concept, [])
        if not found and self.sentences[word[0]].tag(word[1]) == "PRON":
            other, pronoun = 1 - word[0], self.sentences[word[0]].lower[word[1]]
            same = [p for p, w in enumerate(self.sentences[other].lower) if w == pronoun]
            found = [i for p in same for i in self._places.get((other, p), ())]
        return found

    def _slots_of_twins(self, word: Behind) -> Iterator[int]:
        """Yield the heads of words that this word replaces."""
        other = 1 - word[0]
        sentence, concept = self.sentences[other], self.sentences[word[0]].concepts[word[1]]
        twins = {place for number, place in self._judge.counterparts(word, self._guessed) if number == other}
        twins |= {p for p, c in enumerate(sentence.concepts) if c is not None and c == concept}
        for twin in sorted(twins):
            head = sentence.heads[twin]
            if (other, twin) not in self._places and head >= 0:
                yield from self._standing_for((other, head))

    def _antecedent(self, index: int) -> int:
        """Return the word before an added "who" or "which" that opens a clause; -1 if none."""
        start = self._opening(index)
        if start > 1 and self.reading.tokens[start - 1].glue:
            if self.reading.tokens[start - 1].text in _RELATIVE:
                before = start - 2
                while before > 0 and not self._is_word(before):
                    before -= 1
                return before
        return -1

    def _opening(self, verb: int) -> int:
        """Return the index of the first auxiliary or adverb of a verb."""
        behind = self.reading.behind[verb]
        assert behind is not None
        sentence, place = self.sentences[behind[0]], behind[1]
        group = [place, *sentence.under(place, "aux", "cop", "advmod", "mark")]
        indices = [i for p in group for i in self._places.get((behind[0], p), ()) if i <= verb]
        return min([verb, *indices])

    def _has_same_speaker(self, verb: Behind, index: int) -> bool:
        """Return True if a verb of saying is the word itself or has the same subject."""
        behind = self.reading.behind[index]
        if behind is None or behind == verb:
            return True
        subjects = [
            (number, self.sentences[number].under(place, "nsubj"))
            for number, place in (verb, behind)
        ]
        if not all(places for _, places in subjects):
            return True
        mine, theirs = ((number, places[0]) for number, places in subjects)
        concept = self.sentences[mine[0]].concepts[mine[1]]
        same = concept is not None and concept == self.sentences[theirs[0]].concepts[theirs[1]]
        return same or theirs in self._judge.counterparts(mine, self._guessed)

    def _is_word(self, index: int) -> bool:
        """Return True for a word of a source outside quotations."""
        token = self.reading.tokens[index]
        sourced = self.reading.behind[index] is not None
        return sourced and not token.quoted and token.text[:1].isalnum()

    def _is_below(self, index: int, head: int) -> bool:
        seen: set[int] = set()
        above: int | None = index
        while above is not None and above >= 0 and above not in seen:
            if above == head:
                return True
            seen.add(above)
            above = self.parents[above]
        return False

    # Faults

    def _detached(self) -> Iterator[str]:
        """Yield words without their head."""
        for index, parent in enumerate(self.parents):
            behind = self.reading.behind[index]
            if parent is not None or behind is None or not self._is_word(index):
                continue
            sentence, place = self.sentences[behind[0]], behind[1]
            relation = sentence.relations[place]
            statement = relation in _STATEMENTS and sentence.predicate(place)
            if relation == "ccomp" and sentence.concepts[sentence.heads[place]] in saying():
                yield f"'{self.reading.tokens[index].text}' lost its speaker"
            elif relation not in _FREE and not statement:
                yield f"'{self.reading.tokens[index].text}' lost what it belongs to"

    def _separated(self) -> Iterator[str]:
        """Yield words that another phrase separates from their head."""
        tokens = self.reading.tokens
        for index, parent in enumerate(self.parents):
            behind = self.reading.behind[index]
            if parent is None or parent < 0 or behind is None or not self._is_word(index):
                continue
            sentence, place = self.sentences[behind[0]], behind[1]
            relation, head = sentence.relations[place], sentence.heads[place]
            if head < 0:
                continue
            if relation in _TIGHT and (head > place) != (parent > index):
                yield f"'{tokens[index].text}' on the wrong side of '{tokens[parent].text}'"
                continue
            foreign = self._between(index, parent, relation)
            if foreign is not None:
                torn = f"'{tokens[parent].text}' and '{tokens[index].text}'"
                yield f"'{tokens[foreign].text}' between {torn}"

    def _between(self, index: int, parent: int, relation: str) -> int | None:
        """Return a word between a word and its head that belongs to neither."""
        behind, above = self.reading.behind[index], self.reading.behind[parent]
        assert behind is not None and above is not None
        head = parent
        if relation in _ADVERBIAL:
            head = self._predicate(parent)
        between = range(min(index, parent) + 1, max(index, parent))
        if relation == "nsubj" and any(
            self.reading.tokens[i].glue and self.reading.tokens[i].text == "and" for i in between
        ):
            return None
        for i in between:
            other = self.reading.behind[i]
            if other is None or not self._is_word(i) or self._is_below(i, head):
                continue
            if relation in _ADVERBIAL and self._is_adverbial(i, head):
                continue
            if other[0] != behind[0] or above[0] != behind[0]:
                return i
        return None

    def _is_adverbial(self, index: int, head: int) -> bool:
        """Return True if a word is in an adverbial of a verb above `head`."""
        seen: set[int] = set()
        while index not in seen:
            seen.add(index)
            behind, above = self.reading.behind[index], self.parents[index]
            if behind is None or above is None or above < 0:
                return False
            if self._is_below(head, above):
                return self.sentences[behind[0]].relations[behind[1]] in _ADVERBIAL
            index = above
        return False

    def _predicate(self, index: int) -> int:
        """Return the verb above a particle or an adverb, or the word itself."""
        behind = self.reading.behind[index]
        above = self.parents[index]
        if behind is None or above is None or above < 0:
            return index
        particle = self.sentences[behind[0]].relations[behind[1]] in ("compound", "advmod")
        return above if particle else index

    def _unfilled(self) -> Iterator[str]:
        """Yield verbs and nouns without a subject, object or preposition of their source."""
        for (number, place), indices in self._places.items():
            sentence, index = self.sentences[number], indices[0]
            if self.reading.tokens[index].quoted:
                continue
            for child in sentence.children[place]:
                relation, word = sentence.relations[child], (number, child)
                if word in self._places:
                    continue
                lost = relation in ("cop", "aux")
                lost = lost or (relation in _ARGUMENTS and not self._fills(index, word, relation))
                lost = lost or (relation == "case" and self._keeps_head(index, number, place))
                if lost:
                    verb = self.reading.tokens[index].text
                    yield f"'{verb}' lost its '{sentence.tokens[child].text}'"

    def _keeps_head(self, index: int, number: int, place: int) -> bool:
        """Return True if a word depends on the head that it has in its source."""
        parent = self.parents[index]
        if parent is None or parent < 0:
            return False
        return self.reading.behind[parent] == (number, self.sentences[number].heads[place])

    def _fills(self, verb: int, child: Behind, relation: str) -> bool:
        """Return True if a word that stands for a lost subject or object is the verb's own."""
        opening = self._opening(verb)
        before = self.reading.tokens[opening - 1] if opening else None
        linked = before is not None and before.text.lower() in _LINKS
        if self._pronouns and not linked:
            return True
        if linked and before is not None and before.glue and before.text in _RELATIVE:
            noun = self._antecedent(verb)
            pronoun = self.sentences[child[0]].tag(child[1]) == "PRON"
            near = any(noun - _NEAR < i <= noun for i in self._standing_for(child))
            return relation == "nsubj" and (pronoun or near)
        if relation == "ccomp" and self._is_attribution(verb):
            return True
        for index in self._standing_for(child):
            if self.parents[index] == verb:
                return True
            if relation == "nsubj" and index < verb and self._is_subject(index):
                if linked or self._is_free(index):
                    return True
        return self._pronouns and relation != "nsubj"

    def _is_free(self, index: int) -> bool:
        """Return True if the verb whose subject a word was is not in the wording."""
        behind = self.reading.behind[index]
        if behind is None:
            return False
        sentence = self.sentences[behind[0]]
        head = behind[0], sentence.heads[behind[1]]
        return sentence.relations[behind[1]] == "nsubj" and head not in self._places

    def _is_attribution(self, verb: int) -> bool:
        """Return True for "police said" between commas or at the end."""
        behind = self.reading.behind[verb]
        assert behind is not None
        sentence, place = self.sentences[behind[0]], behind[1]
        subjects = [p for p in sentence.under(place, "nsubj") if (behind[0], p) in self._places]
        if sentence.concepts[place] not in saying() or not subjects:
            return False
        phrase = sentence.subtree(subjects[0]) | {place, *sentence.under(place, "aux", "obl")}
        indices = [i for p in phrase for i in self._places.get((behind[0], p), ())]
        start, end = min(indices), max(indices) + 1
        while start and self.reading.behind[start - 1] in {(behind[0], p) for p in phrase}:
            start -= 1
        tokens = self.reading.tokens
        opens = start > 0 and tokens[start - 1].text in {",", '"', "”"}
        return opens and (end == len(tokens) or tokens[end].text in {",", ".", ";"})

    def _is_subject(self, index: int) -> bool:
        behind = self.reading.behind[index]
        return behind is not None and self.sentences[behind[0]].relations[behind[1]] == "nsubj"

    def _doubled(self) -> Iterator[str]:
        """Yield heads with two subjects, objects or articles of different sentences."""
        slots: dict[tuple[int, str], list[int]] = {}
        for index, parent in enumerate(self.parents):
            behind = self.reading.behind[index]
            if parent is not None and parent >= 0 and behind is not None:
                relation = self.sentences[behind[0]].words[behind[1]].relation
                if relation in ("nsubj", "obj", "det", "cop", "nmod:poss"):
                    slots.setdefault((parent, relation), []).append(index)
        for (parent, relation), indices in slots.items():
            sides = {behind[0] for i in indices if (behind := self.reading.behind[i]) is not None}
            joined = any(
                self.reading.tokens[i].text in ("and", "or") for i in range(indices[0], indices[-1])
            )
            title = relation == "nsubj" and indices[-1] - indices[0] == 1
            if len(sides) > 1 and not joined and not title:
                words = " and ".join(f"'{self.reading.tokens[i].text}'" for i in indices)
                yield f"{words} side by side at '{self.reading.tokens[parent].text}'"

    def _orphaned_pronouns(self) -> Iterator[str]:
        """Yield pronouns whose sentence's subject, their likely antecedent, is lost."""
        for (number, place), indices in self._places.items():
            sentence = self.sentences[number]
            if sentence.lower[place] not in _PRONOUNS or not self._is_word(indices[0]):
                continue
            subjects = [p for p in sentence.under(sentence.root, "nsubj") if p < place]
            if subjects and sentence.concepts[subjects[0]] is not None:
                if not self._standing_for((number, subjects[0])):
                    yield f"'{sentence.lower[place]}' lost '{sentence.lower[subjects[0]]}'"

    def _unspoken(self) -> Iterator[str]:
        """Yield quotations of a sentence whose verb of saying is lost."""
        for first, end in runs(token.quoted for token in self.reading.tokens):
            behind = next((b for b in self.reading.behind[first:end] if b is not None), None)
            if behind is None:
                continue
            sentence = self.sentences[behind[0]]
            quoted = sentence.tokens[sentence.root].quoted
            speaks = sentence.concepts[sentence.root] in saying() and not quoted
            inner = sentence.under(sentence.root, "ccomp", "parataxis")
            if speaks and any(sentence.tokens[place].quoted for place in inner):
                if not self._standing_for((behind[0], sentence.root)):
                    yield "a quotation lost its speaker"

    def _misplaced(self) -> Iterator[str]:
        """Yield articles before a name, words added in brackets, and two times of one act."""
        tokens, inside = self.reading.tokens, -1
        times: dict[int, tuple[int, int]] = {}
        for index, behind in enumerate(self.reading.behind):
            token = tokens[index]
            if token.text in ("(", ")") and behind is not None:
                inside = behind[0] if token.text == "(" else -1
            if behind is None:
                continue
            sentence, place = self.sentences[behind[0]], behind[1]
            if inside >= 0 and behind[0] != inside:
                yield f"'{token.text}' in the brackets of the other sentence"
            before = self.reading.behind[index - 1] if index else None
            if before is not None and before[0] != behind[0] and tokens[index - 1].text in ("a", "an"):
                if (name := sentence.name_at(place)) is not None and sentence.tag(name[1] - 1) == "PROPN":
                    end = index + name[1] - place
                    after = self.reading.behind[end] if end < len(tokens) else None
                    noun = after is not None and self.sentences[after[0]].tag(after[1]) == "NOUN"
                    if not noun:
                        yield f"'{tokens[index - 1].text} {token.text}'"
            parent = self.parents[index]
            adverbial = sentence.relations[place] in ("obl", "advmod") and sentence.temporal(place)
            if adverbial and parent is not None and parent >= 0:
                number, other = times.setdefault(parent, (behind[0], index))
                if number != behind[0] and index - other > 3:
                    yield f"'{tokens[other].text}' and '{token.text}' for one act"

    def _spliced(self) -> Iterator[str]:
        """Yield statements that only a comma, or nothing, joins to what is before them."""
        tops = [index for index in range(len(self.parents)) if self._is_statement(index)]
        for top in tops[1:]:
            start = min(i for i in range(len(self.parents)) if self._is_below(i, top))
            before = next((t for t in reversed(self.reading.tokens[:start]) if t.text != ","), None)
            if before is None or before.text.lower() in _LINKS or not before.text[0].isalnum():
                continue
            first = self.reading.tokens[start].text.lower()
            if first not in _LINKS and not self._is_inside(tops, start):
                yield f"only a comma before '{self.reading.tokens[start].text}'"

    def _is_statement(self, index: int) -> bool:
        """Return True for the main verb of a statement, but not of an attribution behind it."""
        behind, parent = self.reading.behind[index], self.parents[index]
        if behind is None or not self._is_word(index) or parent not in (None, -1):
            return False
        sentence, place = self.sentences[behind[0]], behind[1]
        inner = sentence.under(place, "ccomp", "parataxis")
        silent = all((behind[0], p) not in self._places for p in inner)
        attributes = silent and self._is_attribution(index)
        return sentence.relations[place] not in _FREE and not attributes

    def _is_inside(self, tops: list[int], start: int) -> bool:
        """Return True if a statement begins within another one, as "police said" may."""
        behind, before = self.reading.behind[start], self.reading.behind[start - 1]
        return behind is not None and before == (behind[0], behind[1] - 1)

    def _cut_short(self) -> Iterator[str]:
        """Yield verbs at the end of a clause that lost all that followed them."""
        tokens = self.reading.tokens
        for (number, place), indices in self._places.items():
            sentence, index = self.sentences[number], indices[0]
            if sentence.tag(place) != "VERB" or tokens[index].quoted:
                continue
            passive = any("pass" in sentence.words[c].relation for c in sentence.children[place])
            behind = [
                c for c in sentence.children[place] if c > place and sentence.tag(c) != "PUNCT"
            ]
            kept = any((number, c) in self._places for c in behind)
            following = tokens[index + 1].text if index + 1 < len(tokens) else "."
            adjacent = place + 1 < len(sentence) and sentence.tag(place + 1) != "PUNCT"
            if behind and adjacent and not kept and not passive and following in _STOPS:
                yield f"nothing follows '{tokens[index].text}'"

    def _attributed_twice(self) -> Iterator[str]:
        """Yield an attribution right behind one of the other sentence."""
        last: tuple[int, int] | None = None
        for index, behind in enumerate(self.reading.behind):
            if behind is None or self.reading.tokens[index].quoted:
                continue
            sentence, place = self.sentences[behind[0]], behind[1]
            according = sentence.lower[place] == "according"
            said = sentence.concepts[place] in saying() and bool(sentence.under(place, "nsubj"))
            if said and sentence.relations[place] not in ("root", "parataxis"):
                continue
            if according or said:
                if last is not None and last[0] != behind[0] and index - last[1] <= _NEAR:
                    yield f"'{self.reading.tokens[index].text}' attributes again"
                last = behind[0], index
