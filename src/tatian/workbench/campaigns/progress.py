"""Progress of a campaign and its annotators, and warnings about its settings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct
from sqlalchemy import Connection, Subquery, bindparam, case, exists, func, or_, select

from tatian.workbench.campaigns import terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import list_people as annotators_of
from tatian.workbench.campaigns.times import Times, read_times
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import count_rows, now
from tatian.workbench.storage.tables import annotators, answers, assignments, items, uncorrected


class StageStatus(Struct, frozen=True):
    """Items and people of a stage."""

    name: str
    items: int
    """Number of items, without retired ones and hidden tests."""
    tests: int
    annotators: int
    done: int
    """Answered assignments, including tests."""


class PersonStatus(Struct, frozen=True):
    """Work of one annotator; `name` and `external` are personal data."""

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
    """Summary of a campaign; the figures are of production items, without tests."""

    campaign: str
    state: str
    items: int
    retired: int
    wanted: int
    """Answers wanted to all items; for retired items, those that exist or are in progress."""
    open: int
    """Assignments in progress."""
    done: int
    """Answers by people who were not excluded."""
    complete: int
    """Items with all wanted answers."""
    stages: tuple[StageStatus, ...]
    annotators: tuple[PersonStatus, ...]


class PersonScores(Struct, frozen=True):
    """A person's mean scores on hidden tests and training, with the numbers of answers."""

    test: float | None = None
    tests: int = 0
    training: float | None = None
    trainings: int = 0


_IS_DONE = (assignments.c.annotator == annotators.c.id) & (assignments.c.state == "done")
_OWN_COUNTS = (
    select(
        annotators.c.stage,
        func.count(assignments.c.id),
        func.count().filter(items.c.stage == annotators.c.stage),
    )
    .select_from(
        annotators.outerjoin(assignments, _IS_DONE).outerjoin(
            items, assignments.c.item == items.c.id
        )
    )
    .where(annotators.c.id == bindparam("annotator_id"))
    .group_by(annotators.c.stage)
)
"""Built once, as every answer runs it."""


class OwnProgress(Struct, frozen=True):
    """Progress that an annotator sees; hidden tests count like other items."""

    done: int
    stage: int
    stages: tuple[str, ...]
    stage_done: int
    stage_total: int | None
    """Items of the stage; in production `most`."""
    most: int | None
    """Maximum number of items per person; None for no limit."""


def read_status(connection: Connection, campaign: Campaign, *, people: bool = True) -> Status:
    """Return the summary of a campaign; without `people`, its `annotators` are empty."""
    by_stage = _count_items(connection, campaign)
    production = by_stage.get((campaign.last, False), _ItemCounts())
    return codec.to_struct(
        Status,
        production,
        campaign=campaign.id,
        state=campaign.state,
        stages=_summarise_stages(connection, campaign, by_stage),
        annotators=_summarise_people(connection, campaign) if people else (),
    )


def count_states(connection: Connection, campaign: Campaign) -> dict[str, int]:
    """Return the number of annotators in each state."""
    query = (
        select(annotators.c.state, func.count())
        .where(annotators.c.campaign == campaign.id)
        .group_by(annotators.c.state)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def get_own_progress(connection: Connection, campaign: Campaign, annotator: str) -> OwnProgress:
    """Return the progress of one annotator."""
    stage, done, done_here = connection.execute(_OWN_COUNTS, {"annotator_id": annotator}).one()
    limit = campaign.settings.most
    total = limit
    if stage < campaign.last:
        answered_by_them = exists().where(
            assignments.c.item == items.c.id,
            assignments.c.annotator == annotator,
            assignments.c.state == "done",
        )
        is_in_stage = (items.c.campaign == campaign.id) & (items.c.stage == stage)
        is_available = ~items.c.retired | answered_by_them
        total = count_rows(connection, items, is_in_stage, is_available)
    names = tuple(stage.name for stage in campaign.settings.stages)
    return OwnProgress(done, stage, names, done_here, total, limit)


class _ItemCounts(Struct, frozen=True):
    """Counts of the hidden tests or the other items of one stage, and of the work on them."""

    items: int = 0
    """Number of items that are not retired."""
    retired: int = 0
    wanted: int = 0
    open: int = 0
    done: int = 0
    complete: int = 0


def open_assignments(campaign: Campaign) -> Subquery:
    """Return the number of open assignments by item."""
    return (
        select(assignments.c.item, func.count().label("open"))
        .where(assignments.c.campaign == campaign.id, assignments.c.state == "open")
        .group_by(assignments.c.item)
        .subquery()
    )


def _count_items(connection: Connection, campaign: Campaign) -> dict[tuple[int, bool], _ItemCounts]:
    """Count items by stage and test; an item's `taken` counts its open and done assignments."""
    open_by_item = open_assignments(campaign)
    is_active = ~items.c.retired
    open_count = func.coalesce(open_by_item.c.open, 0)
    done = items.c.taken - open_count
    has_limit = items.c.wanted.is_not(None)
    wants_more = is_active & (items.c.wanted > items.c.taken)
    wanted = case((wants_more, items.c.wanted), (has_limit, items.c.taken), else_=None)
    query = (
        select(
            items.c.stage,
            items.c.test,
            func.count().filter(is_active),
            func.count().filter(items.c.retired),
            func.coalesce(func.sum(wanted), 0),
            func.sum(open_count),
            func.sum(done),
            func.count().filter(done >= items.c.wanted, is_active),
        )
        .select_from(items.outerjoin(open_by_item, items.c.id == open_by_item.c.item))
        .where(items.c.campaign == campaign.id)
        .group_by(items.c.stage, items.c.test)
    )
    return {
        (stage, bool(test)): _ItemCounts(*(int(figure) for figure in figures))
        for stage, test, *figures in connection.execute(query)
    }


def _summarise_stages(
    connection: Connection, campaign: Campaign, by_stage: dict[tuple[int, bool], _ItemCounts]
) -> tuple[StageStatus, ...]:
    rows = connection.execute(
        select(annotators.c.stage, func.count())
        .where(annotators.c.campaign == campaign.id)
        .where(annotators.c.state.in_(("active", "finished")))
        .group_by(annotators.c.stage)
    )
    people_in_stage = {row[0]: row[1] for row in rows}
    stages = []
    for number, stage in enumerate(campaign.settings.stages):
        regular, tests = (by_stage.get((number, test), _ItemCounts()) for test in (False, True))
        people, done = people_in_stage.get(number, 0), regular.done + tests.done
        stages.append(StageStatus(stage.name, regular.items, tests.items, people, done))
    return tuple(stages)


def _summarise_people(connection: Connection, campaign: Campaign) -> tuple[PersonStatus, ...]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    of_campaign = select(annotators.c.id).where(annotators.c.campaign == campaign.id)
    rows = connection.execute(
        select(assignments.c.annotator, assignments.c.state, func.count())
        .where(assignments.c.annotator.in_(of_campaign))
        .group_by(assignments.c.annotator, assignments.c.state)
    )
    for annotator, state, number in rows:
        counts[annotator][state] = number
    times_by_person: defaultdict[str, Times] = defaultdict(Times)
    for kind, person_times in read_times(connection, campaign).items():
        times_by_person[kind.annotator] |= person_times
    scored = read_scores(connection, campaign)
    unscored = PersonScores()
    return tuple(
        codec.to_struct(
            PersonStatus,
            person,
            **{state: counts[person.id][state] for state in ("open", "done", "returned", "void")},
            seconds=times_by_person[person.id].seconds,
            median_seconds=times_by_person[person.id].median,
            test_score=scored.get(person.id, unscored).test,
            training_score=scored.get(person.id, unscored).training,
        )
        for person in annotators_of(connection, campaign)
    )


def read_scores(connection: Connection, campaign: Campaign) -> dict[str, PersonScores]:
    """Return the mean scores against gold by annotator; of corrected answers only the last."""
    scored_items = items.alias()
    has_gold = or_(scored_items.c.test, scored_items.c.stage < campaign.last)
    with_gold = select(scored_items.c.id).where(scored_items.c.campaign == campaign.id, has_gold)
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


def find_warnings(connection: Connection, campaign: Campaign) -> list[str]:
    """Return a message for each problem to fix before people work in a campaign."""
    counts = {
        key: count.items for key, count in _count_items(connection, campaign).items() if count.items
    }
    return find_warnings_for_counts(counts, campaign.settings)


def find_warnings_for_counts(
    counts: Mapping[tuple[int, bool], int], settings: CampaignSettings
) -> list[str]:
    """Return `find_warnings` for counts of items by stage and by whether they are hidden tests."""
    return list(_find_warnings(counts, settings))


def _find_warnings(
    counts: Mapping[tuple[int, bool], int], settings: CampaignSettings
) -> Iterator[str]:
    if not counts:
        yield "there are no items: nobody has anything to do"
    for number, stage in enumerate(settings.stages) if counts else ():
        if not counts.get((number, False)):
            yield f"stage '{stage.name}' has no items ('stages' in its settings)"
    tests = sum(count for (_, test), count in counts.items() if test)
    if counts and settings.test_every and not tests:
        yield (
            f"one in {settings.test_every:,} items is to be a hidden test, and there is none "
            "('test_every' in its settings)"
        )
    if counts and settings.test_mark is not None and not tests:
        yield (
            "nobody can be excluded by hidden tests, as there is none ('test_mark' in its settings)"
        )
    if tests and not settings.test_every:
        what = "a hidden test is" if tests == 1 else f"{tests:,} hidden tests are"
        yield f"{what} never given out ('test_every' in its settings is 0)"
    for name in ("consent", "requirements"):
        text = getattr(settings, name)
        if text and not text.strip():
            yield f"the text of '{name}' in its settings is blank: nobody is asked to agree to it"
    if terms.lacks_purpose(settings):
        yield terms.NO_PURPOSE
    if settings.deadline is not None and settings.deadline <= now():
        yield "the deadline has passed: nothing is given out ('deadline' in its settings)"
