"""Whose words a sentence of the text has, and where they stand: for every form that has notes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import shorten
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

from tatian.consolidation.render import BY_HAND, LETTERS, Edition, Verse, Witness
from tatian.views.wording import listed, printable, squeeze

if TYPE_CHECKING:
    from tatian.consolidation.result import Disagreement, WrittenToken

QUOTED = 90
"""How many characters of an account a footnote quotes."""

Hand = Literal["", "glue", "own"]
"""Whose words they are: an account's, Tatian's or a person's."""
HANDS: dict[Hand, str] = {"glue": "written to join them", "own": "written by the editor"}
"""What a footnote says of words that no account has."""
_INNER = str.maketrans('“”"', "‘’'")
"""Quotation marks within a quotation."""
Relation = Literal["taken", "same", "lent"]
"""Whether the text has a sentence, has another that tells the same, or has a name of it."""


class Parallel(Struct, frozen=True):
    """A sentence of an account that a verse has to do with."""

    witness: Witness
    number: int
    """Its place in the account, from 1; 0 or less for a headline."""
    text: str
    """On one line, without control characters."""
    relation: Relation


class VerseRun(Struct, frozen=True):
    """Words of a verse that stand together and are of one kind."""

    text: str
    hand: Hand = ""
    disputed: int | None = None
    """Which of the disagreements they are part of."""


class Citation(Struct, frozen=True):
    """The sentences of one account that a verse comes from."""

    witness: Witness
    rest: str
    """What follows the letter of the account: its sentences and their words."""


class Footnote(Struct, frozen=True):
    """Where a verse comes from."""

    citations: tuple[Citation, ...]
    remarks: tuple[str, ...]
    """What else is to be said of its words."""


def parallels(edition: Edition) -> list[tuple[Parallel, ...]]:
    """Of every verse the sentences that it comes from, in the order of the accounts."""
    found: list[list[Parallel]] = [[] for _ in edition.verses]
    used: dict[tuple[str, int], set[int]] = {}
    starts = {
        witness.account.id: [sentence.start for sentence in witness.account.sentences]
        for witness in edition.witnesses
    }
    for number, verse in enumerate(edition.verses):
        for source in (one for token in verse.sentence.tokens for one in token.sources):
            place = bisect_right(starts[source.document], source.start) - 1
            used.setdefault((source.document, place), set()).add(number)
    for witness in edition.witnesses:
        sentences = zip(witness.account.numbers, witness.account.sentences, strict=True)
        for place, (called, sentence) in enumerate(sentences):
            text = printable(squeeze(witness.account.text[sentence.start : sentence.end]))
            told: Relation = "taken" if sentence.fate in ("kept", "merged") else "same"
            drawn = used.get((witness.account.id, place), set())
            for number in sorted(drawn.union(sentence.into)):
                relation = told if number in sentence.into else "lent"
                found[number].append(Parallel(witness, called, text, relation))
    return [tuple(one) for one in found]


def footnotes(edition: Edition) -> Iterator[Footnote]:
    """Of every verse where it comes from, and whose words it has beside those of the accounts."""
    writer = edition.consolidation.writer
    for verse, beside in zip(edition.verses, parallels(edition), strict=True):
        cited = [[*own] for _, own in groupby(beside, key=lambda one: one.witness)]
        cited.sort(key=lambda own: min(map(_closeness, own)))
        citations = [Citation(own[0].witness, _cited(own)) for own in cited]
        remarks = [
            f"{label}: {listed([f'“{words}”' for words in said])}"
            for hand, label in HANDS.items()
            if (said := _said(edition, verse, hand))
        ]
        if len(citations) > LETTERS:
            remarks.insert(0, f"and {len(citations) - LETTERS} more accounts")
        if writer is not None and verse.number - 1 in writer.worded:
            remarks.append(f"worded by {writer.model}")
        if verse.sentence.why.endswith(BY_HAND):
            remarks.append(verse.sentence.why)
        remarks += [
            f"the accounts disagree: {claimed(edition, found)}"
            for found in edition.consolidation.contradictions
            if verse.number - 1 in found.sentences
        ]
        yield Footnote(tuple(citations[:LETTERS]), tuple(map(printable, remarks)))


def runs(edition: Edition, verse: Verse) -> Iterator[VerseRun]:
    """The words of a verse, behind its heading, by whose they are and what they dispute."""
    points = {
        edition.words[word].start: number
        for number, found in enumerate(edition.points)
        if verse.number - 1 in found.sentences
        for word in found.words
    }
    tokens = [token for token in verse.sentence.tokens if token.start >= verse.start]
    position = verse.start
    for (whose, disputed), run in groupby(
        tokens, key=lambda token: (_hand(token), points.get(token.start))
    ):
        held = [*run]
        if position < held[0].start:
            yield VerseRun(printable(edition.text[position : held[0].start]))
        position = held[-1].end
        yield VerseRun(printable(edition.text[held[0].start : position]), whose, disputed)
    if position < verse.sentence.end:
        yield VerseRun(printable(edition.text[position : verse.sentence.end]))


def claimed(edition: Edition, disputed: Disagreement) -> str:
    """What each account says where they disagree."""
    said = [
        f"{edition.witness(claim.document).letter} “{squeeze(claim.text)}”"
        for claim in disputed.claims
    ]
    return "; ".join(said)


def about(witness: Witness) -> list[str]:
    """What is known of an account: the name it goes by, then title, date and file."""
    account = witness.account
    known = (account.title, account.date, account.path)
    return [printable(squeeze(one)) for one in dict.fromkeys((witness.name, *known)) if one]


def _closeness(one: Parallel) -> int:
    return get_args(Relation).index(one.relation)


def _cited(sentences: Sequence[Parallel]) -> str:
    """Sentences by number, and the words of those that the verse has most of."""
    body = [str(one.number) for one in sentences if one.number > 0]
    numbers = f"sentence{'s' if len(body) > 1 else ''} {listed(body)}" if body else ""
    title = "headline" if len(body) < len(sentences) else ""
    closest = min(map(_closeness, sentences))
    said = " ".join(one.text for one in sentences if _closeness(one) == closest)
    words = shorten(said, QUOTED, placeholder=" …").translate(_INNER)
    return f"{' and '.join(filter(None, (title, numbers)))}: “{words}”"


def _hand(token: WrittenToken) -> Hand:
    return "own" if token.own else "glue" if token.glue else ""


def _said(edition: Edition, verse: Verse, by: Hand) -> list[str]:
    """The words of a verse that one wrote, those that stand together as one."""
    said = (squeeze(run.text).strip("(),. ") for run in runs(edition, verse) if run.hand == by)
    return [words for words in said if any(character.isalnum() for character in words)]
