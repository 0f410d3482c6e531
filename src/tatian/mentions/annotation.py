"""What labelers answer when they detect mentions, and when they confirm those of others.

The two rounds of the mention benchmark (§3 and its appendix), as the answers of a
`tatian.text.records.Record`: ``Record[Detection]``, ``Record[Confirmation]``.
"""

from __future__ import annotations

import re

from msgspec import Struct

from tatian.errors import InputError
from tatian.text import Span

_LIST = re.compile(r"(?:lists?|outline|timeline|glossary) of |index of .* articles$")
"""What Wikipedia calls its list pages; "Index of dispersion" is an article."""


class LinkedTerm(Span, frozen=True, order=True):
    """A term where it stands in the text, and the Wikipedia title that it means."""

    term: str
    title: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.term) != len(self):
            raise ValueError(f"'{self.term}' is not as long as {self.start}..{self.end}")
        if not self.term.strip():
            raise ValueError("a term without letters")
        _refuse_title(self.title)

    def check(self, text: str) -> None:
        """Refuse a term that does not stand at its place in `text`."""
        if self.of(text) != self.term:
            raise InputError(
                f"the text has '{self.of(text)}' at {self.start}..{self.end}, not '{self.term}'"
            )


class Detection(Struct, frozen=True):
    """All terms that one labeler found in one text, in the order of the text."""

    mentions: tuple[LinkedTerm, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.mentions)) != len(self.mentions):
            raise ValueError("the same term, place and title twice")
        if list(self.mentions) != sorted(self.mentions, key=lambda one: (one.start, one.end)):
            raise ValueError("terms must stand in the order of the text")

    def check(self, text: str) -> None:
        """Refuse an answer that does not fit the text it is about."""
        for mention in self.mentions:
            mention.check(text)


class Verdict(Struct, frozen=True):
    """Yes or no to one candidate."""

    mention: LinkedTerm
    confirmed: bool


class Confirmation(Struct, frozen=True):
    """One labeler's verdicts on all candidates of one text."""

    verdicts: tuple[Verdict, ...]

    def __post_init__(self) -> None:
        if len(self.judged) != len(self.verdicts):
            raise ValueError("two verdicts on one candidate")

    @property
    def judged(self) -> frozenset[LinkedTerm]:
        """The candidates that were shown."""
        return frozenset(verdict.mention for verdict in self.verdicts)

    @property
    def confirmed(self) -> frozenset[LinkedTerm]:
        """The candidates that the labeler accepts."""
        return frozenset(verdict.mention for verdict in self.verdicts if verdict.confirmed)


def _refuse_title(title: str) -> None:
    """Appendix, technical guideline 3: no sections, lists or disambiguation pages."""
    plain = " ".join(title.replace("_", " ").lower().split())
    if not plain:
        raise ValueError("a term without a Wikipedia title")
    if "#" in plain:
        raise ValueError(f"'{title}' is a section of a page: link the page")
    if _LIST.match(plain):
        raise ValueError(f"'{title}' is a list: link the thing itself")
    if plain.endswith("(disambiguation)"):
        raise ValueError(f"'{title}' is a disambiguation page: link the meaning")
