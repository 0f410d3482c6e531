"""A new campaign, and how it runs: forms made from the description of the settings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from tatian.errors import TatianError
from tatian.workbench import fields, protocols
from tatian.workbench.campaigns import campaigns, items, plans
from tatian.workbench.campaigns import guidelines as versions
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, Conflict
from tatian.workbench.fields import SettingField
from tatian.workbench.settings import CONSENT, CampaignSettings
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.web.admin.common import (
    Blank,
    Form,
    campaign_of,
    campaign_page,
    home,
    page,
    to,
)
from tatian.workbench.web.presentation import dated
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
_SETTINGS = "/campaigns/{campaign}/settings"
_PROTOCOL = "protocol:"
_SPARE = 2
"""Empty rows of a form's list, for more."""
_ROWS = 50
_PROSE = 50_000
_MOMENT = "%Y-%m-%dT%H:%M"
_KEPT = frozenset({"protocol"})
"""Settings that no form changes."""


@ROUTES.page("GET", "/new-campaign", "admin")
def ask(call: Call) -> Response:
    """The form for a new campaign."""
    return _ask(call, Form({"asks": tasks.default}))


@ROUTES.page("POST", "/new-campaign", "admin")
def create(call: Call) -> Response:
    """Make the campaign as a draft, and go on to its items."""
    form = Form(call.body)
    title = form.text("title", most=300)
    if not title:
        form.problems["title"] = "Give it a title: people see it."
    id = form.text("id", most=64) or slug(title)
    asks = form.choice("asks", [name for _, group in _choices() for name, _ in group], "")
    if form.problems:
        return _ask(call, form)
    named = asks.removeprefix(_PROTOCOL)
    settings = protocols.begun(named) if asks != named else CampaignSettings()
    task = protocols.protocol(named).task if asks != named else named
    try:
        text = tasks.create(task).guidelines()
        with call.database.writing() as connection:
            campaigns.create(connection, id, task, title, settings, text, call.caller.actor)
    except (BadRequest, Conflict) as error:
        form.problems["id"] = _sentence(error)
        return _ask(call, form)
    return to(f"{home(id)}/items/add", "created")


def slug(title: str) -> str:
    """A short name made from a title: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "campaign"


def _choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """What a campaign can ask, in groups: tasks, and protocols with settings of a paper."""
    known = [(name, f"{tasks.create(name).title} ({name})") for name in tasks.names()]
    papers = [
        (_PROTOCOL + one.name, f"{one.title}: {one.paper} ({one.name})")
        for one in protocols.PROTOCOLS.values()
    ]
    return [("A task", known), ("A paper's protocol: task and settings", papers)]


def _ask(call: Call, form: Form) -> Response:
    return page(
        call,
        "new.html",
        status=422 if form.problems else 200,
        place="campaigns",
        groups=_choices(),
        values=Blank(form.fields),
        problems=form.problems,
    )


@ROUTES.page("POST", "/campaigns/{campaign}/confirmation", "admin")
def confirm_links(call: Call) -> Response:
    """The second round of mention detection, as a draft, of everything linked so far."""
    campaign, id = campaign_of(call), Form(call.body).text("id", most=64)
    with call.database.writing() as connection:
        planned = plans.second_round(connection, campaign, id)
        plans.make(connection, planned, call.caller.actor)
    return to(home(id), "followed")


@ROUTES.page("GET", _SETTINGS, "manager")
def settings(call: Call) -> Response:
    """The settings as they are, and the newest instructions."""
    campaign = campaign_of(call)
    values = shown(_fields(campaign), fields.everything(campaign.settings))
    return _settings(call, campaign, {**values, "title": campaign.title}, {})


@ROUTES.page("POST", _SETTINGS, "manager")
def save(call: Call) -> Response:
    """Keep what was filled in, or show what is wrong with it."""
    campaign, form = campaign_of(call), Form(call.body)
    title = form.text("title", most=300)
    if not title:
        form.problems["title"] = "Give it a title: people see it."
    plain = fields.everything(campaign.settings) | read(_fields(campaign), form)
    if not form.problems:
        try:
            new = fields.settled(plain)
            with call.database.writing() as connection:
                campaign = campaigns.change(
                    connection, campaign.id, call.caller.actor, title=title, settings=new
                )
            if new.suggestions != "none":
                items.suggest(call.database, campaign, _task(campaign), call.caller.actor)
            return to(f"{home(campaign.id)}/settings", "saved")
        except TatianError as error:
            form.problems["settings"] = _sentence(error)
    return _settings(call, campaign, dict(form.fields), form.problems)


@ROUTES.page("POST", f"{_SETTINGS}/guidelines", "manager")
def instruct(call: Call) -> Response:
    """A new version of the instructions."""
    campaign, form = campaign_of(call), Form(call.body)
    text = form.text("guidelines", most=10 * _PROSE)
    if form.problems:
        values = shown(_fields(campaign), fields.everything(campaign.settings))
        given = {**values, "title": campaign.title, "guidelines": text}
        return _settings(call, campaign, given, form.problems)
    with call.database.writing() as connection:
        versions.add(connection, campaign.id, text, call.caller.actor)
    return to(f"{home(campaign.id)}/settings", "instructed")


def shown(asked: Iterable[SettingField], plain: Mapping[str, Any]) -> dict[str, Any]:
    """The text of every field of a form, by its name."""
    values: dict[str, Any] = {}
    for one in asked:
        value = _at(plain, one.name)
        if one.kind == "group":
            values[one.name] = "" if value is None else "yes"
            values |= shown(one.fields, plain)
        elif one.kind == "rows":
            for number, row in enumerate(value or ()):
                for inner in one.fields:
                    name = f"{one.name}.{number}.{inner.last}"
                    values[name] = _text(inner, row.get(inner.last, inner.default))
        else:
            values[one.name] = _text(one, one.default if value is None else value)
    return values


def read(asked: Iterable[SettingField], form: Form) -> dict[str, Any]:
    """What a form says, as JSON says it; `form.problems` names what cannot be read."""
    plain: dict[str, Any] = {}
    for one in asked:
        if one.kind == "group":
            inner = read(one.fields, form) if form.fields.get(one.name) == "yes" else {}
            fields.put(plain, one.name, inner.get(one.name) if inner else None)
        elif one.kind == "rows":
            fields.put(plain, one.name, _rows(one, form))
        else:
            fields.put(plain, one.name, _value(one, one.name, form))
    return plain


def _rows(one: SettingField, form: Form) -> list[dict[str, Any]]:
    found = []
    first = one.fields[0]
    for number in range(_ROWS):
        before = f"{one.name}.{number}."
        if form.fields.get(before + first.last, "").strip():
            found.append(
                {inner.last: _value(inner, before + inner.last, form) for inner in one.fields}
            )
    return found


def _value(one: SettingField, name: str, form: Form) -> Any:
    if one.kind == "truth":
        return form.fields.get(name) == "yes"
    text = form.text(name, most=_PROSE if one.kind == "prose" else 10_000)
    if one.kind in ("whole", "decimal", "moment"):
        return _number(one, name, text, form)
    if one.kind == "choices":
        return [word.strip() for word in text.split(",") if word.strip()]
    return None if one.optional and not text else text


def _number(one: SettingField, name: str, text: str, form: Form) -> float | int | None:
    default: float | int | None = one.default
    if not text and (one.optional or default is not None):
        return None if one.optional else default
    try:
        if one.kind == "moment":
            moment = datetime.strptime(text, _MOMENT).replace(tzinfo=UTC)
            return int(moment.timestamp() * 1000)
        number = int(text) if one.kind == "whole" else float(text)
    except (ValueError, OverflowError):
        what = {"whole": "A whole number", "decimal": "A number such as 0.5"}
        form.problems[name] = f"{one.title}: {what.get(one.kind, 'A date and time')}, please."
        return None
    if one.out_of_bounds(number):
        form.problems[name] = f"{one.title}: {one.least:,.10g} to {one.most:,.10g}, please."
    return number


def _text(one: SettingField, value: Any) -> str:
    if value is None:
        return ""
    if one.kind == "truth":
        return "yes" if value else ""
    if one.kind == "choices":
        return ", ".join(value)
    return dated(value, _MOMENT) if one.kind == "moment" else str(value)


def _at(plain: Any, name: str) -> Any:
    for step in name.split("."):
        plain = plain.get(step) if isinstance(plain, dict) else None
    return plain


def _task(campaign: Campaign) -> Task:
    return tasks.create(campaign.task)


def _fields(campaign: Campaign) -> tuple[SettingField, ...]:
    """What the form of a campaign asks: every setting, and what its task can be told."""
    general = [one for one in fields.fields() if one.name not in {*_KEPT, fields.OPTIONS}]
    return (*general, *fields.task_fields(_task(campaign).options))


def _settings(
    call: Call, campaign: Campaign, values: dict[str, Any], problems: Mapping[str, str]
) -> Response:
    with call.database.reading() as connection:
        newest = versions.get(connection, campaign.id)
    values.setdefault("guidelines", newest.text)
    asked = _fields(campaign)
    places = protocols.explain(campaign.settings, _task(campaign).options)
    return campaign_page(
        call,
        "settings.html",
        campaign,
        status=422 if problems else 200,
        fields=asked,
        values=Blank(values),
        problems=Blank(problems),
        places=Blank({one.name: one.place for one in places}),
        rows={
            one.name: _shown_rows(one, values) for one in _fields(campaign) if one.kind == "rows"
        },
        version=newest.version,
        offered_consent=CONSENT,
    )


def _shown_rows(one: SettingField, values: Mapping[str, Any]) -> int:
    first = one.fields[0].last
    filled = [number for number in range(_ROWS) if values.get(f"{one.name}.{number}.{first}")]
    return min(_ROWS, (filled[-1] + 1 if filled else 0) + _SPARE)


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
