"""What would keep a campaign from working as it is set, said before people find out."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from tatian.workbench.campaigns import terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import Settings
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import items


def warnings(connection: Connection, campaign: Campaign) -> list[str]:
    """What those who run a campaign should mend before people work in it, a line each."""
    counts = _counts(connection, campaign)
    return [*_of_items(counts, campaign.settings), *_of_settings(campaign.settings)]


def _counts(connection: Connection, campaign: Campaign) -> dict[tuple[int, bool], int]:
    """How many items are not retired, by their stage and whether they are hidden tests."""
    found = (
        select(items.c.stage, items.c.test, func.count())
        .where(items.c.campaign == campaign.id, items.c.retired.is_(False))
        .group_by(items.c.stage, items.c.test)
    )
    return {(stage, test): count for stage, test, count in connection.execute(found)}


def _of_items(counts: dict[tuple[int, bool], int], settings: Settings) -> Iterator[str]:
    if not counts:
        yield "there are no items: nobody has anything to do"
        return
    for at, stage in enumerate(settings.stages):
        if not counts.get((at, False)):
            yield f"stage '{stage.name}' has no items ('stages' in its settings)"
    tests = sum(count for (_, test), count in counts.items() if test)
    if settings.test_every and not tests:
        yield (
            f"one in {settings.test_every:,} items is to be a hidden test, and there is none "
            "('test_every' in its settings)"
        )
    if settings.test_mark is not None and not tests:
        yield (
            "nobody can be excluded by hidden tests, as there is none ('test_mark' in its settings)"
        )
    if tests and not settings.test_every:
        what = "a hidden test is" if tests == 1 else f"{tests:,} hidden tests are"
        yield f"{what} never given out ('test_every' in its settings is 0)"


def _of_settings(settings: Settings) -> Iterator[str]:
    for name in ("consent", "requirements"):
        text = getattr(settings, name)
        if text and not text.strip():
            yield f"the text of '{name}' in its settings is blank: nobody is asked to agree to it"
    if terms.unsaid(settings):
        yield terms.UNSAID
    if settings.deadline is not None and settings.deadline <= now():
        yield "the deadline has passed: nothing is given out ('deadline' in its settings)"
