"""True sentences of a bundle with their parse, from which others are made by rule."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from tatian.corpora.bundles import Bundle
from tatian.text import NAMES, WORDS, Document, Name, Word
from tatian.text.content import concepts
from tatian.text.lexicon import MONTHS, WEEKDAYS

DAY = re.compile(rf"\b(?:{'|'.join(day.title() for day in WEEKDAYS if len(day) > 4)})\b")
MONTH = re.compile(
    rf"\b(?:{'|'.join(m.title() for m in MONTHS if len(m) > 4 or m == 'june')})\b(?= \d)"
)
DIGITS = re.compile(r"(?<![\w.,:])\d+(?:[.,:]\d+)*(?![\w:])")
TIME = re.compile(
    rf"(?:\bon )?(?:{DAY.pattern})(?: (?:morning|night|evening|afternoon))?"
    rf"|(?:\bon )?(?:{MONTH.pattern}) \d{{1,2}}(?:, \d{{4}})?|\bin \d{{4}}\b"
)


class Item(NamedTuple):
    """A sentence, whether the sources of its bundle support it, and how it was made."""

    bundle: str
    kind: str
    supported: bool
    text: str
    base: str


class Base:
    """A sentence known to be true, with the source sentences that it rests on."""

    def __init__(self, document: Document, sources: Sequence[str], every: Sequence[str]) -> None:
        self.document = document
        self.text = document.text
        self.sources = " ".join(sources)
        self.every = every

    @cached_property
    def words(self) -> dict[int, Word]:
        return {word.token: word for word in self.document.get(WORDS)}

    @cached_property
    def names(self) -> list[Name]:
        return [n for n in self.document.get(NAMES) if n.type in {"PER", "ORG", "LOC"}]

    def __getitem__(self, place: int) -> str:
        return self.document.tokens[place].text

    def children(self, place: int, *relations: str) -> list[int]:
        return [
            word.token
            for word in self.words.values()
            if word.head == place and (word.relation in relations or not relations)
        ]

    def below(self, place: int) -> tuple[int, int]:
        """Return the characters from the first to the last word of a subtree."""
        seen, waiting = {place}, [place]
        while waiting:
            for child in self.children(waiting.pop()):
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
        tokens = self.document.tokens
        while tokens[max(seen)].text in {",", ";", "-", "–"}:
            seen.remove(max(seen))
        return tokens[min(seen)].start, tokens[max(seen)].end

    @cached_property
    def root(self) -> int:
        return next((w.token for w in self.words.values() if w.relation == "root"), -1)

    @cached_property
    def subject(self) -> tuple[int, int, int] | None:
        """The root's subject at the very start: its head word and characters."""
        for child in self.children(self.root, "nsubj", "nsubj:pass"):
            start, end = self.below(child)
            if start == 0 and child < self.root:
                return child, start, end
        return None

    @cached_property
    def person(self) -> Name | None:
        """The person whose name opens the sentence as its subject."""
        if self.subject is None:
            return None
        return next((n for n in self.names if n.start == 0 and n.type == "PER"), None)

    def tail(self) -> Iterator[str]:
        """Yield a final phrase of manner, place or reason that would fit elsewhere."""
        for place in self.children(self.root, "obl", "advcl"):
            start, end = self.below(place)
            clause = self.text[start:end]
            fits = re.match(r"(?:after|during|because|in|at|near|with|while|for|despite)\b", clause)
            last = end >= len(self.text.rstrip(" .")) and 3 <= len(clause.split()) <= 9
            enough = len(concepts(re.findall(r"\w+", clause))) > 1
            if fits and last and enough and not re.search('["“]', clause):
                yield clause

    def has_quotation(self) -> bool:
        return bool(re.search(r'["“][^"”]{12,}["”]', self.text))

    def put(self, *edits: tuple[int, int, str]) -> str:
        """Return the text with spans replaced."""
        text = self.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return capital(re.sub(r"\s+([.,;])", r"\1", re.sub(r"\s{2,}", " ", text)).strip())


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower_start(base: Base) -> str:
    """Return the sentence for use after "and": in lower case unless it opens with a name."""
    tag = base.words[0].tag if 0 in base.words else ""
    return base.text if tag == "PROPN" or base[0] == "I" else base.text[:1].lower() + base.text[1:]


class Story:
    """One bundle, and the material for changing its sentences."""

    def __init__(
        self,
        bundle: Bundle,
        bases: Sequence[Base],
        lines: Sequence[Base],
        forms: dict[tuple[str, str], str],
        strangers: dict[str, list[str]],
        additions: Sequence[str],
        draw: random.Random,
    ) -> None:
        self.bundle, self.bases, self.lines, self.forms = bundle, bases, lines, forms
        self.strangers, self.additions, self.draw = strangers, additions, draw
        self.said = set(concepts(re.findall(r"\w+", " ".join(bundle.sentences().values()))))
        self.accounts = " ".join(bundle.sentences().values())
        self.known: dict[str, list[str]] = {}
        for base in bases:
            for name in base.names:
                self.known.setdefault(name.type, []).append(name.of(base.text))

    def is_quoted(self, base: Base, place: int) -> bool:
        return self.in_marks(base.text, base.document.tokens[place].start)

    def in_marks(self, text: str, start: int) -> bool:
        return len(re.findall('["“”]', text[:start])) % 2 == 1


def is_within(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None
