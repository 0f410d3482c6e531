"""A model's suggestions for items: asked for on a page or by a program, made while nobody waits.

What goes wrong then is told in the audit log.
"""

from __future__ import annotations

import threading

from sqlalchemy import Connection, func, select
from starlette.background import BackgroundTask

from tatian.errors import TatianError
from tatian.workbench.campaigns import audit, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.storage import tables
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import tasks


class Suggesting:
    """The campaigns of one server that a model is at work on: each once at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: set[str] = set()

    def begin(self, database: Database, campaign: Campaign, actor: str) -> BackgroundTask | None:
        """The work to do once the answer is out; None where it is under way already."""
        with self._lock:
            if campaign.id in self._under_way:
                return None
            self._under_way.add(campaign.id)
        return BackgroundTask(self._work, database, campaign, actor)

    def under_way(self, campaign: Campaign) -> bool:
        """Whether a model is at work on a campaign."""
        with self._lock:
            return campaign.id in self._under_way

    def _work(self, database: Database, campaign: Campaign, actor: str) -> None:
        try:
            items.suggest(database, campaign, tasks.create(campaign.task), actor)
        except TatianError as error:
            detail = {"problem": str(error)[:500]}
            with database.writing() as connection:
                audit.note(connection, actor, "items.suggest_failed", campaign.id, "", detail)
        finally:
            with self._lock:
                self._under_way.discard(campaign.id)


def missing(connection: Connection, campaign: Campaign) -> int:
    """How many items have no suggestion; 0 where the campaign shows none."""
    if campaign.settings.suggestions == "none":
        return 0
    without = (tables.items.c.suggestion.is_(None), ~tables.items.c.retired)
    chosen = select(func.count()).select_from(tables.items)
    chosen = chosen.where(tables.items.c.campaign == campaign.id, *without)
    return connection.execute(chosen).scalar_one()
