"""A woven text as the review page needs it: each sentence beside the source sentences behind it.

Much smaller than the consolidation it is made of (`review_making`): offsets count from the start of
their own sentence, and what reviewers are not asked about (chains, links) is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.result import Place
from tatian.text.provenance import SourceKind
from tatian.union.models import Fate


class Origin(Struct, frozen=True, array_like=True):
    """A stretch of a source sentence that a word stands for."""

    account: int
    sentence: int
    """Which of the account's sentences here."""
    start: int
    end: int
    kind: SourceKind = "copied"


class Word(Struct, frozen=True, array_like=True):
    """One word of a proposed sentence; without origins it is our own."""

    start: int
    end: int
    origins: tuple[Origin, ...] = ()


class Proposed(Struct, frozen=True, omit_defaults=True):
    """One sentence of the woven text."""

    text: str
    words: tuple[Word, ...] = ()
    opens: bool = False
    """Whether it starts a paragraph."""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("an empty sentence")
        _check_words(self.words, len(self.text))


class Given(Struct, frozen=True, omit_defaults=True):
    """One sentence of an account."""

    number: int
    """Its index among all sentences of the account."""
    text: str
    fate: Fate
    into: tuple[int, ...] = ()
    """Which of the proposed sentences carry it or, if it is redundant, say it already."""
    why: str = ""


class SourceAccount(Struct, frozen=True, omit_defaults=True):
    """An account, or as much of it as a reviewer needs."""

    id: str
    letter: str
    name: str
    sentences: tuple[Given, ...]
    date: str | None = None


class Claimed(Struct, frozen=True, array_like=True):
    """What one account says where accounts differ."""

    account: int
    sentence: int
    start: int
    end: int


class Differing(Struct, frozen=True, omit_defaults=True):
    """A point on which accounts cannot all be right."""

    kind: str
    why: str
    sentences: tuple[int, ...]
    """Which of the proposed sentences it touches."""
    claims: tuple[Claimed, ...] = ()


class Content(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored."""

    sentences: tuple[Proposed, ...]
    accounts: tuple[SourceAccount, ...]
    contradictions: tuple[Differing, ...] = ()
    before: str = ""
    """The sentence before the first one, where only a part is asked about."""
    after: str = ""

    def __post_init__(self) -> None:
        if not self.sentences:
            raise ValueError("no sentence to review")
        if len({account.id for account in self.accounts}) != len(self.accounts):
            raise ValueError("two accounts of one id")
        if len(self.places) != sum(len(account.sentences) for account in self.accounts):
            raise ValueError("two source sentences of one number")
        for sentence in self.sentences:
            for word in sentence.words:
                for origin in word.origins:
                    self._check_span(origin)
        for account in self.accounts:
            for given in account.sentences:
                self._check_touched(given.into)
        for one in self.contradictions:
            self._check_touched(one.sentences)
            for claim in one.claims:
                self._check_span(claim)

    @property
    def proposals(self) -> tuple[str, ...]:
        """The sentences as they were written."""
        return tuple(sentence.text for sentence in self.sentences)

    @property
    def places(self) -> dict[Place, Given]:
        """All source sentences by where they stand."""
        return {
            Place(account.id, given.number): given
            for account in self.accounts
            for given in account.sentences
        }

    def parents(self, index: int) -> list[Given]:
        """The source sentences that a proposed sentence was made of."""
        return [
            given
            for account in self.accounts
            for given in account.sentences
            if index in given.into and given.fate in ("merged", "kept")
        ]

    def only(self, index: int) -> Content:
        """One sentence with its own sources and its neighbours, as an item by itself."""
        disputes = [one for one in self.contradictions if index in one.sentences]
        spans = [origin for word in self.sentences[index].words for origin in word.origins]
        wanted = {(span.account, span.sentence) for span in spans}
        wanted |= {(claim.account, claim.sentence) for one in disputes for claim in one.claims}
        wanted |= {
            (number, place)
            for number, account in enumerate(self.accounts)
            for place, given in enumerate(account.sentences)
            if index in given.into
        }
        part = _Part(self, wanted)
        sentence = self.sentences[index]
        words = tuple(
            Word(word.start, word.end, tuple(map(part.origin, word.origins)))
            for word in sentence.words
        )
        neighbours = ("", *self.proposals, "")
        return Content(
            (Proposed(sentence.text, words, opens=True),),
            part.accounts(index),
            tuple(
                Differing(one.kind, one.why, (0,), tuple(map(part.claim, one.claims)))
                for one in disputes
            ),
            neighbours[index],
            neighbours[index + 2],
        )

    def _check_span(self, span: Origin | Claimed) -> None:
        if not (
            0 <= span.account < len(self.accounts)
            and 0 <= span.sentence < len(self.accounts[span.account].sentences)
        ):
            raise ValueError(f"no source sentence {span.sentence} of account {span.account}")
        text = self.accounts[span.account].sentences[span.sentence].text
        if not 0 <= span.start <= span.end <= len(text):
            raise ValueError(f"{span.start}..{span.end} lies outside its source sentence")

    def _check_touched(self, indices: Iterable[int]) -> None:
        for index in indices:
            if not 0 <= index < len(self.sentences):
                raise ValueError(f"sentence {index} is not in the text ({len(self.sentences)})")


class _Part:
    """Some of the source sentences, and their numbers in a smaller item."""

    def __init__(self, content: Content, wanted: set[tuple[int, int]]) -> None:
        self._content = content
        self._kept: dict[int, list[int]] = {}
        for account, sentence in sorted(wanted):
            self._kept.setdefault(account, []).append(sentence)
        self._account = {account: number for number, account in enumerate(self._kept)}

    def accounts(self, index: int) -> tuple[SourceAccount, ...]:
        return tuple(
            replace(
                self._content.accounts[account],
                sentences=tuple(
                    replace(given, into=(0,) if index in given.into else ())
                    for given in map(self._content.accounts[account].sentences.__getitem__, kept)
                ),
            )
            for account, kept in self._kept.items()
        )

    def origin(self, origin: Origin) -> Origin:
        account, sentence = self._place(origin)
        return replace(origin, account=account, sentence=sentence)

    def claim(self, claim: Claimed) -> Claimed:
        account, sentence = self._place(claim)
        return replace(claim, account=account, sentence=sentence)

    def _place(self, span: Origin | Claimed) -> tuple[int, int]:
        return self._account[span.account], self._kept[span.account].index(span.sentence)


def _check_words(words: Sequence[Word], length: int) -> None:
    position = 0
    for word in words:
        if not position <= word.start <= word.end <= length:
            raise ValueError(f"word {word.start}..{word.end} is out of order or outside its text")
        position = word.end
