"""Everybody's speed, scores and agreement while a campaign runs, and who needs a look.

Union paper, App. C: ongoing monitoring during the production task. Counting is left to the
database, and answers are compared only on the items answered last, so that a page may ask often.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import median

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from tatian.workbench.campaigns import people, progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.campaigns.progress import Scores
from tatian.workbench.campaigns.records import stage_name
from tatian.workbench.campaigns.times import Kept, Kind, Times, times, together
from tatian.workbench.quality.agreement import Agreement, Together, agreement
from tatian.workbench.quality.pay import Payroll, payroll
from tatian.workbench.quality.watching import HASTY, Usual, Watched, robust_z, warnings
from tatian.workbench.tasks import Task

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
    agreement: Agreement
    payroll: Payroll | None


class _Figures(Struct, frozen=True):
    """What is known of everybody, each by annotator."""

    produced: Mapping[str, Times]
    usual: Times
    speeds: Mapping[str, float]
    scores: Mapping[str, Scores]
    alike: Mapping[str, Together]
    agreeing: Mapping[str, float]
    hourly: Mapping[str, float | None]


_kept: Kept[Agreement] = Kept()


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
    figures = _Figures(
        produced,
        together(timed, _counts),
        robust_z({id: math.log(length) for id, length in lengths.items() if length}),
        progress.scores(connection, campaign),
        {one.annotator: one for one in compared.people},
        robust_z(values),
        {one.annotator: one.wage.mean for one in paid.people} if paid else {},
    )
    usual = Usual(figures.usual.median, median(values.values()) if values else None)
    watched = (_watched(campaign, one, figures) for one in everybody)
    return Monitor(
        campaign.id,
        settings.test_mark,
        settings.test_least,
        {one.name: one.pass_mark for one in settings.stages if one.pass_mark is not None},
        figures.usual.median,
        figures.usual.mean,
        tuple(replace(one, warnings=warnings(campaign, one, usual)) for one in watched),
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


def _watched(campaign: Campaign, person: Annotator, figures: _Figures) -> Watched:
    taken = figures.produced[person.id]
    scores = figures.scores.get(person.id, Scores())
    alike = figures.alike.get(person.id)
    usual = figures.usual.median
    hasty = None
    if usual and taken.answers:
        hasty = taken.quicker(usual * HASTY) / taken.answers
    return Watched(
        person.id,
        person.name,
        person.external,
        person.state,
        stage_name(campaign.settings, person.stage),
        taken.answers,
        taken.seconds,
        taken.median,
        taken.mean,
        figures.speeds.get(person.id),
        hasty,
        scores.tests,
        scores.test,
        scores.trainings,
        scores.training,
        alike.value if alike else None,
        figures.agreeing.get(person.id),
        alike.items if alike else 0,
        figures.hourly.get(person.id),
    )
