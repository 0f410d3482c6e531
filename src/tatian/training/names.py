"""Further sentences with names, from GUM's typed phrases and by exchanging names of one kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct, structs

from tatian.formats.entities import brackets
from tatian.grouping import grouped
from tatian.text.lexicon import word_set
from tatian.text.spans import name_spans
from tatian.training.data import IGNORED, LabelledSentence, TreebankWord
from tatian.training.lists import LISTS

_KIND_OF = {"person": "PER", "place": "LOC", "organization": "ORG"}
_PAGE_FIELD = 6
"""Index of GUM's page among the fields after the id."""
_LINKING_WORDS = frozenset(("of", "the", "for", "and", "-", "&", "de", "'s"))
"""Words that may join two parts of a name."""
_PERSONAL_TITLES = word_set(LISTS["titles"])


class Phrase(Struct, frozen=True):
    """A typed phrase, from the word `start` up to `end`."""

    start: int
    end: int
    kind: str
    page: str
    """Title of its Wikipedia page, with underscores; empty for none."""


def with_entity_names(sentence: LabelledSentence) -> LabelledSentence:
    """Return the sentence with BIO labels for its persons, places and organisations."""
    labels = ["O"] * len(sentence.words)
    phrases = sorted(phrases_of(sentence.words), key=lambda p: (p.start - p.end, p.start))
    for phrase in phrases:
        kind = _KIND_OF.get(phrase.kind)
        if kind is None:
            continue
        start, end = _name_in(sentence.words, phrase)
        if start < end and all(label == "O" for label in labels[start:end]):
            labels[start:end] = [f"B-{kind}"] + [f"I-{kind}"] * (end - start - 1)
    return structs.replace(sentence, names=tuple(labels), all_kinds=False)


def phrases_of(words: tuple[TreebankWord, ...]) -> list[Phrase]:
    """Return the phrases that the ``Entity`` brackets of a sentence mark."""
    phrases: list[Phrase] = []
    open_brackets: dict[tuple[str, int, int], list[tuple[int, tuple[str, ...]]]] = {}
    for index, word in enumerate(words):
        for bracket in brackets(word.entity):
            key = bracket[:3]
            if bracket.opens:
                open_brackets.setdefault(key, []).append((index, bracket.fields))
            if bracket.closes and open_brackets.get(key):
                start, fields = open_brackets[key].pop()
                kind, page = "".join(fields[:1]), "-".join(fields[_PAGE_FIELD:])
                phrases.append(Phrase(start, index + 1, kind, page))
    return phrases


def _name_in(words: tuple[TreebankWord, ...], phrase: Phrase) -> tuple[int, int]:
    """Return the span of proper nouns around the phrase's head, with words of its title between."""
    inside = range(phrase.start, phrase.end)
    heads = [i for i in inside if words[i].head - 1 not in inside]
    if len(heads) != 1 or not _is_name(words[heads[0]]):
        return 0, 0
    title = set(phrase.page.lower().replace("(", "").replace(")", "").split("_"))
    title |= {"of", "-"} if phrase.kind == "organization" else {"-"}
    start = end = heads[0]
    end += 1
    while end < phrase.end and _continues(words, end, end + 1, phrase.end, title):
        end += 1
    while start > phrase.start and _continues(words, start - 1, start - 2, phrase.start, title):
        start -= 1
    while not _is_name(words[end - 1]):
        end -= 1
    while start < end and (
        not _is_name(words[start]) or words[start].form.lower().rstrip(".") in _PERSONAL_TITLES
    ):
        start += 1
    return start, end


def _continues(
    words: tuple[TreebankWord, ...], at: int, beyond: int, limit: int, title: set[str]
) -> bool:
    form = words[at].form.lower()
    if _is_name(words[at]) or (form in title and words[at].form[:1].isupper()):
        return True
    return form in _LINKING_WORDS and form in title and beyond != limit


def _is_name(word: TreebankWord) -> bool:
    return word.upos == "PROPN" or word.xpos in ("NNP", "NNPS")


def with_other_names(
    sentences: Sequence[LabelledSentence], share: float, generator: np.random.Generator
) -> list[LabelledSentence]:
    """Return copies of a share of the sentences, without trees and with exchanged names."""
    names_of_kind = grouped(
        (kind, sentence.forms[start:end])
        for sentence in sentences
        for start, end, kind in name_spans(sentence.names)
    )
    copies: list[LabelledSentence] = []
    for sentence in sentences:
        spans = name_spans(sentence.names)
        if not spans or IGNORED in sentence.names or generator.random() >= share:
            continue
        forms, labels = list(sentence.forms), list(sentence.names)
        for start, end, kind in reversed(spans):
            other = names_of_kind[kind][int(generator.integers(len(names_of_kind[kind])))]
            forms[start:end] = other
            labels[start:end] = [f"B-{kind}"] + [f"I-{kind}"] * (len(other) - 1)
        copies.append(structs.replace(sentence, forms=tuple(forms), names=tuple(labels), words=()))
    return copies
