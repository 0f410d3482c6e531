"""Cuts: redundant parts that can be removed from a sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.spans import Key, SourceSpan
from tatian.text import WORDS, Document, Span, Token, Word
from tatian.text.content import concept, reporting_concepts
from tatian.text.documents import quoted_tokens
from tatian.text.lexicon import MONTHS

_LOOSE = ("acl", "advcl", "appos", "nmod", "obl", "parataxis")
"""Relations of parts that may be cut where commas set them off."""
_NEVER = frozenset(
    "if unless whether although though because despite except without instead according only even"
    " than least most about not no n't never nor neither said says told until till alleged"
    " allegedly accused suspected suspicion but".split()
)
"""Words on which the truth of the rest may depend: a part with one of them is not cut."""
_DENIED = frozenset("not no n't never nor neither none nobody nothing without until only".split())
_MIN_CUT_WEIGHT = 0.6
"""Minimum total weight of the words of a part that is worth cutting."""
_MAX_UNCOVERED, _MAX_UNCOVERED_SHARE = 0.5, 0.3
"""Maximum uncovered weight of a cut part: absolute, and as a share of its weight."""
_MAX_NAMING_WORDS = 6
"""Maximum number of words of an apposition that is a name."""
_MIN_LEFT = 5
"""More tokens than this must be left after a cut."""

_FINITE = frozenset({"VBD", "VBZ", "VBP"})
_SPEAKER = 6
"""Number of words behind a comma that are searched for the subject of a verb of speaking."""

Cuts = dict[Key, frozenset[int]]
"""Positions in the source of the words that are cut from a span."""
Part = frozenset[int]
"""Positions in a sentence."""


def find_cuts(
    spans: Iterable[SourceSpan], documents: Sequence[Document], coverage: CoverageModel
) -> Cuts:
    """Return what can be cut from each span because spans before it in the text cover it.

    What is cut from those is covered by spans before them, so coverage is kept. A span on which
    the next depends stays whole.
    """
    cuts: Cuts = {}
    before: list[Key] = []
    trees = [_Trees(document) for document in documents]
    order = list(spans)
    for span, after in zip(order, [*order[1:], None], strict=True):
        whole = after is not None and after.source == span.source and bool(after.dependency)
        left = coverage.word_weights(span.key, before) if coverage.knows(span.key) else {}
        dropped = frozenset(
            place
            for body in span.bodies
            if left and trees[span.source].parsed and not whole
            for place in _cut(trees[span.source].sentence(body), left)
        )
        if dropped:
            cuts[span.key] = dropped
        before.append(span.key)
    return cuts


def _cut(sentence: _Sentence, left: Mapping[int, tuple[float, float]]) -> set[int]:
    """Return the positions of the words that are cut from one sentence."""
    dropped: set[int] = set()
    if not _DENIED.isdisjoint(sentence.words):
        return dropped

    def is_covered(part: Part) -> bool:
        values = [left[start] for start in sentence.starts(part) if start in left]
        weight, uncovered = sum(value for value, _ in values), sum(value for _, value in values)
        return weight >= _MIN_CUT_WEIGHT and uncovered <= min(
            _MAX_UNCOVERED, _MAX_UNCOVERED_SHARE * weight
        )

    kept = len(sentence.words)
    for part in sorted(sentence.parts(), key=lambda part: (-len(part), sorted(part))):
        free = not any(sentence.quoted[place] for place in part)
        words = {sentence.words[place] for place in part}
        if (
            free
            and _NEVER.isdisjoint(words)
            and not sentence.names(part)
            and not sentence.dates(part)
            and kept - len(part) > _MIN_LEFT
            and dropped.isdisjoint(sentence.starts(part))
            and is_covered(part)
        ):
            kept -= len(part)
            dropped |= sentence.starts(part)
    return dropped | sentence.starts(sentence.loose_commas(dropped))


class _Trees:
    """Parsed sentences of a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.parsed = document.has(WORDS)
        self._words = {word.token: word for word in document.get(WORDS)} if self.parsed else {}
        self._place = {token.start: place for place, token in enumerate(document.tokens)}

    def sentence(self, body: Span) -> _Sentence:
        tokens = self._document.tokens_in(body)
        first = self._place[tokens[0].start]
        words = [self._words.get(first + index) for index in range(len(tokens))]
        return _Sentence(tokens, words, quoted_tokens(self._document.text, tokens), first)


class _Sentence:
    """Sentence and its tree, by positions in it."""

    def __init__(
        self,
        tokens: Sequence[Token],
        words: Sequence[Word | None],
        quoted: Sequence[bool],
        first: int,
    ) -> None:
        self._tokens = tokens
        self._words = words
        self.quoted = quoted
        self.words = [token.text.lower() for token in tokens]
        self._heads = [word.head - first if word and word.head >= 0 else -1 for word in words]
        self._under: list[set[int]] = [{index} for index in range(len(tokens))]
        for index, head in enumerate(self._heads):
            seen = {index}
            while 0 <= head < len(tokens) and head not in seen:
                self._under[head].add(index)
                seen.add(head)
                head = self._heads[head]

    def starts(self, part: Iterable[int]) -> set[int]:
        """Return the positions of words in the source."""
        return {self._tokens[place].start for place in part}

    def names(self, part: Part) -> bool:
        """Check whether a short part says who somebody is, as later sentences may rely on it."""
        words = filter(None, (self._words[place] for place in part))
        return len(part) <= _MAX_NAMING_WORDS and sum(word.tag == "PROPN" for word in words) > 1

    def dates(self, part: Part) -> bool:
        """Check whether a part gives a weekday's date: nothing is cut from "Wednesday, May 10,"."""
        before = self.words[min(part) - 1] if min(part) else ""
        return before.endswith("day") and any(self.words[place] in MONTHS for place in part)

    def loose_commas(self, dropped: Collection[int]) -> Iterator[int]:
        """Yield commas that only closed a cut part.

        A comma stays if it also closes another part of the same noun, or if a speaker follows.
        """
        left = [place for place, token in enumerate(self._tokens) if token.start not in dropped]
        for before, place in pairwise(left):
            run = range(before + 1, place)
            heads = [self._heads[other] for other in run if self._heads[other] not in run]
            if self.words[place] != "," or not run or self.words[before + 1] != "," or not heads:
                continue
            noun = min(heads)
            apart = any(self.words[other] == "," for other in left if noun < other <= before)
            speaks = self._has_speaker(place + 1)
            if not apart and not speaks and place + 1 not in self._under[noun]:
                yield place

    def _has_speaker(self, start: int) -> bool:
        """Check whether a speaker and a verb of speaking follow: "investigators said"."""
        return any(
            self._relation(index).startswith("nsubj")
            and self._heads[index] > index
            and concept(self.words[self._heads[index]]) in reporting_concepts()
            for index in range(start, min(start + _SPEAKER, len(self.words)))
        )

    def parts(self) -> Iterator[Part]:
        """Yield parts that may be cut: in brackets, or set off by commas."""
        for index, text in enumerate(self.words):
            if text == "(" and ")" in self.words[index:]:
                yield frozenset(range(index, self.words.index(")", index) + 1))
        for index in range(len(self.words)):
            if self._relation(index).startswith(_LOOSE):
                yield from self._set_off(index)

    def _set_off(self, index: int) -> Iterator[Part]:
        """Yield a modifier between commas, or behind a comma at the end."""
        start, end = self._span(index)
        if end - start < 2:
            return
        comma = "," in self.words[max(0, start - 1) : start + 1]
        start -= self.words[start] != "," and comma
        end -= self.words[end - 1] in (",", ".")
        after = self.words[end] if end < len(self.words) else "."
        last = after in (".", ";") and end >= len(self.words) - 1
        if comma and start > 0 and (after == "," or last) and not self._needed(start, end):
            yield frozenset(range(start, end))

    def _needed(self, start: int, end: int) -> bool:
        """Check whether a finite verb behind a part would lose its subject: ", Ann Dale, said"."""
        verb = self._words[end + 1] if end + 1 < len(self._words) else None
        if verb is None or verb.fine not in _FINITE or verb.tag == "AUX":
            return False
        subjects = [
            place
            for place, head in enumerate(self._heads)
            if head == end + 1 and self._relation(place).startswith("nsubj")
        ]
        return not any(place < start for place in subjects) and not (
            self._relation(end + 1).startswith("conj") and not subjects
        )

    def _span(self, index: int) -> tuple[int, int]:
        """Return the bounds of a word's subtree; of the word alone if the subtree has gaps."""
        under = self._under[index]
        start, end = min(under), max(under) + 1
        return (start, end) if end - start == len(under) else (index, index + 1)

    def _relation(self, index: int) -> str:
        word = self._words[index]
        return word.relation if word else ""
