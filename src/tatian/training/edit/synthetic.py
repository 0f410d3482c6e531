"""Synthetic pairs of sentences with a known union: one sentence, shortened in two ways.

Different modifiers and clauses are removed from the two halves, and one half is reworded a little.
The whole sentence is their union. A thousand real unions are too few to learn where
a phrase goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct

from tatian.text.lexicon import word_set
from tatian.training.edit.data import ParsedSentence, UnionWords
from tatian.training.lists import LISTS

REMOVABLE_RELATIONS = word_set(LISTS["removable relations"])
CLAUSES = frozenset(("conj", "advcl", "ccomp", "parataxis", "acl"))
NEGATIONS = frozenset(("not", "n't", "never"))
MAX_CUT_LENGTH = 18
"""Maximum number of words of a part that is removed."""
MIN_HALF_WORDS, MIN_WHOLE_WORDS = 4, 8
"""Minimum number of words of each half, and of the words that either half has."""
DASHES = ("-", "--", "–")
PAUSE_MARKS = (",", ";", ":", "-", "--")
PRONOUNS = ("he", "she", "it", "they")
OTHER_FORMS = dict(line.split() for line in LISTS["other forms"].splitlines())
"""Forms of words in another tense, as a later report would have them."""


class Cut(Struct, frozen=True):
    """A span of words that can be removed, with its punctuation."""

    start: int
    end: int

    @property
    def places(self) -> set[int]:
        """Positions of its words."""
        return set(range(self.start, self.end))


Synonyms = Mapping[str, Sequence[str]]


def make_pair(tree: ParsedSentence, synonyms: Synonyms, random: Random) -> UnionWords | None:
    """Shorten a sentence in two ways; return None if too little can be removed."""
    cuts = removable_parts(tree)
    if len(cuts) < 2:
        return None
    random.shuffle(cuts)
    clause = _clause(tree, random) if random.random() < 0.3 else None
    if clause is None:
        halves = _split_parts(tree, cuts, random)
    else:
        halves = _split_clause(tree, cuts, clause, random)
    if halves is None:
        return None
    first, second = halves
    if min(len(first), len(second)) < MIN_HALF_WORDS or len({*first, *second}) < MIN_WHOLE_WORDS:
        return None
    second_text = _reworded(tree, second, set(first), synonyms, random)
    first_words = _as_sentence([tree.words[i] for i in first], random)
    second_words = _as_sentence(second_text, random)
    if first_words == second_words:
        return None
    if random.random() < 0.5:
        first_words, second_words = second_words, first_words
    return UnionWords(tuple(first_words), tuple(second_words), tree.words)


def _split_parts(
    tree: ParsedSentence, cuts: Sequence[Cut], random: Random
) -> tuple[list[int], list[int]] | None:
    """Remove different parts from the two halves; no part is removed from both."""
    removed_from_first: set[int] = set()
    removed_from_second: set[int] = set()
    share = random.choice((0.2, 0.35, 0.5))
    for cut in cuts:
        drawn = random.random()
        if drawn < share and not cut.places & removed_from_second:
            removed_from_first |= cut.places
        elif drawn < 2.2 * share and not cut.places & removed_from_first:
            removed_from_second |= cut.places
    if not removed_from_second and random.random() < 0.8:
        return None
    return _without(tree, removed_from_first), _without(tree, removed_from_second)


def _split_clause(
    tree: ParsedSentence, cuts: Sequence[Cut], clause: range, random: Random
) -> tuple[list[int], list[int]] | None:
    """Make a clause one half, and remove it, or parts of it, from the other."""
    inside = [cut for cut in cuts if clause.start <= cut.start and cut.end <= clause.stop]
    removed_from_first: set[int] = set()
    if random.random() < 0.6:
        removed_from_first = set(range(*_with_comma(tree, clause.start, clause.stop)))
    else:
        for cut in inside[: random.randint(1, 3)]:
            removed_from_first |= cut.places
    if not removed_from_first:
        return None
    second = list(clause)
    for cut in inside:
        if random.random() < 0.3 and not cut.places & removed_from_first:
            second = [i for i in second if i not in cut.places]
    return _without(tree, removed_from_first), second


def removable_parts(tree: ParsedSentence) -> list[Cut]:
    """Return all modifiers, appositions, conjuncts and clauses that can be removed."""
    parts = []
    spans = subtree_spans(tree)
    count = len(tree.words)
    for index, relation in enumerate(tree.relations):
        if relation.partition(":")[0] not in REMOVABLE_RELATIONS or (
            relation == "advmod" and tree.words[index].lower() in NEGATIONS
        ):
            continue
        span = spans[index]
        if span is None or span[1] - span[0] > MAX_CUT_LENGTH:
            continue
        start, end = _with_comma(tree, *span)
        if end - start < count - 4:
            parts.append(Cut(start, end))
    return parts


def subtree_spans(tree: ParsedSentence) -> list[tuple[int, int] | None]:
    """Return the span of each word's subtree; None if it is not contiguous."""
    below: list[list[int]] = [[i] for i in range(len(tree.words))]
    for index in range(len(tree.words)):
        seen = {index}
        above = tree.heads[index]
        while above >= 0 and above not in seen:
            below[above].append(index)
            seen.add(above)
            above = tree.heads[above]
    spans: list[tuple[int, int] | None] = []
    for group in below:
        start, end = min(group), max(group) + 1
        spans.append((start, end) if end - start == len(group) else None)
    return spans


def _with_comma(tree: ParsedSentence, start: int, end: int) -> tuple[int, int]:
    """Extend a span by the commas that are removed with it."""
    words, count = tree.words, len(tree.words)
    left = start > 0 and words[start - 1] in (",", *DASHES)
    right = end < count and words[end] in (",", *DASHES)
    closing = end >= count - 1
    if left and (right or closing):
        return start - 1, end
    if start == 0 and right:
        return start, end + 1
    return start, end


def _without(tree: ParsedSentence, removed: set[int]) -> list[int]:
    return [i for i in range(len(tree.words)) if i not in removed]


def _clause(tree: ParsedSentence, random: Random) -> range | None:
    """Return a clause with its own subject, which can be a sentence; None if there is none."""
    spans = subtree_spans(tree)
    subjects = {tree.heads[i] for i, r in enumerate(tree.relations) if r.startswith("nsubj")}
    clauses = []
    for index, relation in enumerate(tree.relations):
        span = spans[index]
        if relation.partition(":")[0] in CLAUSES and index in subjects and span is not None:
            start, end = span
            while start < end and tree.relations[start] in ("cc", "mark", "punct"):
                start += 1
            if 5 <= end - start <= len(tree.words) - 4:
                clauses.append(range(start, end))
    return random.choice(clauses) if clauses else None


def _reworded(
    tree: ParsedSentence, kept: Sequence[int], shared: set[int], synonyms: Synonyms, random: Random
) -> list[str]:
    """Return the kept words, with some of the shared ones reworded, and some words moved."""
    order = list(kept)
    if random.random() < 0.25:
        order = _moved(tree, order, random)
    rate = random.choice((0.0, 0.1, 0.25, 0.4, 0.6))
    subject = _subject(tree, order, shared) if random.random() < 0.15 else range(0)
    tense = random.random() < 0.3
    reworded: list[str] = []
    for index in order:
        word = tree.words[index]
        if index in subject:
            if index == subject.start:
                reworded.append(random.choice(PRONOUNS))
            continue
        if tense and index in shared and word.lower() in OTHER_FORMS:
            reworded.append(OTHER_FORMS[word.lower()])
            continue
        options = synonyms.get(word.lower(), ())
        content = tree.tags[index] in ("NOUN", "VERB", "ADJ", "ADV")
        if index in shared and content and options and random.random() < rate:
            reworded.append(random.choice(options))
        elif index in shared and tree.tags[index] in ("DET", "AUX") and random.random() < rate / 2:
            continue
        else:
            reworded.append(word)
    return reworded


def _subject(tree: ParsedSentence, order: Sequence[int], shared: set[int]) -> range:
    """Return the words of a subject that is complete in both sentences."""
    spans = subtree_spans(tree)
    for index in order:
        span = spans[index]
        if tree.relations[index].startswith("nsubj") and span is not None:
            whole = range(*span)
            if all(i in shared for i in whole if i in order) and len(whole) <= 8:
                return whole
    return range(0)


def _moved(tree: ParsedSentence, order: list[int], random: Random) -> list[int]:
    """Move one adverbial from the end to the front, or from the front to the end."""
    spans = subtree_spans(tree)
    for index in random.sample(order, len(order)):
        span = spans[index]
        if tree.relations[index].partition(":")[0] not in ("obl", "advcl") or span is None:
            continue
        part = [i for i in order if span[0] <= i < span[1]]
        others = [i for i in order if not span[0] <= i < span[1]]
        if not part or len(part) > 10 or len(others) < 5:
            continue
        ending = others[-1:] if tree.words[others[-1]] == "." else []
        middle = others[: len(others) - len(ending)]
        return [*middle, *part, *ending] if span[0] < 2 else [*part, *middle, *ending]
    return order


def _as_sentence(words: Sequence[str], random: Random) -> list[str]:
    """Return a sentence with an initial capital and, usually, a final period."""
    sentence = list(words)
    while sentence and sentence[0] in (*PAUSE_MARKS, "."):
        sentence.pop(0)
    while len(sentence) > 1 and sentence[-1] == "." and sentence[-2] in PAUSE_MARKS:
        sentence.pop(-2)
    while sentence and sentence[-1] in PAUSE_MARKS:
        sentence.pop()
    if sentence and sentence[-1] not in (".", "?", "!", '"', "”") and random.random() < 0.9:
        sentence.append(".")
    if sentence:
        sentence[0] = sentence[0][:1].upper() + sentence[0][1:]
    return sentence
