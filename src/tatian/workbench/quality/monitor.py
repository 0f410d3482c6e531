"""Monitoring of annotators while a campaign runs: speed, scores and agreement.

Union paper, App. C. To be fast, the database counts, and only answers to the latest items are
compared.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from statistics import mean, median

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Select, func, select

from tatian.errors import InputError
from tatian.workbench.campaigns import people, progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.campaigns.progress import PersonScores
from tatian.workbench.campaigns.times import AnswerKind, CampaignCache, combine_times, read_times
from tatian.workbench.quality.cases import answers_by_item
from tatian.workbench.quality.pay import Payroll, compute_payroll
from tatian.workbench.storage import codec
from tatian.workbench.storage.tables import assignments, items
from tatian.workbench.tasks import Json, Task
from tatian.workbench.tasks.agreement import (
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    equal_answers,
)

HASTY = 1 / 3
"""Share of the campaign's median time below which an answer is hasty."""
_MANY_HASTY = 0.3
"""Share of hasty answers above which there is a warning."""
_FACTOR_OF_TWO = math.log(2)
"""Deviation of the log time above which there is a warning."""
_MUCH_LESS = 0.1
"""Deviation of agreement above which there is a warning."""
OUTLIER = 3.5
"""Absolute robust z above which a value is an outlier (Iglewicz and Hoaglin 1993)."""
MIN_PEOPLE = 3
"""Minimum number of people for robust z."""
_MEDIAN_DEVIATION = 0.6745
_MEAN_DEVIATION = 0.7979
"""Factors from deviations from the median to standard deviations of a normal distribution."""
LATEST = 1_000
"""Number of latest items whose answers are compared."""


class WatchedPerson(Struct, frozen=True):
    """Figures of an annotator; times are of production items, including hidden tests."""

    id: str
    name: str
    external: str | None
    state: str
    stage: str
    answers: int
    seconds: float
    median_seconds: float | None
    mean_seconds: float | None
    speed: float | None
    """Robust z of the log median time among all people; below 0 is faster."""
    hasty: float | None
    """Share of answers that took less than a third of the campaign's median."""
    tests: int
    test_score: float | None
    trainings: int
    training_score: float | None
    agreement: float | None
    agreement_z: float | None
    """Robust z of the agreement among all people."""
    compared: int
    """Number of items on which they were compared with others."""
    hourly: float | None
    """Mean hourly wage, if the settings have pay."""
    warnings: tuple[str, ...] = ()


class UsualValues(Struct, frozen=True):
    """Median values of the campaign, for comparison."""

    seconds: float | None
    """Median seconds of an answer."""
    agreement: float | None
    """Median agreement of people."""


def find_warnings(campaign: Campaign, person: WatchedPerson, usual: UsualValues) -> tuple[str, ...]:
    """Return warnings for a manager about an annotator."""
    return (*_comparison_warnings(person, usual), *_settings_warnings(campaign, person))


def _comparison_warnings(person: WatchedPerson, usual: UsualValues) -> Iterator[str]:
    seconds = person.median_seconds
    if seconds and usual.seconds and person.speed is not None and abs(person.speed) > OUTLIER:
        deviation = math.log(seconds / usual.seconds)
        if abs(deviation) > _FACTOR_OF_TWO:
            direction = "faster" if deviation < 0 else "slower"
            yield (
                f"much {direction} than the others: {seconds:.1f} s an answer, "
                f"where {usual.seconds:.1f} s is usual"
            )
    if person.hasty is not None and person.answers >= 5 and person.hasty > _MANY_HASTY:
        yield f"{person.hasty:.0%} of the answers took less than a third of the usual time"
    if person.agreement is None or person.agreement_z is None or usual.agreement is None:
        return
    if person.agreement_z < -OUTLIER and person.agreement < usual.agreement - _MUCH_LESS:
        yield (
            f"agrees less than the others: {person.agreement:.2f}, "
            f"where {usual.agreement:.2f} is usual"
        )


def _settings_warnings(campaign: Campaign, person: WatchedPerson) -> Iterator[str]:
    settings = campaign.settings
    mark = settings.test_mark
    if mark is not None and person.test_score is not None and person.test_score < mark:
        missing = settings.test_least - person.tests
        remark = f"; it counts after {missing} more" if missing > 0 else ""
        yield f"hidden tests: {person.test_score:.0%}, below the mark of {mark:.0%}{remark}"
    if person.state == "failed":
        yield f"below the pass mark of the stage '{person.stage}'"
    produced_items = person.answers - person.tests
    if 0 < produced_items < settings.least:
        yield f"fewer than {settings.least} items so far: their answers do not count as data yet"
    least = settings.pay.least_hourly if settings.pay else None
    if least is not None and person.hourly is not None and person.hourly < least and settings.pay:
        yield f"earns {person.hourly:.2f} {settings.pay.currency} an hour, less than {least:.2f}"


def robust_z(values: Mapping[str, float]) -> dict[str, float]:
    """Return the deviation of each value from the median, in robust standard deviations.

    These are based on the median absolute deviation, or on the mean one if most values are equal.
    The result is empty for fewer than `MIN_PEOPLE` values, and 0 if all are equal.
    """
    if len(values) < MIN_PEOPLE:
        return {}
    middle = median(values.values())
    deviations = [abs(value - middle) for value in values.values()]
    spread, factor = median(deviations), _MEDIAN_DEVIATION
    if not spread:
        spread, factor = mean(deviations), _MEAN_DEVIATION
    if not spread:
        return dict.fromkeys(values, 0.0)
    return {name: factor * (value - middle) / spread for name, value in values.items()}


class Monitor(Struct, frozen=True):
    """Figures of a campaign and its annotators."""

    campaign: str
    test_mark: float | None
    test_least: int
    pass_marks: dict[str, float]
    """Pass mark by the name of the stage."""
    median_seconds: float | None
    mean_seconds: float | None
    people: tuple[WatchedPerson, ...]
    agreement: CampaignAgreement
    payroll: Payroll | None


_cache: CampaignCache[CampaignAgreement] = CampaignCache()


def monitor_campaign(
    connection: Connection, campaign: Campaign, task: Task, *, latest: int | None = LATEST
) -> Monitor:
    """Return the figures of all annotators; agreement is on the `latest` items, None for all."""
    timed = read_times(connection, campaign)
    agreement_data = _cache.get(
        connection,
        campaign,
        latest,
        lambda: measure_agreement(connection, campaign, task, most=latest),
    )
    settings = campaign.settings
    paid = compute_payroll(connection, campaign, timed) if settings.pay else None
    annotators = people.list_people(connection, campaign)
    production_times = {
        person.id: combine_times(timed, _production_of(person.id)) for person in annotators
    }
    medians = {id: person_times.median for id, person_times in production_times.items()}
    agreement_by_person = {row.annotator: row for row in agreement_data.people}
    agreement_values = {
        id: row.value for id, row in agreement_by_person.items() if row.value is not None
    }
    speeds = robust_z({id: math.log(length) for id, length in medians.items() if length})
    scores_by_person = progress.read_scores(connection, campaign)
    agreement_z = robust_z(agreement_values)
    hourly = {earned.annotator: earned.wage.mean for earned in paid.people} if paid else {}
    all_times = combine_times(timed, _is_production)
    usual = UsualValues(
        all_times.median, median(agreement_values.values()) if agreement_values else None
    )

    def watch(person: Annotator) -> WatchedPerson:
        person_times = production_times[person.id]
        scores = scores_by_person.get(person.id, PersonScores())
        own_agreement = agreement_by_person.get(person.id)
        hasty = None
        if usual.seconds and person_times.answers:
            hasty = person_times.count_shorter(usual.seconds * HASTY) / person_times.answers
        summary = codec.to_struct(
            WatchedPerson,
            person,
            stage=campaign.stage(person.stage),
            answers=person_times.answers,
            seconds=person_times.seconds,
            median_seconds=person_times.median,
            mean_seconds=person_times.mean,
            speed=speeds.get(person.id),
            hasty=hasty,
            tests=scores.tests,
            test_score=scores.test,
            trainings=scores.trainings,
            training_score=scores.training,
            agreement=own_agreement.value if own_agreement else None,
            agreement_z=agreement_z.get(person.id),
            compared=own_agreement.items if own_agreement else 0,
            hourly=hourly.get(person.id),
            warnings=(),
        )
        return replace(summary, warnings=find_warnings(campaign, summary, usual))

    return Monitor(
        campaign.id,
        settings.test_mark,
        settings.test_least,
        {stage.name: stage.pass_mark for stage in settings.stages if stage.pass_mark is not None},
        all_times.median,
        all_times.mean,
        tuple(map(watch, annotators)),
        agreement_data,
        paid,
    )


def anonymize(data: Monitor) -> Monitor:
    """Remove personal data: names and panel ids."""
    watched = tuple(replace(person, name="", external=None) for person in data.people)
    paid = data.payroll
    if paid is not None:
        earned = tuple(replace(person, name="", external=None) for person in paid.people)
        paid = replace(paid, people=earned)
    return replace(data, people=watched, payroll=paid)


def _is_production(kind: AnswerKind) -> bool:
    return not kind.training and not kind.correction


def _production_of(annotator: str) -> Callable[[AnswerKind], bool]:
    return lambda kind: kind.annotator == annotator and _is_production(kind)


class PersonAgreement(Struct, frozen=True):
    """Agreement of one annotator with the others."""

    annotator: str
    value: float | None
    """Mean over the others, weighted by the number of shared items."""
    items: int
    """Number of items that somebody else answered too."""
    others: int
    """Number of people with shared items."""


class CampaignAgreement(Struct, frozen=True):
    """Agreement on a campaign's production items with two or more answers."""

    campaign: str
    items: int
    annotators: int
    answers: int
    all: int
    """Number of all such items; more than `items` if only the latest are compared."""
    measures: tuple[Measure, ...]
    by: str
    """Name of the measure that `people` is based on."""
    people: tuple[PersonAgreement, ...]


def measure_agreement(
    connection: Connection, campaign: Campaign, task: Task, *, most: int | None = None
) -> CampaignAgreement:
    """Measure agreement on the `most` items that were answered last; None for all items."""
    contents: dict[str, Json] = {}
    by_item: dict[str, Answers] = {}
    latest = connection.execute(_select_shared(campaign).limit(1 if most is None else most)).all()
    item_ids = None if most is None else [row.item for row in latest]
    for rows in answers_by_item(connection, campaign, item_ids):
        if len(rows) > 1:
            contents[rows[0].key] = codec.decode(rows[0].content)
            by_item[rows[0].key] = {row.annotator: codec.decode(row.answer) for row in rows}
    measures = tuple(_measure(task, contents, by_item))
    chosen = next((measure for measure in measures if measure.pairs), None)
    people = _people(by_item, chosen.pairs if chosen else {})
    return CampaignAgreement(
        campaign.id,
        len(by_item),
        len(people),
        sum(len(by_person) for by_person in by_item.values()),
        latest[0].total if latest else 0,
        measures,
        chosen.name if chosen else "",
        people,
    )


def _measure(task: Task, contents: Contents, by_item: AnswersByItem) -> list[Measure]:
    """Return the measures of the task; if none compares pairs of people, also equal answers."""
    try:
        measures = list(task.agreement(contents, by_item)) if by_item else []
    except InputError as error:
        raise InputError(f"the answers cannot be compared: {error}") from error
    in_pairs = not by_item or any(measure.pairs for measure in measures)
    return measures if in_pairs else [*measures, equal_answers(by_item)]


def _people(by_item: AnswersByItem, pairs: Mapping[str, float]) -> tuple[PersonAgreement, ...]:
    """Return the agreement of each annotator, given that of each pair."""
    items_of: Counter[str] = Counter()
    weights: Counter[tuple[str, str]] = Counter()
    for by_person in by_item.values():
        items_of.update(list(by_person))
        weights.update(combinations(sorted(by_person), 2))
    sums: defaultdict[str, float] = defaultdict(float)
    totals: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for (first, second), weight in weights.items():
        value = pairs.get(f"{first} {second}")
        if value is None:
            continue
        for person in (first, second):
            sums[person] += value * weight
            totals[person] += weight
            others[person] += 1
    return tuple(
        PersonAgreement(
            person,
            sums[person] / totals[person] if totals[person] else None,
            items_of[person],
            others[person],
        )
        for person in sorted(items_of)
    )


def _select_shared(campaign: Campaign) -> Select[tuple[int, int]]:
    """Select items with two or more answers, the latest first, each with the total."""
    return (
        select(assignments.c.item, func.count().over().label("total"))
        .select_from(assignments.join(items, assignments.c.item == items.c.id))
        .where(assignments.c.campaign == campaign.id, assignments.c.state == "done")
        .where(items.c.stage == campaign.last, items.c.test.is_(False))
        .group_by(assignments.c.item)
        .having(func.count() > 1)
        .order_by(func.max(assignments.c.finished).desc(), assignments.c.item)
    )
