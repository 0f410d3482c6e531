"""Renderings of a consolidation: a page, Markdown, a terminal, a document, an edition.

This module has what all of them need: letters for sources, numbers for sentences. The words are
those of a critical edition: a *witness* is a source under its letter, a *verse* is a numbered
sentence of the output with the witnesses it draws on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import takewhile
from pathlib import PurePath
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from tatian.text.lexicon import (
    MONTHS,
    NUMBER_WORDS,
    PRONOUNS,
    RELATIVE_DATES,
    ROLE_TITLES,
    TITLES,
    WEEKDAYS,
)
from tatian.views.palette import SERIES
from tatian.views.wording import join_items

if TYPE_CHECKING:
    from tatian.consolidation.result import (
        Account,
        Consolidation,
        Disagreement,
        SourceSentence,
        WovenChain,
        WrittenSentence,
        WrittenToken,
    )
    from tatian.text.documents import Claim


TYPES = {
    "PER": "person",
    "LOC": "place",
    "GPE": "place",
    "ORG": "organisation",
}
"""Types that are named to readers."""
_BEFORE = 20
"""Characters before a mention that are searched for the word before it."""
_IN = frozenset("in at near from to into around outside across through toward towards".split())
_TITLES = frozenset(title.lower().rstrip(".") for title in (*TITLES, *ROLE_TITLES))
_NO_THING = frozenset(
    (
        *(*MONTHS, *WEEKDAYS, *PRONOUNS, *RELATIVE_DATES, *NUMBER_WORDS),
        *"nobody somebody everybody morning afternoon evening night".split(),
    )
)
"""Words that name nobody and nothing."""
_NOBODY = frozenset((*PRONOUNS, "nobody", "somebody", "everybody"))
_TIME_WORDS = frozenset(
    (
        *(*MONTHS, *WEEKDAYS, *RELATIVE_DATES),
        *"afternoon century day days decade evening hour hours minute minutes moment".split(),
        *"month months morning night noon time today tomorrow tonight week".split(),
        *"weekend weeks year years yesterday".split(),
    )
)
"""First or last words of a phrase for a time."""


class ExportForm(Struct, frozen=True):
    """Format in which a consolidation is exported."""

    label: str
    """Name shown to people."""
    ending: str
    """Ending of the file name."""
    media: str
    """Media type."""
    write: Callable[[Consolidation], bytes]


def _json(result: Consolidation) -> bytes:
    return msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_TEI = "application/tei+xml"

EXPORTS = {
    "html": ExportForm("Web page", ".html", "text/html", lambda result: result.to_html().encode()),
    "md": ExportForm(
        "Markdown", ".md", "text/markdown", lambda result: result.to_markdown().encode()
    ),
    "text": ExportForm(
        "Plain text", ".txt", "text/plain", lambda result: f"{result.text}\n".encode()
    ),
    "docx": ExportForm("Word document", ".docx", _WORD, lambda result: result.to_docx()),
    "tei": ExportForm("TEI edition", ".xml", _TEI, lambda result: result.to_tei().encode()),
    "json": ExportForm("JSON", ".json", "application/json", _json),
}
"""Export formats, by the names of ``tatian consolidate --to``."""

BY_HAND = "by hand"
"""Ending of the reason for a placement by a person."""
DISAGREE, SUPERSEDED = "Where the accounts disagree", "Figures that later accounts update"
"""Headings of the conflicts, and of the figures that a later source supersedes."""
MAX_LETTERS = 12
"""Maximum number of source letters in a row before the rest is only counted."""


class Witness(Struct, frozen=True):
    """Source under the letter that stands for it."""

    index: int
    letter: str
    name: str
    """Shortest usual name: its publisher, title, file or id."""
    account: Account


class Verse(Struct, frozen=True):
    """Numbered sentence of the output."""

    number: int
    sentence: WrittenSentence
    witnesses: tuple[Witness, ...]
    """Sources of its words, in the order of the sources."""
    opens: bool
    """True if it starts a paragraph."""
    heading: str
    """Heading above it, such as the day it was reported; mostly empty."""
    start: int
    """Start of the sentence, after its heading."""


class Point(Struct, frozen=True):
    """Note on some words of the text, with what sources say there."""

    kind: str
    why: str
    claims: tuple[Claim, ...]
    sentences: tuple[int, ...]
    words: tuple[int, ...]
    """Indices of the output words that it is about."""
    superseded: bool = False
    """True if a later source counted again."""


class Edition:
    """Consolidation with letters and numbers for its parts."""

    def __init__(self, consolidation: Consolidation, points: Sequence[Point] | None = None) -> None:
        self.consolidation = consolidation
        self.text = consolidation.text
        self.witnesses = tuple(
            Witness(index, letter(index), account_name(account), account)
            for index, account in enumerate(consolidation.documents)
        )
        self._by_id = {witness.account.id: witness for witness in self.witnesses}
        self.verses = tuple(self._verses())
        self.words: tuple[WrittenToken, ...] = tuple(
            token for sentence in consolidation.sentences for token in sentence.tokens
        )
        self.points = tuple(
            Point(
                contradiction.kind,
                contradiction.why,
                contradiction.claims,
                contradiction.sentences,
                self.conflicting_words(contradiction),
                contradiction.relation == "superseded",
            )
            for contradiction in consolidation.contradictions
            if points is None
        ) + tuple(points or ())

    def witness(self, document: str) -> Witness:
        """Return the source with this id."""
        return self._by_id[document]

    def of(self, token: WrittenToken) -> tuple[Witness, ...]:
        """Return the sources that have this word, each once, in the order of the sources."""
        return self.ordered(source.document for source in token.sources)

    def ordered(self, documents: Iterable[str]) -> tuple[Witness, ...]:
        """Return the sources with these ids, each once, in the order of the sources."""
        indices = sorted({self._by_id[document].index for document in documents})
        return tuple(self.witnesses[index] for index in indices)

    def conflicting_words(self, disagreement: Disagreement) -> tuple[int, ...]:
        """Return the indices of output words that repeat one of the conflicting claims."""
        touched = set(disagreement.sentences)
        words: list[int] = []
        index = 0
        for number, sentence in enumerate(self.consolidation.sentences):
            if number in touched:
                words.extend(
                    index + place
                    for place, token in enumerate(sentence.tokens)
                    if _repeats(token, disagreement)
                )
            index += len(sentence.tokens)
        return tuple(words)

    def _verses(self) -> Iterable[Verse]:
        position = 0
        for index, sentence in enumerate(self.consolidation.sentences):
            between = self.text[position : sentence.start]
            used = (source.document for token in sentence.tokens for source in token.sources)
            opens = index == 0 or "\n" in between
            heading, start = self._heading(sentence) if opens else ("", sentence.start)
            yield Verse(index + 1, sentence, self.ordered(used), opens, heading, start)
            position = sentence.end

    def _heading(self, sentence: WrittenSentence) -> tuple[str, int]:
        """Return Tatian's words before a sentence ("Reported on ...:"), and where its own start."""
        first = len([*takewhile(lambda token: token.glue and not token.own, sentence.tokens)])
        if not 0 < first < len(sentence.tokens):
            return "", sentence.start
        words = self.text[sentence.start : sentence.tokens[first - 1].end]
        if not words.endswith(":"):
            return "", sentence.start
        return words.removesuffix(":"), sentence.tokens[first].start


def letter(index: int) -> str:
    """Return the mark of the source at `index`: A to Z, then AA, AB and so on."""
    mark = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        mark = chr(ord("A") + rest) + mark
    return mark


def account_name(account: Account) -> str:
    """Return the shortest usual name of a source."""
    file = PurePath(account.path).name if account.path else None
    return account.source or account.title or file or account.id


def colour(index: int) -> str:
    """Return the colour class of the source at `index`; those beyond the series share one."""
    return f"c{tint(index)}"


def letters_html(witnesses: Sequence[Witness]) -> str:
    """Render the letters of some sources, each in its colour."""
    shown = [
        f'<b class="{colour(witness.index)}">{witness.letter}</b>'
        for witness in witnesses[:MAX_LETTERS]
    ]
    rest = len(witnesses) - len(shown)
    return " ".join([*shown, f"<i>+{rest}</i>"] if rest else shown)


def tint(index: int) -> str:
    """Return the ending of the names of a source's colours."""
    return str(index) if index < len(SERIES) else "n"


def outcome_line(sentence: SourceSentence) -> str:
    """Say what became of a source sentence."""
    where = _numbered(sentence.into)
    outcomes = {
        "merged": f"merged into {where}",
        "kept": f"kept as {where}",
        "redundant": f"redundant: {where} already {'say' if len(sentence.into) > 1 else 'says'} it",
    }
    return outcomes.get(sentence.fate, sentence.fate) if sentence.into else sentence.fate


def places(conflict: Disagreement | Point) -> str:
    """Say which output sentences a conflict or point touches."""
    return _numbered(conflict.sentences) if conflict.sentences else "not in the text"


def _numbered(indices: Sequence[int]) -> str:
    numbers = [str(index + 1) for index in indices]
    return f"{'sentences' if len(numbers) > 1 else 'sentence'} {join_items(numbers)}"


def certain_type(chain: WovenChain, texts: Mapping[str, str]) -> str:
    """Return a chain's type as a noun if its mentions confirm it, or else "".

    A person has two names or a title somewhere, a place follows "in" or the like and never "the",
    an organisation has two words or only capitals.
    """
    noun = TYPES.get(chain.type.upper(), "")
    before: set[str] = set()
    phrases = []
    for reference in chain.references:
        text, start = texts[reference.document], reference.start
        preceding = text[max(0, start - _BEFORE) : start].split()[-1:]
        before.update(word.lower().rstrip(".") for word in preceding)
        phrases.append(text[start : reference.end].split())
    capitals = max((sum(word[:1].isupper() for word in words) for words in phrases), default=0)
    first = {words[0].lower().rstrip(".") for words in phrases if words}
    match noun:
        case "person":
            is_certain = capitals > 1 or not _TITLES.isdisjoint(before | first)
        case "place":
            is_certain = not _IN.isdisjoint(before) and "the" not in before | first
        case "organisation":
            is_certain = capitals > 1 or any(words and words[-1].isupper() for words in phrases)
        case _:
            is_certain = False
    return noun if is_certain else ""


def is_listed(chain: WovenChain) -> bool:
    """Check whether a chain is somebody or something, and not a time or "nobody"."""
    words = [word.strip(",.") for word in chain.name.lower().split()]
    if chain.type == "PER" and not set(words) <= _NOBODY:
        return True
    if chain.type in ("", "MISC", "DATE") and words:
        timed = not _TIME_WORDS.isdisjoint((words[0], words[-1]))
        if timed or all(map(str.isdecimal, words)):
            return False
    return not set(words) <= _NO_THING


def shown_day(stated: str) -> str:
    """Return a date as people write it: "March 14, 2026"; anything else unchanged."""
    try:
        day = date.fromisoformat(stated[:10])
    except ValueError:
        return stated
    return f"{day:%B} {day.day}, {day.year}"


def _repeats(token: WrittenToken, disagreement: Disagreement) -> bool:
    return any(
        source.document == claim.document and source.start < claim.end and claim.start < source.end
        for source in token.sources
        for claim in disagreement.claims
    )
