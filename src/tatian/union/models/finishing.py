"""The last touches to a union, whoever wrote it: its joints, and days that are named twice."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.text import WovenToken
from tatian.text.provenance import capitalized
from tatian.union.models import Passage
from tatian.union.models.joints import linked
from tatian.union.models.same_day import said_once


def finished(tokens: Sequence[WovenToken], passages: Sequence[Passage]) -> tuple[WovenToken, ...]:
    """The sentence as it should read; `passages` are all that stand behind its words."""
    once = said_once(tokens, passages)
    return linked(once if once == tuple(tokens) else capitalized(once), passages)
