"""What reviewers of a woven text answer: a verdict on each sentence, and what should be in it.

The answer of a `tatian.text.records.Record`: ``Record[Review]``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, get_args

from msgspec import Struct

from tatian.consolidation.result import Place
from tatian.errors import InputError

Verdict = Literal["accept", "edit", "reject"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
Reason = Literal["unsupported", "loses", "repeats", "reads-badly", "contradiction", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)
"""It says what no source says, loses something, says something twice, reads badly, hides that
sources contradict each other; or something else, which the note then tells."""
LONGEST = 5_000
"""Characters of one edited sentence or note."""


class SentenceReview(Struct, frozen=True, omit_defaults=True):
    """What one reviewer makes of one sentence."""

    verdict: Verdict
    text: str = ""
    """The sentence as it should be; of edits only."""
    reason: Reason | None = None
    """Why it is rejected; of rejections only."""
    note: str = ""

    def __post_init__(self) -> None:
        if (self.verdict == "edit") != bool(self.text.strip()):
            raise ValueError("an edited sentence has a text, and no other has")
        if (self.verdict == "reject") != (self.reason is not None):
            raise ValueError("a rejected sentence has a reason, and no other has")
        if self.reason == "other" and not self.note.strip():
            raise ValueError("another reason than those listed needs a note that tells it")
        if max(len(self.text), len(self.note)) > LONGEST:
            raise ValueError(f"a text or note of more than {LONGEST:,} characters")

    def result(self, proposal: str) -> str | None:
        """The sentence after the review; None where it is rejected."""
        if self.verdict == "reject":
            return None
        return self.text if self.verdict == "edit" else proposal


class Review(Struct, frozen=True, omit_defaults=True):
    """All that one reviewer says of one woven text."""

    sentences: tuple[SentenceReview, ...]
    """One for each sentence of the text, in order."""
    missing: tuple[Place, ...] = ()
    """Sentences of the accounts that the text should say and does not."""

    def __post_init__(self) -> None:
        if len(set(self.missing)) != len(self.missing):
            raise ValueError("a source sentence is called missing twice")

    def check(self, proposals: Sequence[str], places: Collection[Place]) -> None:
        """Refuse a review that does not fit the text and the source sentences it is about."""
        if len(self.sentences) != len(proposals):
            raise InputError(
                f"{len(self.sentences)} verdicts on {len(proposals)} sentences: judge each of them"
            )
        for number, (one, proposal) in enumerate(zip(self.sentences, proposals, strict=True), 1):
            if one.verdict == "edit" and one.text.split() == proposal.split():
                raise InputError(f"sentence {number} is edited, but no word of it is changed")
        for place in self.missing:
            if place not in places:
                raise InputError(
                    f"no source sentence {place.sentence} in the account '{place.document}'"
                )
