"""What a person decides about a woven text: values that `editor.apply` redoes on any weave.

One that no longer applies is passed over and says why. No model is asked when they are redone: what
one had to say stands in the decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.result import Account, Consolidation, SourceSentence
from tatian.workbench.desk.manuscript import Line, Manuscript, Words
from tatian.workbench.desk.points import dispute_id
from tatian.workbench.desk.sheet import put_together


class DecisionKind(
    Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True
):
    """One kind of change to a text."""


class Drop(DecisionKind, frozen=True, tag="drop"):
    """A sentence leaves the text."""

    sentence: str


class Tell(DecisionKind, frozen=True, tag="tell"):
    """A sentence of an account is told too, or again; beside its neighbours unless said where."""

    source: str
    after: str | None = None
    """The sentence that it follows; empty for the start."""


class Exclude(DecisionKind, frozen=True, tag="exclude"):
    """A sentence of an account is not part of the story."""

    source: str


class Move(DecisionKind, frozen=True, tag="move"):
    """A sentence is told elsewhere."""

    sentence: str
    after: str
    """The sentence that it follows; empty for the start."""
    opens: bool = False
    """Whether it begins a paragraph there."""


class Reword(DecisionKind, frozen=True, tag="word"):
    """A sentence is told in other words, which are not the person's own."""

    sentence: str
    wording: str
    """Which one was chosen."""
    words: Words
    origins: tuple[str, ...]
    """The sentences of accounts that the words are of."""


class Split(DecisionKind, frozen=True, tag="split"):
    """One sentence becomes two, the second from the word at an offset on."""

    sentence: str
    at: int


class Retype(DecisionKind, frozen=True, tag="edit"):
    """A person types a sentence anew; words that stay keep their sources."""

    sentence: str
    text: str


class WriteIn(DecisionKind, frozen=True, tag="write"):
    """A person adds a sentence of their own."""

    after: str
    text: str
    opens: bool = False


class Settle(DecisionKind, frozen=True, tag="settle"):
    """What the text says where accounts differ: both, one of them, or what a person writes."""

    dispute: str
    how: Literal["both", "one", "write"]
    claim: int = 0
    """Which of the claims is chosen."""
    attribute: bool = False
    """Whether the text names the source of the one that is chosen."""
    text: str = ""
    """What stands in place of them; without it, each with its source."""


class DifferingPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """Some words of an account, by which they are found again where it was edited."""

    account: str
    start: int
    end: int
    words: str = ""


class Differ(DecisionKind, frozen=True, tag="differ"):
    """Two accounts disagree where the weave has found no disagreement."""

    places: tuple[DifferingPlace, DifferingPlace]


class Shorten(DecisionKind, frozen=True, tag="length"):
    """The text is woven in about so many words; null for everything."""

    words: int | None


class Entitle(DecisionKind, frozen=True, tag="headline"):
    """The text gets another title; none where it is empty."""

    text: str


Decision = (
    Drop
    | Tell
    | Exclude
    | Move
    | Reword
    | Split
    | Retype
    | WriteIn
    | Settle
    | Differ
    | Shorten
    | Entitle
)


class MadeDecision(Struct, frozen=True, omit_defaults=True):
    """A decision as it is kept."""

    number: int
    decision: Decision
    at: int = 0
    said: dict[str, str] = {}
    """What the sentences of accounts said that it refers to, by which they are found again."""


class Effect(Struct, frozen=True):
    """Whether a decision applies to the present text, or why not."""

    number: int
    why: str = ""

    @property
    def applies(self) -> bool:
        """Whether it does."""
        return not self.why


class Edited(Struct, frozen=True, dict=True):
    """A woven text with what was decided about it."""

    manuscript: Manuscript
    lines: tuple[Line, ...]
    """Its sentences, in order."""
    fates: Mapping[str, SourceSentence]
    """What became of every sentence of the accounts, by its id."""
    accounts: tuple[Account, ...]
    title: str | None
    effects: tuple[Effect, ...]
    """Of each decision."""
    touched: Mapping[str, int]
    """Sentences of accounts that something was decided about, and the last decision."""
    settled: Mapping[str, Settle]
    """Disputes, by id, and how they were settled."""
    length: int | None = None
    """The length that is wanted."""

    @cached_property
    def consolidation(self) -> Consolidation:
        """The text as every export takes it: without the disputes that it settles."""
        made = put_together(self.manuscript, self.lines, self.fates, self.accounts, self.title)
        gone = {id for id, one in self.settled.items() if one.how != "both"}
        left = tuple(one for one in made.contradictions if dispute_id(one) not in gone)
        return replace(made, contradictions=left)


def mentioned(decision: Decision) -> list[str]:
    """The ids of sentences that a decision refers to."""
    ids = [getattr(decision, name, None) for name in ("sentence", "source", "after")]
    return [id for id in ids if id]
