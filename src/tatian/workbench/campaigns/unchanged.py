"""Figures that hold while a campaign's answers stay what they are, so that they are made once.

Answers are only ever added, and whatever else decides which of them count, and whose they are, is
in the audit log: counting both tells, in a few milliseconds, whether anything can have changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, func, select

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.records import with_few
from tatian.workbench.storage.tables import answers, audit

T = TypeVar("T")
_HARMLESS = (
    "adjudication.decide", "adjudication.rule", "annotator.advance", "annotator.consent",
    "annotator.enter", "annotator.finish", "annotator.link", "answer.correct", "answer.unscored",
    "guidelines.add", "invitation.create", "invitation.revoke", "item.change", "item.return",
    "items.abandoned", "items.add", "items.suggest",
)  # fmt: skip
"""Logged actions after which the same answers count as before, or which come with a new one."""


def rules(connection: Connection, campaign: Campaign) -> Any:
    """Differs from before where other answers may count, apart from new ones."""
    logged = (
        select(func.count())
        .select_from(audit)
        .where(audit.c.campaign == campaign.id, audit.c.action.not_in(_HARMLESS))
    )
    few = with_few(connection, campaign)
    return campaign.last, campaign.settings.least, connection.execute(logged).scalar(), few


class Kept(Generic[T]):
    """The last values that were made, each good until answers come or go; safe to share."""

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._found: WeakKeyDictionary[Engine, OrderedDict[Hashable, tuple[Any, T]]]
        self._found = WeakKeyDictionary()
        self._turn = threading.Lock()

    def get(
        self, connection: Connection, campaign: Campaign, more: Hashable, make: Callable[[], T]
    ) -> T:
        """What was made for this campaign and `more` if it still holds, or else made now."""
        key = (campaign.id, more)
        counted = select(func.count()).where(answers.c.campaign == campaign.id)
        # Read before anything is made: what comes in between is then seen the next time.
        stamp = (connection.execute(counted).scalar(), rules(connection, campaign))
        with self._turn:
            known = self._found.setdefault(connection.engine, OrderedDict())
            if key in known and known[key][0] == stamp:
                known.move_to_end(key)
                return known[key][1]
        value = make()
        with self._turn:
            known[key] = (stamp, value)
            known.move_to_end(key)
            while len(known) > self._most:
                known.popitem(last=False)
        return value
