"""What mergers that weigh several wordings against each other pass around."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from msgspec import Struct

from tatian.text import WovenToken
from tatian.union.models import Passage


class Candidate(Struct, frozen=True):
    """One way to say what some passages say."""

    tokens: tuple[WovenToken, ...]
    origin: str
    """The model that proposed it."""
    score: float
    """How good that model thinks it is; comparable within one model and pair only."""
    natural: float = 0.0
    """How natural a trained model finds the wording, from 0 (very) down; -inf: not asked."""


class Proposer(ABC):
    """A merger that can be asked for several wordings of one union, best first.

    One says so by deriving from this class; a method of the same name means nothing.
    """

    @abstractmethod
    def propose(self, passages: Sequence[Passage]) -> list[Candidate]:
        """At least one candidate for any passages."""
