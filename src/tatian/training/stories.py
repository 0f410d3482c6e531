"""Stories: sentences of several reports of one event, annotated with facts.

A fact has keys, which are groups of alternatives. A sentence that states the fact contains one
alternative of each group, from the start of a word.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from tatian.corpora.bundles import Bundle, BundleFact
from tatian.formats.ecbplus import by_subtopic, read_ecbplus
from tatian.grouping import grouped
from tatian.text import SENTENCES, Document
from tatian.training.data import content_stems

_WORD = re.compile(r"\w+")
_QUOTE_MARKS = str.maketrans("\u2018\u2019\u201c\u201d`", "''\"\"'")


class StorySentence(Struct, frozen=True):
    """A sentence with its facts and the positions of their keys."""

    text: str
    facts: frozenset[str]
    keys: tuple[tuple[str, int, int], ...] = ()
    """Keys, each as (fact, start, end) in characters."""
    account: int = -1
    """Number of its source."""
    fact_words: tuple[tuple[str, int, int], ...] = ()
    """Words outside keys that occur in the text of a fact, as (fact, start, end)."""

    def carried(self, start: int, end: int) -> set[str]:
        """Return the facts with a key that overlaps a word."""
        return {fact for fact, first, last in self.keys if first < end and start < last}


class AnnotatedStory(Struct, frozen=True):
    """The sentences of a bundle, source by source, without noise."""

    id: str
    sentences: tuple[StorySentence, ...]
    facts: tuple[BundleFact, ...] = ()


def story_of(bundle: Bundle, *, reference: bool = False) -> AnnotatedStory:
    """Return a bundle as a story, with its reference as a further source if wanted."""
    facts_of = facts_by_place(bundle)
    sentences = [
        mark_facts(text, facts_of.get(place, ()), number)
        for number, account in enumerate(bundle.accounts)
        for index, text in enumerate(account.sentences)
        if (place := f"{account.id}.{index}") not in bundle.noise
    ]
    if reference:
        facts = {fact.id: fact for fact in bundle.facts}
        for sentence in bundle.reference:
            known = [facts[id] for id in sentence.facts if id in facts]
            sentences.append(mark_facts(sentence.text, known, len(bundle.accounts)))
    return AnnotatedStory(bundle.id, tuple(sentences), bundle.facts)


def facts_by_place(bundle: Bundle) -> dict[str, list[BundleFact]]:
    """Map the sentences of the sources, by their ids, to their facts."""
    return grouped((source, fact) for fact in bundle.facts for source in fact.sources)


def mark_facts(text: str, facts: Iterable[BundleFact], account: int = -1) -> StorySentence:
    """Return a sentence with the positions of the keys of its facts."""
    facts = tuple(facts)
    keys = tuple(
        (fact.id, start, end)
        for fact in facts
        for group in fact.keys
        for start, end in find_key(text, group)
    )
    spans = [span for _, *span in keys]
    texts = [(fact.id, content_stems(fact.text)) for fact in facts]
    fact_words = tuple(
        (fact, word.start(), word.end())
        for word in _WORD.finditer(text)
        if not any(start < word.end() and word.start() < end for start, end in spans)
        for word_stems in [content_stems(word[0])]
        for fact, stems in texts
        if word_stems and word_stems <= stems
    )
    return StorySentence(text, frozenset(fact.id for fact in facts), keys, account, fact_words)


def find_key(text: str, group: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of a key's alternatives, extended to whole words."""
    folded = _folded(text)
    for alternative in group:
        for match in re.finditer(rf"(?<!\w){re.escape(_folded(alternative))}\w*", folded):
            yield match.span()


def letters(text: str) -> str:
    """Return a text's letters and digits, to recognise copies with other punctuation."""
    return "".join(filter(str.isalnum, text.lower()))


def _folded(text: str) -> str:
    plain = text.translate(_QUOTE_MARKS)
    return plain.lower() if len(plain.lower()) == len(text) else plain


LENGTHS = range(6, sys.maxsize)
"""Lengths of sentences in tokens; shorter ones are headlines and datelines."""
MAX_REPORTS = 6
"""Maximum number of reports of one story."""


def ecbplus_stories(path: Path, without: Sequence[Bundle]) -> Iterator[AnnotatedStory]:
    """Yield stories of ECB+'s subtopics, without documents and sentences of some bundles."""
    sources = [source for bundle in without for source in bundle.accounts]
    names = {source.name for source in sources}
    copied = {letters(text) for source in sources for text in source.sentences}
    for topic, documents in by_subtopic(read_ecbplus(path)).items():
        kept = [document for document in documents if Path(document.id).stem not in names]
        for first in range(0, len(kept), MAX_REPORTS):
            sentences = tuple(
                StorySentence(text, frozenset())
                for document in kept[first : first + MAX_REPORTS]
                for text in space_sentences(document, LENGTHS)
                if letters(text) not in copied
            )
            yield AnnotatedStory(f"{topic}-{first}", sentences)


def space_sentences(document: Document, lengths: range) -> Iterator[str]:
    """Yield the sentences with a number of tokens in `lengths`, as tokens with spaces between."""
    for sentence in document.get(SENTENCES):
        tokens = [t.text for t in document.tokens if sentence.start <= t.start < sentence.end]
        if len(tokens) in lengths:
            yield " ".join(tokens)


def gospel_stories(folder: Path, without: Sequence[Bundle]) -> Iterator[AnnotatedStory]:
    """Yield stories of verses of the gospels on one episode, without those of some bundles."""
    verses = json.loads((folder / "verses.json").read_text(encoding="utf-8"))
    excluded = {text for bundle in without for text in bundle.sentences().values()}
    for episode in json.loads((folder / "pericopes.json").read_text(encoding="utf-8")):
        texts = [verses[book][v] for book, listed in episode["verses"].items() for v in listed]
        joined = " ".join(texts)
        if len(episode["verses"]) > 1 and not any(text in joined for text in excluded):
            sentences = (StorySentence(text, frozenset()) for text in texts[:80])
            yield AnnotatedStory(f"gospels-{episode['no']}", tuple(sentences))
