"""What mergers that weigh several wordings against each other pass around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

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
    """How natural a trained model finds the wording, from 0 (very) down; 0 where none was asked."""


@runtime_checkable
class Proposer(Protocol):
    """Offers several wordings of one union, best first."""

    def propose(self, passages: Sequence[Passage]) -> list[Candidate]:
        """At least one candidate for any passages."""
        ...
