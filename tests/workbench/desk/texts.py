"""A small consolidated text, made by hand: three sources, a conflict, two days."""

from __future__ import annotations

import re

from tatian.consolidation.result import (
    SCHEMA,
    Account,
    Consolidation,
    Disagreement,
    Place,
    Reference,
    SourceSentence,
    WovenChain,
    WrittenSentence,
    WrittenToken,
)
from tatian.text import Source
from tatian.text.documents import Claim
from tatian.text.tokenizer import tokenize
from tatian.workbench.desk.decisions import Decision, EditedText, StoredDecision
from tatian.workbench.desk.editor import apply_decisions

WIRE = (
    "Ferry aground\n\nHALVERNE, March 14 - A ferry ran aground on Tuesday. The captain was asleep."
    " Twelve people were hurt. Lifeboats took everyone off."
)
COURIER = (
    "A ferry hit a sandbank. Thirteen people were hurt, doctors said. The harbour was closed."
    " Read more on page 7."
)
WEEKLY = "The ferry sails again. Islanders cheered."
TEXTS = {"a1": WIRE, "a2": COURIER, "a3": WEEKLY}


def sentence_id(account: str, words: str) -> str:
    """Return the id of the source sentence with these words."""
    text = TEXTS[account]
    for start, end in _spans(text):
        if words in text[start:end]:
            return f"{account}:{start}-{end}"
    raise AssertionError(words)


def _spans(text: str) -> list[tuple[int, int]]:
    return [one.span() for one in re.finditer(r"[^\s.][^.\n]*\.?", text)]


def woven() -> Consolidation:
    """The text: five sentences in three paragraphs."""
    loom = _Loom()
    loom.write("a1", "A ferry ran aground on Tuesday.", "A ferry hit a sandbank.", opens=True)
    loom.write("a1", "The captain was asleep.")
    loom.write("a1", "Twelve people were hurt.", note=("Twelve", "a2", "Thirteen"), opens=True)
    loom.write("a2", "The harbour was closed.")
    loom.write("a3", "The ferry sails again.", heading="Reported on March 18:", opens=True)
    loom.write("a3", "Islanders cheered.")
    return loom.done()


class _Loom:
    def __init__(self) -> None:
        self.text = ""
        self.sentences: list[WrittenSentence] = []
        self.fates: dict[str, tuple[str, int]] = {}

    def write(
        self,
        account: str,
        words: str,
        also: str = "",
        *,
        note: tuple[str, str, str] | None = None,
        heading: str = "",
        opens: bool = False,
    ) -> None:
        if self.text:
            self.text += "\n\n" if opens else " "
        start, tokens = len(self.text), []
        for word in heading.split():
            tokens.append(self._put(word, (), tokens))
        first = TEXTS[account].index(words)
        for token in tokenize(TEXTS[account], first, first + len(words)):
            sources = [Source(account, token.start, token.end)]
            if also and token.text in also.split():
                other = COURIER.index(token.text)
                sources.append(Source("a2", other, other + len(token.text)))
            tokens.append(self._put(token.text, tuple(sources), tokens))
            if note and token.text == note[0]:
                place = TEXTS[note[1]].index(note[2])
                tokens.append(self._put("(", (), tokens))
                said = Source(note[1], place, place + len(note[2]))
                tokens.append(self._put(note[2].lower(), (said,), tokens))
                tokens.extend(self._put(one, (), tokens) for one in "by another account".split())
                tokens.append(self._put(")", (), tokens))
        number = len(self.sentences)
        self.fates[sentence_id(account, words)] = ("kept", number)
        if also:
            self.fates[sentence_id("a2", also)] = ("redundant", number)
        self.sentences.append(WrittenSentence(start, len(self.text), tuple(tokens)))

    def _put(
        self, word: str, sources: tuple[Source, ...], before: list[WrittenToken]
    ) -> WrittenToken:
        close = word in ".,)" or self.text.endswith("(") or not before
        self.text += "" if close else " "
        start = len(self.text)
        self.text += word
        return WrittenToken(start, len(self.text), sources, glue=not sources)

    def done(self) -> Consolidation:
        self.fates[sentence_id("a2", "Thirteen")] = ("redundant", 2)
        accounts = []
        for id, text in TEXTS.items():
            sentences = []
            for start, end in _spans(text):
                fate, into = self.fates.get(f"{id}:{start}-{end}", ("unused", -1))
                why = {"kept": "other sentences do not say all of it"}.get(fate, "an aside")
                places = () if into < 0 else (into,)
                sentences.append(SourceSentence(start, end, fate, places, why))  # type: ignore[arg-type]
            accounts.append(Account(id, f"{id}.txt", None, None, None, text, tuple(sentences)))
        ferry = tuple(
            Reference(id, found.start(), found.end())
            for id, text in TEXTS.items()
            for found in re.finditer(r"\b(?:A|The) ferry", text)
        )
        claims = tuple(
            Claim(id, place, place + len(word), word)
            for id, word in (("a1", "Twelve"), ("a2", "Thirteen"))
            for place in [TEXTS[id].index(word)]
        )
        return Consolidation(
            schema=SCHEMA,
            text=self.text,
            sentences=tuple(self.sentences),
            documents=tuple(accounts),
            title="Ferry aground",
            contradictions=(Disagreement("number", claims, "they differ", (2,)),),
            chains=(WovenChain("e1", "the ferry", "MISC", ferry),),
            groups=((Place("a1", 1), Place("a2", 0)), (Place("a1", 3), Place("a2", 1))),
        )


WOVEN = woven()
AGROUND, ASLEEP = sentence_id("a1", "ran aground"), sentence_id("a1", "asleep")
TWELVE, CLOSED = sentence_id("a1", "Twelve"), sentence_id("a2", "closed")
SAILS, CHEERED = sentence_id("a3", "sails"), sentence_id("a3", "cheered")
HIT, THIRTEEN = sentence_id("a2", "sandbank"), sentence_id("a2", "Thirteen")
LIFEBOATS, PAGE = sentence_id("a1", "Lifeboats"), sentence_id("a2", "page 7")
DISPUTE = "a1:92-98+a2:24-32"


def stored_decisions(
    *decisions: Decision, said: dict[str, str] | None = None
) -> list[StoredDecision]:
    return [StoredDecision(n, one, 0, said or {}) for n, one in enumerate(decisions, start=1)]


def edited(*decisions: Decision, text: Consolidation = WOVEN) -> EditedText:
    return apply_decisions(text, None, stored_decisions(*decisions))
