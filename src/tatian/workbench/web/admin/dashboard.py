"""The dashboard of a campaign: answers over time, and everybody's speed, scores and pay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

from starlette.responses import Response

from tatian.errors import InputError
from tatian.workbench.campaigns import progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.progress import Status
from tatian.workbench.quality.history import History, history
from tatian.workbench.quality.monitoring import Monitor, monitor
from tatian.workbench.quality.pay import Wage
from tatian.workbench.quality.watching import Watched
from tatian.workbench.storage.database import now
from tatian.workbench.tasks import tasks
from tatian.workbench.web.admin.common import campaign_of, campaign_page, duration, home, share
from tatian.workbench.web.admin.dashboard_plots import (
    Bars,
    Columns,
    Curve,
    Value,
    bars,
    columns,
    curve,
)
from tatian.workbench.web.legible import dated
from tatian.workbench.web.routing import PREFIX, Call, Page

_HOUR = 3_600_000
Plot = Curve | Columns | Bars


def shown(call: Call) -> Response:
    """Everything at one moment; the page asks again by itself."""
    campaign = campaign_of(call)
    task = tasks.create(campaign.task)
    problem = ""
    with call.database.reading() as connection:
        so_far = progress.status(connection, campaign, people=False)
        past = history(connection, campaign, now())
        try:
            found = monitor(connection, campaign, task)
        except InputError as error:
            found, problem = None, str(error)
    return campaign_page(
        call,
        "dashboard.html",
        campaign,
        so_far=so_far,
        problem=problem,
        figures=_figures(past, found),
        plots=[*_over_time(past, so_far), *(_of_people(found) if found else ())],
        people=[_row(campaign, one) for one in found.people] if found else [],
        measures=found.agreement.measures if found else (),
        compared=found.agreement if found else None,
        influence=_influence(found) if found else [],
        marks=_marks(campaign),
        pay=_pay(found) if found else [],
        payments=f"{PREFIX}/campaigns/{campaign.id}/payments",
    )


def _over_time(past: History, so_far: Status) -> Iterator[Plot]:
    form = "%H:%M" if past.width < _HOUR else "%d %b %H:%M" if past.width < 24 * _HOUR else "%d %b"
    names = [dated(one.start, form) for one in past.slices]
    counts = [one.answers for one in past.slices]
    if not counts:
        return
    grown = list(accumulate(counts, initial=0))
    until = [names[0], *(dated(one.start + past.width, form) for one in past.slices)]
    yield curve(
        "growth",
        "Answers over time",
        f"From none to {grown[-1]:,} answers; {so_far.wanted:,} are wanted.",
        list(zip(until, map(float, grown), strict=True)),
        float(so_far.wanted),
        f"wanted: {so_far.wanted:,}",
        ("Until (UTC)", "Answers"),
    )
    busiest = max(range(len(counts)), key=counts.__getitem__)
    yield columns(
        "pace",
        f"Answers per {past.called}",
        f"The most were {counts[busiest]:,}, from {names[busiest]} on.",
        list(zip(names, map(float, counts), strict=True)),
        ("From (UTC)", "Answers"),
    )


def _of_people(found: Monitor) -> Iterator[Plot]:
    if not any(one.answers for one in found.people):
        return
    yield _plot(
        found,
        "speed",
        "Median time of an answer",
        lambda one: (one.median_seconds, duration(one.median_seconds)),
        "Time",
        mark=found.median_seconds,
        mark_text=f"usual: {duration(found.median_seconds)}",
    )
    if found.agreement.by:
        yield _plot(
            found,
            "agreement",
            f"Agreement with the others: {found.agreement.by}",
            lambda one: (one.agreement, _two(one.agreement)),
            "Agreement",
            top=1.0,
        )
    if any(one.tests for one in found.people):
        mark = found.test_mark
        yield _plot(
            found,
            "tests",
            "Score on hidden tests",
            lambda one: (one.test_score, f"{share(one.test_score)} of {one.tests}"),
            "Score",
            mark=mark,
            mark_text=f"pass mark: {share(mark)}" if mark is not None else "",
            top=1.0,
        )
    if found.payroll is not None:
        wages = {one.annotator: one.wage for one in found.payroll.people}
        called = {one.id: _called(one) for one in found.people}
        values = [
            Value(called[id], wage.mean, _two(wage.mean), wage.low, wage.high)
            for id, wage in wages.items()
        ]
        least = found.payroll.pay.least_hourly
        yield bars(
            "wages",
            f"Hourly wage, {found.payroll.pay.currency}",
            f"{_described(values)} Thin lines are 95 % intervals.",
            values,
            ("Annotator", "An hour"),
            mark=least,
            mark_text=f"least: {_two(least)}" if least is not None else "",
        )


def _plot(
    found: Monitor,
    id: str,
    title: str,
    read: Callable[[Watched], tuple[float | None, str]],
    heading: str,
    *,
    mark: float | None = None,
    mark_text: str = "",
    top: float | None = None,
) -> Bars:
    values = []
    for one in found.people:
        value, text = read(one)
        values.append(Value(_called(one), value, text, warned=bool(one.warnings)))
    headings = ("Annotator", heading)
    described = _described(values)
    return bars(id, title, described, values, headings, mark=mark, mark_text=mark_text, top=top)


def _described(values: list[Value]) -> str:
    known = [(one.value, one) for one in values if one.value is not None]
    if not known:
        return "Nothing to show yet."
    least = min(known, key=lambda pair: pair[0])[1]
    most = max(known, key=lambda pair: pair[0])[1]
    return f"From {least.text} ({least.label}) to {most.text} ({most.label})."


def _figures(past: History, found: Monitor | None) -> list[tuple[str, str]]:
    rate = past.per_hour
    figures = [
        ("Answers in the last hour", f"{past.last_hour:,}"),
        ("Answers an hour, while at work", "–" if rate is None else f"{rate:,.1f}"),
    ]
    if found is not None:
        figures += [
            ("Median time", duration(found.median_seconds)),
            ("Mean time", duration(found.mean_seconds)),
        ]
        warned = sum(bool(one.warnings) for one in found.people)
        figures.append(("People who need a look", f"{warned:,}"))
    return figures


def _pay(found: Monitor) -> list[tuple[str, str]]:
    paid = found.payroll
    if paid is None:
        return []
    currency = paid.pay.currency
    return [
        ("Owed so far", f"{paid.total:,.2f} {currency}"),
        ("At the end, at most", f"{paid.forecast:,.2f} {currency}"),
        ("An hour (mean)", _wage(paid.wage)),
        ("An hour (median answer)", _two(paid.wage.median)),
    ]


def _marks(campaign: Campaign) -> list[tuple[str, str]]:
    settings = campaign.settings
    marks = [
        (f"Stage “{one.name}”", share(one.pass_mark))
        for one in settings.stages
        if one.pass_mark is not None
    ]
    if settings.test_mark is not None:
        after = f", from {settings.test_least} on" if settings.test_least > 1 else ""
        marks.append(("Hidden tests", share(settings.test_mark) + after))
    if settings.least > 1:
        marks.append(("Items for answers to count", f"{settings.least:,}"))
    return marks


def _influence(found: Monitor) -> list[dict[str, str]]:
    if found.influence is None:
        return []
    sides = (("Shown", found.influence.shown), ("Not shown", found.influence.hidden))
    return [
        {
            "name": name,
            "answers": f"{side.answers:,}",
            "median": duration(side.median_seconds),
            "mean": duration(side.mean_seconds),
            "score": share(side.score),
            "likeness": share(side.likeness),
        }
        for name, side in sides
    ]


def _row(campaign: Campaign, one: Watched) -> dict[str, Any]:
    return {
        "href": f"{home(campaign.id)}/annotators/{one.id}",
        "called": _called(one),
        "state": one.state,
        "stage": one.stage,
        "answers": f"{one.answers:,}",
        "time": duration(one.median_seconds),
        "training": share(one.training_score),
        "tests": f"{share(one.test_score)} of {one.tests}" if one.tests else "–",
        "agreement": _two(one.agreement),
        "hourly": _two(one.hourly),
        "warnings": one.warnings,
    }


def _called(one: Watched) -> str:
    return one.name or one.id


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:,.2f}"


def _wage(wage: Wage) -> str:
    if wage.low is None or wage.high is None:
        return _two(wage.mean)
    return f"{_two(wage.mean)} ({wage.low:,.2f} to {wage.high:,.2f})"


PAGES = (Page(method="GET", path="/campaigns/{campaign}/dashboard", who="manager", call=shown),)
