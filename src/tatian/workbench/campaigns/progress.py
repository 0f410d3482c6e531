"""How far a campaign is, and everybody in it; and what would keep it from working as it is set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct
from sqlalchemy import Connection, Subquery, bindparam, case, exists, func, or_, select

from tatian.workbench.campaigns import terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import listed as annotators_of
from tatian.workbench.campaigns.times import Times, times
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import annotators, answers, assignments, items, uncorrected


class StageStatus(Struct, frozen=True):
    """One stage: its items and the people in it now."""

    name: str
    items: int
    """Without retired ones and hidden tests."""
    tests: int
    annotators: int
    done: int
    """Answered assignments, tests included."""


class PersonStatus(Struct, frozen=True):
    """One annotator's share. The name is personal data; exports of answers have the id only."""

    id: str
    name: str
    external: str | None
    state: str
    stage: int
    created: int
    seen: int
    open: int
    done: int
    returned: int
    void: int
    seconds: float
    """At work on answered items, in all."""
    median_seconds: float | None
    test_score: float | None
    """The mean over hidden tests."""
    training_score: float | None


class Status(Struct, frozen=True):
    """A campaign at a glance; the figures are of production, without tests."""

    campaign: str
    state: str
    items: int
    retired: int
    wanted: int
    """Answers wanted, over all items: of each at least those that are there or being given, and of
    retired ones no more."""
    open: int
    """Items in somebody's hands."""
    done: int
    """Answers there are, of people who were not excluded."""
    complete: int
    """Items that everybody wanted has answered."""
    stages: tuple[StageStatus, ...]
    annotators: tuple[PersonStatus, ...]


class PersonScores(Struct, frozen=True):
    """Somebody's mean scores, and over how many answers."""

    test: float | None = None
    tests: int = 0
    training: float | None = None
    trainings: int = 0


_DONE = (assignments.c.annotator == annotators.c.id) & (assignments.c.state == "done")
_OWN = (
    select(
        annotators.c.stage,
        func.count(assignments.c.id),
        func.count().filter(items.c.stage == annotators.c.stage),
    )
    .select_from(
        annotators.outerjoin(assignments, _DONE).outerjoin(items, assignments.c.item == items.c.id)
    )
    .where(annotators.c.id == bindparam("who"))
    .group_by(annotators.c.stage)
)
"""Made once: every answer asks for it."""


class OwnProgress(Struct, frozen=True):
    """What an annotator sees of their own way; hidden tests count like any other item."""

    done: int
    stage: int
    stages: tuple[str, ...]
    stage_done: int
    stage_total: int | None
    """Items of the stage; in production the most they may do, None where there is no limit."""
    most: int | None


def status(connection: Connection, campaign: Campaign, *, people: bool = True) -> Status:
    """All figures of a campaign, from one consistent look; without `people`, nobody's share."""
    found = _items(connection, campaign)
    produced = found.get((campaign.last, False), _Items())
    return plain.struct(
        Status,
        produced,
        campaign=campaign.id,
        state=campaign.state,
        stages=_stages(connection, campaign, found),
        annotators=_people(connection, campaign) if people else (),
    )


def states(connection: Connection, campaign: Campaign) -> dict[str, int]:
    """How many annotators are in which state."""
    found = (
        select(annotators.c.state, func.count())
        .where(annotators.c.campaign == campaign.id)
        .group_by(annotators.c.state)
    )
    return {row[0]: row[1] for row in connection.execute(found)}


def own(connection: Connection, campaign: Campaign, annotator: str) -> OwnProgress:
    """How far one annotator is."""
    at, done, done_here = connection.execute(_OWN, {"who": annotator}).one()
    most = campaign.settings.most
    total = most
    if at < campaign.last:
        mine = exists().where(
            assignments.c.item == items.c.id,
            assignments.c.annotator == annotator,
            assignments.c.state == "done",
        )
        here = select(func.count()).where(
            items.c.campaign == campaign.id, items.c.stage == at, or_(~items.c.retired, mine)
        )
        total = connection.execute(here).scalar_one()
    names = tuple(stage.name for stage in campaign.settings.stages)
    return OwnProgress(done, at, names, done_here, total, most)


class _Items(Struct, frozen=True):
    """Items of one stage, hidden tests or others, and the work on them."""

    items: int = 0
    """Without retired ones."""
    retired: int = 0
    wanted: int = 0
    open: int = 0
    done: int = 0
    complete: int = 0


def under_way(campaign: Campaign) -> Subquery:
    """Open assignments by item: the rest of those that have `taken` it have answered."""
    return (
        select(assignments.c.item, func.count().label("open"))
        .where(assignments.c.campaign == campaign.id, assignments.c.state == "open")
        .group_by(assignments.c.item)
        .subquery()
    )


def _items(connection: Connection, campaign: Campaign) -> dict[tuple[int, bool], _Items]:
    """An item's `taken` counts open and done ones, so that only the open ones are looked at."""
    now_open = under_way(campaign)
    kept = ~items.c.retired
    open_ones = func.coalesce(now_open.c.open, 0)
    done = items.c.taken - open_ones
    counted = items.c.wanted.is_not(None)
    more = kept & (items.c.wanted > items.c.taken)
    wanted = case((more, items.c.wanted), (counted, items.c.taken), else_=None)
    found = (
        select(
            items.c.stage,
            items.c.test,
            func.count().filter(kept),
            func.count().filter(items.c.retired),
            func.coalesce(func.sum(wanted), 0),
            func.sum(open_ones),
            func.sum(done),
            func.count().filter(done >= items.c.wanted, kept),
        )
        .select_from(items.outerjoin(now_open, items.c.id == now_open.c.item))
        .where(items.c.campaign == campaign.id)
        .group_by(items.c.stage, items.c.test)
    )
    return {
        (stage, bool(test)): _Items(*(int(figure) for figure in figures))
        for stage, test, *figures in connection.execute(found)
    }


def _stages(
    connection: Connection, campaign: Campaign, found: dict[tuple[int, bool], _Items]
) -> tuple[StageStatus, ...]:
    rows = connection.execute(
        select(annotators.c.stage, func.count())
        .where(annotators.c.campaign == campaign.id)
        .where(annotators.c.state.in_(("active", "finished")))
        .group_by(annotators.c.stage)
    )
    present = {row[0]: row[1] for row in rows}
    stages = []
    for number, stage in enumerate(campaign.settings.stages):
        usual, tests = (found.get((number, test), _Items()) for test in (False, True))
        done = usual.done + tests.done
        stages.append(
            StageStatus(stage.name, usual.items, tests.items, present.get(number, 0), done)
        )
    return tuple(stages)


def _people(connection: Connection, campaign: Campaign) -> tuple[PersonStatus, ...]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    here = select(annotators.c.id).where(annotators.c.campaign == campaign.id)
    found = connection.execute(
        select(assignments.c.annotator, assignments.c.state, func.count())
        .where(assignments.c.annotator.in_(here))
        .group_by(assignments.c.annotator, assignments.c.state)
    )
    for annotator, state, number in found:
        counts[annotator][state] = number
    lengths: defaultdict[str, Times] = defaultdict(Times)
    for kind, taken in times(connection, campaign).items():
        lengths[kind.annotator] |= taken
    scored = scores(connection, campaign)
    unscored = PersonScores()
    return tuple(
        plain.struct(
            PersonStatus,
            person,
            **{state: counts[person.id][state] for state in ("open", "done", "returned", "void")},
            seconds=lengths[person.id].seconds,
            median_seconds=lengths[person.id].median,
            test_score=scored.get(person.id, unscored).test,
            training_score=scored.get(person.id, unscored).training,
        )
        for person in annotators_of(connection, campaign)
    )


def scores(connection: Connection, campaign: Campaign) -> dict[str, PersonScores]:
    """How people did against gold, by annotator; of corrected answers the last."""
    these = items.alias()
    marked = or_(these.c.test, these.c.stage < campaign.last)
    with_gold = select(these.c.id).where(these.c.campaign == campaign.id, marked)
    found = connection.execute(
        select(
            answers.c.annotator,
            func.avg(answers.c.score).filter(items.c.test),
            func.count(answers.c.score).filter(items.c.test),
            func.avg(answers.c.score).filter(~items.c.test),
            func.count(answers.c.score).filter(~items.c.test),
        )
        .select_from(items.join(answers, answers.c.item == items.c.id))
        .where(answers.c.campaign == campaign.id, answers.c.item.in_(with_gold))
        .where(answers.c.score.is_not(None), uncorrected)
        .group_by(answers.c.annotator)
    )
    return {row[0]: PersonScores(*row[1:]) for row in found}


def warnings(connection: Connection, campaign: Campaign) -> list[str]:
    """What those who run a campaign should mend before people work in it, a line each."""
    counts = {of: found.items for of, found in _items(connection, campaign).items() if found.items}
    return unready(counts, campaign.settings)


def unready(counts: Mapping[tuple[int, bool], int], settings: CampaignSettings) -> list[str]:
    """As `warnings`, of so many items by their stage and whether they are hidden tests."""
    return [*_of_items(counts, settings), *_of_settings(settings)]


def _of_items(counts: Mapping[tuple[int, bool], int], settings: CampaignSettings) -> Iterator[str]:
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


def _of_settings(settings: CampaignSettings) -> Iterator[str]:
    for name in ("consent", "requirements"):
        text = getattr(settings, name)
        if text and not text.strip():
            yield f"the text of '{name}' in its settings is blank: nobody is asked to agree to it"
    if terms.unsaid(settings):
        yield terms.UNSAID
    if settings.deadline is not None and settings.deadline <= now():
        yield "the deadline has passed: nothing is given out ('deadline' in its settings)"
