"""Progress of a campaign and its people, and warnings about its settings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct
from sqlalchemy import Connection, Subquery, bindparam, case, exists, func, or_, select

from tatian.workbench.campaigns import terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import list_people as annotators_of
from tatian.workbench.campaigns.times import Times, times
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import annotators, answers, assignments, items, uncorrected


class StageStatus(Struct, frozen=True):
    """A stage: its items and the people in it now."""

    name: str
    items: int
    """Without retired ones and hidden tests."""
    tests: int
    annotators: int
    done: int
    """Answered assignments, including tests."""


class PersonStatus(Struct, frozen=True):
    """Work of one annotator. The name is personal data; exports of answers have only the id."""

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
    """Total seconds of work on answered items."""
    median_seconds: float | None
    test_score: float | None
    """Mean over hidden tests."""
    training_score: float | None


class Status(Struct, frozen=True):
    """Summary of a campaign; the figures are of production, without tests."""

    campaign: str
    state: str
    items: int
    retired: int
    wanted: int
    """Answers wanted over all items: at least those that exist or are in progress. Retired items
    want no more."""
    open: int
    """Items in somebody's hands."""
    done: int
    """Answers of people who were not excluded."""
    complete: int
    """Items with all wanted answers."""
    stages: tuple[StageStatus, ...]
    annotators: tuple[PersonStatus, ...]


class PersonScores(Struct, frozen=True):
    """A person's mean scores, and the number of answers in them."""

    test: float | None = None
    tests: int = 0
    training: float | None = None
    trainings: int = 0


_DONE = (assignments.c.annotator == annotators.c.id) & (assignments.c.state == "done")
_OWN_COUNTS = (
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
"""Built once: every answer runs it."""


class OwnProgress(Struct, frozen=True):
    """Progress that an annotator sees; hidden tests count like other items."""

    done: int
    stage: int
    stages: tuple[str, ...]
    stage_done: int
    stage_total: int | None
    """Items of the stage; in production the most they may do, None if there is no limit."""
    most: int | None


def status(connection: Connection, campaign: Campaign, *, people: bool = True) -> Status:
    """Return all figures of a campaign at one moment; without `people`, nobody's work."""
    by_stage = _items(connection, campaign)
    produced = by_stage.get((campaign.last, False), _Items())
    return plain.struct(
        Status,
        produced,
        campaign=campaign.id,
        state=campaign.state,
        stages=_stages(connection, campaign, by_stage),
        annotators=_people(connection, campaign) if people else (),
    )


def states(connection: Connection, campaign: Campaign) -> dict[str, int]:
    """Return the number of annotators in each state."""
    query = (
        select(annotators.c.state, func.count())
        .where(annotators.c.campaign == campaign.id)
        .group_by(annotators.c.state)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def get_own_progress(connection: Connection, campaign: Campaign, annotator: str) -> OwnProgress:
    """Return the progress of one annotator."""
    at, done, done_here = connection.execute(_OWN_COUNTS, {"who": annotator}).one()
    most = campaign.settings.most
    total = most
    if at < campaign.last:
        mine = exists().where(
            assignments.c.item == items.c.id,
            assignments.c.annotator == annotator,
            assignments.c.state == "done",
        )
        in_stage = select(func.count()).where(
            items.c.campaign == campaign.id, items.c.stage == at, or_(~items.c.retired, mine)
        )
        total = connection.execute(in_stage).scalar_one()
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


def open_assignments(campaign: Campaign) -> Subquery:
    """Return open assignments by item; all others who have `taken` it have answered."""
    return (
        select(assignments.c.item, func.count().label("open"))
        .where(assignments.c.campaign == campaign.id, assignments.c.state == "open")
        .group_by(assignments.c.item)
        .subquery()
    )


def _items(connection: Connection, campaign: Campaign) -> dict[tuple[int, bool], _Items]:
    """Count items by stage and test; `taken` counts open and done, so only open ones are read."""
    now_open = open_assignments(campaign)
    kept = ~items.c.retired
    open_ones = func.coalesce(now_open.c.open, 0)
    done = items.c.taken - open_ones
    counted = items.c.wanted.is_not(None)
    more = kept & (items.c.wanted > items.c.taken)
    wanted = case((more, items.c.wanted), (counted, items.c.taken), else_=None)
    query = (
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
        for stage, test, *figures in connection.execute(query)
    }


def _stages(
    connection: Connection, campaign: Campaign, by_stage: dict[tuple[int, bool], _Items]
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
        usual, tests = (by_stage.get((number, test), _Items()) for test in (False, True))
        done = usual.done + tests.done
        stages.append(
            StageStatus(stage.name, usual.items, tests.items, present.get(number, 0), done)
        )
    return tuple(stages)


def _people(connection: Connection, campaign: Campaign) -> tuple[PersonStatus, ...]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    of_campaign = select(annotators.c.id).where(annotators.c.campaign == campaign.id)
    rows = connection.execute(
        select(assignments.c.annotator, assignments.c.state, func.count())
        .where(assignments.c.annotator.in_(of_campaign))
        .group_by(assignments.c.annotator, assignments.c.state)
    )
    for annotator, state, number in rows:
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
    """Return scores against gold by annotator; of corrected answers the last."""
    these = items.alias()
    marked = or_(these.c.test, these.c.stage < campaign.last)
    with_gold = select(these.c.id).where(these.c.campaign == campaign.id, marked)
    rows = connection.execute(
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
    return {row[0]: PersonScores(*row[1:]) for row in rows}


def warnings(connection: Connection, campaign: Campaign) -> list[str]:
    """Return what should be fixed before people work in a campaign, a line each."""
    counts = {
        key: count.items for key, count in _items(connection, campaign).items() if count.items
    }
    return warnings_for_counts(counts, campaign.settings)


def warnings_for_counts(
    counts: Mapping[tuple[int, bool], int], settings: CampaignSettings
) -> list[str]:
    """Return `warnings` for counts of items by stage and by whether they are hidden tests."""
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
    if terms.lacks_purpose(settings):
        yield terms.UNSAID
    if settings.deadline is not None and settings.deadline <= now():
        yield "the deadline has passed: nothing is given out ('deadline' in its settings)"
