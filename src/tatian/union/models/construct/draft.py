"""A frame sentence with a list of changes, which are applied at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy

from msgspec.structs import replace

from tatian.analysis.pieces import past_form
from tatian.text import SourcedToken
from tatian.text.layers import glue
from tatian.text.lexicon import ROLE_HEADS, indefinite_article
from tatian.union.models.construct.pairing import Pairing
from tatian.union.models.edit.writing import (
    UnionInput,
    case_word,
    finish_words,
    needs_space,
    union_input,
)

Words = list[SourcedToken]
Tokens = tuple[SourcedToken, ...]
_OPTIONAL = frozenset(("advcl", "acl", "appos", "parataxis"))
_QUOTES = frozenset('"”')
_BEFORE_STOP = frozenset(". ; , : ) ? !".split())


class FrameDraft:
    """Changes to the frame by position, applied together at the end."""

    def __init__(self, pairing: Pairing) -> None:
        self.pairing = pairing
        self.frame, self.other = pairing.frame, pairing.other
        self.inputs = (union_input(self.frame.passage), union_input(self.other.passage))
        self._swaps: dict[int, tuple[int, Words]] = {}
        self._inserts: dict[int, list[Words]] = {}
        self.used: set[int] = set()
        """Indices of words of the other sentence that are inserted or that the frame covers."""

    def count_new(self, places: Iterable[int]) -> int:
        """Count the unused words among `places` that the frame lacks."""
        return self.pairing.count_new(set(places) - self.used)

    def frame_words(self, places: Iterable[int]) -> Words:
        """Return words of the frame, cased for the middle of a sentence."""
        return [case_word((self.inputs[0], place), opens=False) for place in places]

    def take_words(self, places: Iterable[int]) -> Words:
        """Return words of the other sentence, cased for mid-sentence, and mark them as used.

        Words of a headline get the articles that it omits, and the past tense.
        """
        words: Words = []
        headline = self.pairing.other_outline.headline
        articles = self._find_omitted_articles() if headline else {}
        for place in places:
            if place in articles:
                words.append(glue(articles[place]))
            word = case_word((self.inputs[1], place), opens=False)
            words.append(self._put_in_past(place, word) if headline else word)
            self.used.add(place)
        return words

    def _find_omitted_articles(self) -> dict[int, str]:
        """Return the articles that a headline omits, by the position of the word after them."""
        other = self.other
        articles: dict[int, str] = {}
        for place in range(len(other)):
            is_singular = other.tag(place) == "NOUN" and other.feature(place, "Number") != "Plur"
            is_singular = is_singular and not other.temporal(place)
            is_object = other.relations[place] in ("obj", "obl", "nmod")
            lacks_article = not (other.under(place, "det", "nummod") or other.owners(place))
            if is_singular and is_object and lacks_article:
                modifiers = [
                    child for child in other.under(place, "amod", "compound") if child < place
                ]
                first = min([place, *modifiers])
                has_twin = self.pairing.twin(place) is not None
                is_definite = has_twin or other.lower[place] in ROLE_HEADS
                article = indefinite_article(other.tokens[first].text)
                articles[first] = "the" if is_definite else article
        return articles

    def _put_in_past(self, place: int, word: SourcedToken) -> SourcedToken:
        """Return a headline's verb in the past tense, as in a report."""
        other = self.other
        present = other.tag(place) == "VERB" and other.words[place].fine in ("VBZ", "VBP", "VB")
        helped = other.under(place, "aux") or any(
            other.lower[mark] == "to" for mark in other.under(place, "mark")
        )
        if not present or helped or word.quoted:
            return word
        if other.relations[place] not in ("root", "conj", "parataxis"):
            return word
        behind = tuple(replace(source, kind="inflected") for source in word.sources)
        return replace(word, text=past_form(other.words[place].lemma), sources=behind)

    def prune_clause(self, places: Iterable[int], head: int) -> list[int]:
        """Return the indices of a clause's words, without parts that the frame has."""
        other = self.other
        kept = set(places)
        for place in sorted(kept):
            if place == head or place not in kept:
                continue
            below = other.subtree(place)
            if head in below:
                continue
            content = {p for p in below if other.concepts[p] is not None}
            has_new = self.count_new(below) > 0
            optional = other.relations[place] in _OPTIONAL
            loose = optional or other.words[place].relation in ("obl", "advmod", "nmod")
            loose = loose or (other.relations[place] == "conj" and not other.predicate(place))
            repeated = loose and bool(content) and content <= self.used
            is_adverbial = other.relations[place] in ("obl", "advmod")
            timed = is_adverbial and self.pairing.is_shared_time(place)
            acted = optional and place in self.pairing.acts
            if acted or (not has_new and (repeated or timed or optional)):
                kept -= below
        return [
            place
            for place in sorted(kept)
            if other.tag(place) != "PUNCT"
            or other.tokens[place].quoted
            or {place - 1, place + 1} <= kept
            or other.lower[place] != ","
        ]

    def insert(self, at: int, words: Words, *, commas: bool = False) -> None:
        """Insert words before a position of the frame, with commas on request."""
        tokens = self.frame.tokens
        quoted = 0 < at < len(tokens) and tokens[at - 1].quoted and tokens[at].quoted
        if not words or quoted:
            return
        if commas:
            words = [glue(",", space=False), *words, glue(",", space=False)]
        self._inserts.setdefault(at, []).append(words)

    def swap(self, first: int, end: int, words: Words) -> bool:
        """Replace words; return False if they are quoted or already replaced."""
        taken = any(start < end and first < stop for start, (stop, _) in self._swaps.items())
        if taken or any(self.frame.tokens[place].quoted for place in range(first, end)):
            return False
        self._swaps[first] = (end, words)
        return True

    def undo_faults(self, count: Callable[[Sequence[SourcedToken]], int]) -> Tokens | None:
        """Undo changes until `count` returns 0 for the sentence; None if no change is left."""
        written = self.write_sentence()
        faults = count(written)
        while faults:
            trials = []
            for draft in self._undo_each():
                words = draft.write_sentence()
                trials.append((count(words), words, draft))
            if not trials:
                return None
            faults, written, best = min(trials, key=lambda trial: trial[0])
            self._swaps, self._inserts = best._swaps, best._inserts
        return written if self._swaps or self._inserts else None

    def _undo_each(self) -> Iterator[FrameDraft]:
        """Yield copies that lack one change each."""
        for first in self._swaps:
            draft = copy(self)
            draft._swaps = {place: swap for place, swap in self._swaps.items() if place != first}
            yield draft
        for at, inserted in self._inserts.items():
            for number in range(len(inserted)):
                draft = copy(self)
                kept = [words for i, words in enumerate(inserted) if i != number]
                draft._inserts = {**self._inserts, at: kept}
                if not kept:
                    del draft._inserts[at]
                yield draft

    def write_sentence(self) -> Tokens:
        """Return the changed sentence."""
        result: Words = []
        place, size = 0, len(self.frame)
        while place <= size:
            for words in self._inserts.get(place, ()):
                result += words
            if place == size:
                break
            if place in self._swaps:
                end, words = self._swaps[place]
                result += words
                for inner in range(place + 1, end):
                    for more in self._inserts.get(inner, ()):
                        result += more
                place = end
                continue
            result.append(case_word((self.inputs[0], place), opens=not result))
            place += 1
        return tidy(result, self.inputs)


def tidy(words: Sequence[SourcedToken], inputs: Sequence[UnionInput]) -> tuple[SourcedToken, ...]:
    """Repair the spaces, commas, capital and full stop of joined words."""
    written: Words = []
    for word in _drop_stray_commas(words):
        if not written or not _follows(written[-1], word):
            word = replace(word, space=needs_space(written, word))
        written.append(word)
    return finish_words(written, inputs)


def _follows(before: SourcedToken, word: SourcedToken) -> bool:
    """Return True if a word follows the same word as in its source."""
    if not before.sources or not word.sources:
        return False
    first, second = before.sources[0], word.sources[0]
    return first.document == second.document and second.start - first.end in (0, 1)


def _drop_stray_commas(words: Sequence[SourcedToken]) -> Words:
    """Drop commas before a stop, after another mark, or at the start."""
    result: Words = []
    for index, word in enumerate(words):
        ended = [token.text for token in result[-2:]]
        if word.text == "." and len(ended) == 2 and ended[0] in ".?!" and ended[1] in _QUOTES:
            continue
        if word.text == ";" and len(ended) == 2 and ended[0] == "." and ended[1] in _QUOTES:
            del result[-2]
        if word.text == "," and not word.quoted:
            following = words[index + 1].text if index + 1 < len(words) else "."
            texts = [token.text for token in result[-2:]]
            closed = len(texts) == 2 and texts[0] in {",", ".", "?", "!"} and texts[1] in _QUOTES
            if following in _BEFORE_STOP or not result or texts[-1] in ",;:(" or closed:
                continue
        result.append(word)
    return result
