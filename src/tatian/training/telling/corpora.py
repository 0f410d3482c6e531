"""Further stories that nobody has annotated, for a teacher to say what tells what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tatian.formats.ecbplus import by_subtopic, read_ecbplus
from tatian.text import SENTENCES, Document
from tatian.training.stories import Bundle, Sentence, Story, letters

SHORTEST = 6
"""Tokens of a sentence: shorter ones are headlines and datelines."""
MOST = 6
"""Reports of one story."""


def reports(path: Path, without: Sequence[Bundle]) -> Iterator[Story]:
    """The reports of each subtopic of ECB+ but those of some bundles, and no sentence of these."""
    accounts = [account for bundle in without for account in bundle.accounts]
    held = {account.name for account in accounts}
    known = {letters(text) for account in accounts for text in account.sentences}
    for topic, documents in by_subtopic(read_ecbplus(path)).items():
        kept = [one for one in documents if Path(one.id).stem not in held]
        for first in range(0, len(kept), MOST):
            texts = (text for one in kept[first : first + MOST] for text in _sentences(one))
            sentences = (
                Sentence(text, frozenset()) for text in texts if letters(text) not in known
            )
            yield Story(f"{topic}-{first}", tuple(sentences))


def _sentences(document: Document) -> Iterator[str]:
    for sentence in document.get(SENTENCES):
        tokens = [t.text for t in document.tokens if sentence.start <= t.start < sentence.end]
        if len(tokens) >= SHORTEST:
            yield " ".join(tokens)


def passages(folder: Path, without: Sequence[Bundle]) -> Iterator[Story]:
    """The passages of the gospels that tell one episode, verse by verse, but those of bundles."""
    verses = json.loads((folder / "verses.json").read_text(encoding="utf-8"))
    held = {text for b in without for account in b.accounts for text in account.sentences}
    for episode in json.loads((folder / "pericopes.json").read_text(encoding="utf-8")):
        texts = [verses[b][v] for b, listed in episode["verses"].items() for v in listed]
        whole = " ".join(texts)
        if len(episode["verses"]) > 1 and not any(text in whole for text in held):
            sentences = (Sentence(text, frozenset()) for text in texts[:80])
            yield Story(f"gospels-{episode['no']}", tuple(sentences))
