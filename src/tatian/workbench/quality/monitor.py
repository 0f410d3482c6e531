"""Everybody's speed, scores and agreement while a campaign runs, and who needs a look.

Union paper, App. C: ongoing monitoring during the production task. Counting is left to the
database, and answers are compared only on the items answered last, so that a page may ask often.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from statistics import mean, median

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from tatian.workbench.campaigns import people, progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.campaigns.progress import PersonScores
from tatian.workbench.campaigns.times import Kind, Remembered, times, together
from tatian.workbench.quality.agreement import CampaignAgreement, agreement
from tatian.workbench.quality.pay import Payroll, payroll
from tatian.workbench.storage import plain
from tatian.workbench.tasks import Task

HASTY = 1 / 3
"""An answer is hasty that took less than this share of what is usual in the campaign."""
_MANY_HASTY = 0.3
_TWICE = math.log(2)
"""A speed that is not twice or half of what is usual is nobody's fault, however alike the
others are."""
_MUCH_LESS = 0.1
"""As for agreement, in its own units."""


class Watched(Struct, frozen=True):
    """One annotator; times and speed are of production, hidden tests included."""

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
    """The robust z of the median time among everybody's, by logarithms; below 0: faster."""
    hasty: float | None
    """The share of answers that took less than a third of the campaign's median."""
    tests: int
    test_score: float | None
    trainings: int
    training_score: float | None
    agreement: float | None
    agreement_z: float | None
    """The robust z of the agreement among everybody's."""
    compared: int
    """Items on which they were compared with others."""
    hourly: float | None
    """Their wage, where the settings say what is paid."""
    warnings: tuple[str, ...] = ()


class Usual(Struct, frozen=True):
    """What is usual in the campaign."""

    seconds: float | None
    """The median of an answer."""
    agreement: float | None
    """The median over people."""


def warnings(campaign: Campaign, one: Watched, usual: Usual) -> tuple[str, ...]:
    """What a manager should look at."""
    return (*_beside_others(one, usual), *_by_settings(campaign, one))


def _beside_others(one: Watched, usual: Usual) -> Iterator[str]:
    if one.median_seconds and usual.seconds and one.speed is not None and abs(one.speed) > FAR:
        apart = math.log(one.median_seconds / usual.seconds)
        if abs(apart) > _TWICE:
            how = "faster" if apart < 0 else "slower"
            yield (
                f"much {how} than the others: {one.median_seconds:.1f} s an answer, "
                f"where {usual.seconds:.1f} s is usual"
            )
    if one.hasty is not None and one.answers >= 5 and one.hasty > _MANY_HASTY:
        yield f"{one.hasty:.0%} of the answers took less than a third of the usual time"
    if one.agreement is None or one.agreement_z is None or usual.agreement is None:
        return
    if one.agreement_z < -FAR and one.agreement < usual.agreement - _MUCH_LESS:
        yield (
            f"agrees less than the others: {one.agreement:.2f}, "
            f"where {usual.agreement:.2f} is usual"
        )


def _by_settings(campaign: Campaign, one: Watched) -> Iterator[str]:
    settings = campaign.settings
    mark = settings.test_mark
    if mark is not None and one.test_score is not None and one.test_score < mark:
        short = settings.test_least - one.tests
        later = f"; it counts after {short} more" if short > 0 else ""
        yield f"hidden tests: {one.test_score:.0%}, below the mark of {mark:.0%}{later}"
    if one.state == "failed":
        yield f"below the pass mark of the stage '{one.stage}'"
    produced = one.answers - one.tests
    if 0 < produced < settings.least:
        yield f"fewer than {settings.least} items so far: their answers do not count as data yet"
    least = settings.pay.least_hourly if settings.pay else None
    if least is not None and one.hourly is not None and one.hourly < least and settings.pay:
        yield f"earns {one.hourly:.2f} {settings.pay.currency} an hour, less than {least:.2f}"


FAR = 3.5
"""A robust z beyond which somebody stands out (Iglewicz and Hoaglin 1993)."""
FEWEST = 3
"""People that it takes to stand out from."""
_MEDIAN_DEVIATION = 0.6745
_MEAN_DEVIATION = 0.7979
"""What turns deviations from the median into standard deviations of a normal distribution."""


def robust_z(values: Mapping[str, float]) -> dict[str, float]:
    """How far each value is from the median, in robust standard deviations.

    The spread is the median absolute deviation, or the mean one where most values are the same.
    Nobody is far from anybody where there are fewer than three, or no spread.
    """
    if len(values) < FEWEST:
        return {}
    middle = median(values.values())
    deviations = [abs(value - middle) for value in values.values()]
    spread, factor = median(deviations), _MEDIAN_DEVIATION
    if not spread:
        spread, factor = mean(deviations), _MEAN_DEVIATION
    if not spread:
        return dict.fromkeys(values, 0.0)
    return {name: factor * (value - middle) / spread for name, value in values.items()}


LATEST = 1_000
"""Items whose answers are compared, those answered last."""


class Monitor(Struct, frozen=True):
    """A campaign under watch."""

    campaign: str
    test_mark: float | None
    test_least: int
    pass_marks: dict[str, float]
    """By the name of the stage."""
    median_seconds: float | None
    mean_seconds: float | None
    people: tuple[Watched, ...]
    agreement: CampaignAgreement
    payroll: Payroll | None


_kept: Remembered[CampaignAgreement] = Remembered()


def monitor(
    connection: Connection, campaign: Campaign, task: Task, *, latest: int | None = LATEST
) -> Monitor:
    """Look at everybody; agreement is over the `latest` items, or over all."""
    timed = times(connection, campaign)
    compared = _kept.get(
        connection, campaign, latest, lambda: agreement(connection, campaign, task, most=latest)
    )
    settings = campaign.settings
    paid = payroll(connection, campaign, timed) if settings.pay else None
    everybody = people.listed(connection, campaign)
    produced = {one.id: together(timed, _by(one.id)) for one in everybody}
    lengths = {id: taken.median for id, taken in produced.items()}
    values = {one.annotator: one.value for one in compared.people if one.value is not None}
    speeds = robust_z({id: math.log(length) for id, length in lengths.items() if length})
    scored = progress.scores(connection, campaign)
    alike = {one.annotator: one for one in compared.people}
    agreeing = robust_z(values)
    hourly = {one.annotator: one.wage.mean for one in paid.people} if paid else {}
    every = together(timed, _counts)
    usual = Usual(every.median, median(values.values()) if values else None)

    def watched(person: Annotator) -> Watched:
        taken, scores = produced[person.id], scored.get(person.id, PersonScores())
        near = alike.get(person.id)
        hasty = None
        if usual.seconds and taken.answers:
            hasty = taken.quicker(usual.seconds * HASTY) / taken.answers
        one = plain.struct(
            Watched,
            person,
            stage=campaign.stage(person.stage),
            answers=taken.answers,
            seconds=taken.seconds,
            median_seconds=taken.median,
            mean_seconds=taken.mean,
            speed=speeds.get(person.id),
            hasty=hasty,
            tests=scores.tests,
            test_score=scores.test,
            trainings=scores.trainings,
            training_score=scores.training,
            agreement=near.value if near else None,
            agreement_z=agreeing.get(person.id),
            compared=near.items if near else 0,
            hourly=hourly.get(person.id),
            warnings=(),
        )
        return replace(one, warnings=warnings(campaign, one, usual))

    return Monitor(
        campaign.id,
        settings.test_mark,
        settings.test_least,
        {one.name: one.pass_mark for one in settings.stages if one.pass_mark is not None},
        every.median,
        every.mean,
        tuple(map(watched, everybody)),
        compared,
        paid,
    )


def anonymous(found: Monitor) -> Monitor:
    """The same without names and panel ids, which are personal."""
    watched = tuple(replace(one, name="", external=None) for one in found.people)
    paid = found.payroll
    if paid is not None:
        earned = tuple(replace(one, name="", external=None) for one in paid.people)
        paid = replace(paid, people=earned)
    return replace(found, people=watched, payroll=paid)


def _counts(kind: Kind) -> bool:
    return not kind.training and not kind.correction


def _by(annotator: str) -> Callable[[Kind], bool]:
    return lambda kind: kind.annotator == annotator and _counts(kind)
