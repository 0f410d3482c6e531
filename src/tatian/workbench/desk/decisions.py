"""Decisions of a user about a consolidated text, which `editor.apply_decisions` applies.

They are stored, and applied again after each consolidation. They need no model, since they contain
all words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from tatian.consolidation.result import Account, Consolidation, SourceSentence
from tatian.workbench.desk.conflicts import conflict_id
from tatian.workbench.desk.manuscript import Line, Manuscript, Words
from tatian.workbench.desk.output import to_consolidation


class DecisionKind(
    Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True
):
    """One kind of change to a text."""


class Drop(DecisionKind, frozen=True, tag="drop"):
    """Remove a sentence from the text."""

    sentence: str


class AddSentence(DecisionKind, frozen=True, tag="tell"):
    """Add or restore a source sentence, by default next to its neighbours in the source."""

    source: str
    after: str | None = None
    """Id of the sentence that it follows; empty for the start."""


class Exclude(DecisionKind, frozen=True, tag="exclude"):
    """Exclude a source sentence from the story."""

    source: str


class Move(DecisionKind, frozen=True, tag="move"):
    """Move a sentence."""

    sentence: str
    after: str
    """Id of the sentence that it follows; empty for the start."""
    opens: bool = False
    """True if it opens a paragraph there."""


class Reword(DecisionKind, frozen=True, tag="word"):
    """Replace the words of a sentence by an offered wording."""

    sentence: str
    wording: str
    """Key of the wording that was chosen."""
    words: Words
    origins: tuple[str, ...]
    """Ids of the source sentences that the words come from."""


class Split(DecisionKind, frozen=True, tag="split"):
    """Split a sentence in two; the second begins with the word at an offset."""

    sentence: str
    at: int


class Retype(DecisionKind, frozen=True, tag="edit"):
    """Replace a sentence by text that a person typed; unchanged words keep their sources."""

    sentence: str
    text: str


class WriteSentence(DecisionKind, frozen=True, tag="write"):
    """Insert a sentence that a person wrote."""

    after: str
    text: str
    opens: bool = False


class Settle(DecisionKind, frozen=True, tag="settle"):
    """Resolve a conflict: keep both claims, choose one, or write something else."""

    conflict: str = field(name="dispute")
    """Id of the conflict."""
    how: Literal["both", "one", "write"]
    claim: int = 0
    """Index of the chosen claim."""
    attribute: bool = False
    """True to name the source of the chosen claim in the text."""
    text: str = ""
    """Text that replaces the claims; if empty, all claims with their sources."""


class ConflictPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of a source with their offsets; after an edit of the source, the words locate it."""

    account: str
    start: int
    end: int
    words: str = ""


class MarkConflict(DecisionKind, frozen=True, tag="differ"):
    """Mark two passages as a conflict that consolidation did not find."""

    places: tuple[ConflictPlace, ConflictPlace]


class SetLength(DecisionKind, frozen=True, tag="length"):
    """Set the length of the text in words; None for no limit."""

    words: int | None


class SetTitle(DecisionKind, frozen=True, tag="headline"):
    """Set the title of the text; empty for none."""

    text: str


Decision = (
    Drop
    | AddSentence
    | Exclude
    | Move
    | Reword
    | Split
    | Retype
    | WriteSentence
    | Settle
    | MarkConflict
    | SetLength
    | SetTitle
)


class StoredDecision(Struct, frozen=True, omit_defaults=True):
    """A decision as it is stored."""

    number: int
    decision: Decision
    at: int = 0
    sentence_texts: dict[str, str] = field(default_factory=dict, name="said")
    """Texts of the source sentences that it refers to, by id, to find them after an edit."""


class Effect(Struct, frozen=True):
    """Effect of a decision on the current text."""

    number: int
    """Number of the decision."""
    why: str = ""
    """Reason why it does not apply; empty if it does."""

    @property
    def applies(self) -> bool:
        """True if the decision applies."""
        return not self.why


class EditedText(Struct, frozen=True, dict=True):
    """A consolidated text with decisions applied to it."""

    manuscript: Manuscript
    lines: tuple[Line, ...]
    """Sentences of the text, in order."""
    outcomes: Mapping[str, SourceSentence]
    """Outcome of every source sentence, by its id."""
    sources: tuple[Account, ...]
    title: str | None
    effects: tuple[Effect, ...]
    """One for each decision."""
    last_decisions: Mapping[str, int]
    """Number of the last decision about a source sentence, by its id."""
    settled: Mapping[str, Settle]
    """Decisions that settle conflicts, by conflict id."""
    length: int | None = None
    """Target length in words; None for no limit."""

    @cached_property
    def consolidation(self) -> Consolidation:
        """The text for export, without settled conflicts."""
        consolidated = to_consolidation(
            self.manuscript, self.lines, self.outcomes, self.sources, self.title
        )
        resolved = {id for id, settling in self.settled.items() if settling.how != "both"}
        left = tuple(
            conflict
            for conflict in consolidated.contradictions
            if conflict_id(conflict) not in resolved
        )
        return replace(consolidated, contradictions=left)


def sentence_ids(decision: Decision) -> list[str]:
    """Return the ids of the sentences that a decision refers to."""
    ids = [getattr(decision, name, None) for name in ("sentence", "source", "after")]
    return [id for id in ids if id]
