"""Stories: sentences of several accounts of one event, and which facts each tells by which words.

A key of a fact is a group of alternatives; a sentence that tells the fact has one of each group, at
the start of a word.
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
from tatian.text import SENTENCES, Document
from tatian.training.data import content_stems

_WORD = re.compile(r"\w+")
_MARKS = str.maketrans("\u2018\u2019\u201c\u201d`", "''\"\"'")


class StorySentence(Struct, frozen=True):
    """A sentence, the facts that it tells, and where each fact's keys stand in it."""

    text: str
    facts: frozenset[str]
    keys: tuple[tuple[str, int, int], ...] = ()
    """Fact, first character, end."""
    account: int = -1
    said: tuple[tuple[str, int, int], ...] = ()
    """Words of no key that stand in the text of a fact of the sentence, likewise."""

    def carried(self, start: int, end: int) -> set[str]:
        """The facts that a word carries."""
        return {fact for fact, first, last in self.keys if first < end and start < last}


class AnnotatedStory(Struct, frozen=True):
    """The sentences of a bundle, account by account, without noise."""

    id: str
    sentences: tuple[StorySentence, ...]
    facts: tuple[BundleFact, ...] = ()


def story_of(bundle: Bundle, *, reference: bool = False) -> AnnotatedStory:
    """A bundle as a story; the sentences of its reference may stand as a further account."""
    told = told_in(bundle)
    sentences = [
        marked(text, told.get(place, ()), number)
        for number, account in enumerate(bundle.accounts)
        for index, text in enumerate(account.sentences)
        if (place := f"{account.id}.{index}") not in bundle.noise
    ]
    if reference:
        known = {fact.id: fact for fact in bundle.facts}
        sentences += [
            marked(one.text, [known[i] for i in one.facts if i in known], len(bundle.accounts))
            for one in bundle.reference
        ]
    return AnnotatedStory(bundle.id, tuple(sentences), bundle.facts)


def told_in(bundle: Bundle) -> dict[str, list[BundleFact]]:
    """The facts that each sentence of the accounts tells, by its place."""
    told: dict[str, list[BundleFact]] = {}
    for fact in bundle.facts:
        for source in fact.sources:
            told.setdefault(source, []).append(fact)
    return told


def marked(text: str, facts: Iterable[BundleFact], account: int = -1) -> StorySentence:
    """A sentence with the places of the keys of its facts."""
    facts = tuple(facts)
    keys = tuple(
        (fact.id, start, end)
        for fact in facts
        for group in fact.keys
        for start, end in occurrences(text, group)
    )
    held = [span for _, *span in keys]
    texts = [(fact.id, content_stems(fact.text)) for fact in facts]
    said = tuple(
        (fact, word.start(), word.end())
        for word in _WORD.finditer(text)
        if not any(start < word.end() and word.start() < end for start, end in held)
        for own in [content_stems(word[0])]
        for fact, stems in texts
        if own and own <= stems
    )
    return StorySentence(text, frozenset(fact.id for fact in facts), keys, account, said)


def occurrences(text: str, group: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the alternatives of a key occur, at the start of a word and to the end of one."""
    plain = _plain(text)
    for alternative in group:
        for match in re.finditer(rf"(?<!\w){re.escape(_plain(alternative))}\w*", plain):
            yield match.span()


def letters(text: str) -> str:
    """A text by its letters and digits alone: agencies' sentences recur with other marks."""
    return "".join(filter(str.isalnum, text.lower()))


def _plain(text: str) -> str:
    lowered = text.translate(_MARKS).lower()
    return lowered if len(lowered) == len(text) else text.translate(_MARKS)


LENGTHS = range(6, sys.maxsize)
"""Tokens of a sentence: shorter ones are headlines and datelines."""
MOST = 6
"""Reports of one story."""


def reports(path: Path, without: Sequence[Bundle]) -> Iterator[AnnotatedStory]:
    """The reports of each subtopic of ECB+ but those of some bundles, and no sentence of these."""
    accounts = [account for bundle in without for account in bundle.accounts]
    held = {account.name for account in accounts}
    known = {letters(text) for account in accounts for text in account.sentences}
    for topic, documents in by_subtopic(read_ecbplus(path)).items():
        kept = [one for one in documents if Path(one.id).stem not in held]
        for first in range(0, len(kept), MOST):
            texts = (text for one in kept[first : first + MOST] for text in spaced(one, LENGTHS))
            sentences = (
                StorySentence(text, frozenset()) for text in texts if letters(text) not in known
            )
            yield AnnotatedStory(f"{topic}-{first}", tuple(sentences))


def spaced(document: Document, lengths: range) -> Iterator[str]:
    """The sentences of so many tokens, these set apart by blanks."""
    for sentence in document.get(SENTENCES):
        tokens = [t.text for t in document.tokens if sentence.start <= t.start < sentence.end]
        if len(tokens) in lengths:
            yield " ".join(tokens)


def passages(folder: Path, without: Sequence[Bundle]) -> Iterator[AnnotatedStory]:
    """The passages of the gospels that tell one episode, verse by verse, but those of bundles."""
    verses = json.loads((folder / "verses.json").read_text(encoding="utf-8"))
    held = {text for b in without for account in b.accounts for text in account.sentences}
    for episode in json.loads((folder / "pericopes.json").read_text(encoding="utf-8")):
        texts = [verses[b][v] for b, listed in episode["verses"].items() for v in listed]
        whole = " ".join(texts)
        if len(episode["verses"]) > 1 and not any(text in whole for text in held):
            sentences = (StorySentence(text, frozenset()) for text in texts[:80])
            yield AnnotatedStory(f"gospels-{episode['no']}", tuple(sentences))
