"""Pages to create and configure a campaign, with forms from the descriptions of settings."""

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
from tatian.workbench.tasks import tasks
from tatian.workbench.web.admin.common import (
    Blank,
    Form,
    campaign_of,
    campaign_page,
    campaign_path,
    page,
    redirect,
)
from tatian.workbench.web.presentation import as_sentence, format_moment_as
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
_SETTINGS = "/campaigns/{campaign}/settings"
_PROTOCOL = "protocol:"
"""Prefix of the choices that are protocols, not tasks."""
_SPARE_ROWS = 2
"""Number of empty rows at the end of a form's list."""
_MAX_ROWS = 50
"""Maximum number of rows of a form's list."""
_PROSE_CHARACTERS = 50_000
"""Maximum length of a text of several lines."""
_MOMENT_FORMAT = "%Y-%m-%dT%H:%M"


@ROUTES.page("GET", "/new-campaign", "admin")
def show_new_campaign(call: Call) -> Response:
    """Show the form for a new campaign."""
    return _new_campaign_page(call, Form({"asks": tasks.default}))


@ROUTES.page("POST", "/new-campaign", "admin")
def create_campaign(call: Call) -> Response:
    """Create the campaign as a draft, and redirect to its items."""
    form = Form(call.body)
    title = form.text("title", most=300)
    if not title:
        form.problems["title"] = "Give it a title: people see it."
    id = form.text("id", most=64) or slug(title)
    entry = form.choice("asks", [name for _, group in _choices() for name, _ in group], "")
    if form.problems:
        return _new_campaign_page(call, form)
    task, settings = entry.removeprefix(_PROTOCOL), CampaignSettings()
    if task != entry:
        settings = protocols.initial_settings(task)
        task = protocols.get_protocol(task).task
    try:
        text = tasks.create(task).guidelines()
        with call.database.writing() as connection:
            campaigns.create(connection, id, task, title, settings, text, call.caller.actor)
    except (BadRequest, Conflict) as error:
        form.problems["id"] = as_sentence(str(error))
        return _new_campaign_page(call, form)
    return redirect(f"{campaign_path(id)}/items/add", "created")


def slug(title: str) -> str:
    """Return a short id made from a title: small letters, digits and hyphens."""
    ascii = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii).strip("-")[:40].strip("-") or "campaign"


def _choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the choices of a new campaign in groups: tasks, and protocols of papers."""
    task_choices = [(name, f"{tasks.create(name).title} ({name})") for name in tasks.names()]
    papers = [
        (_PROTOCOL + protocol.name, f"{protocol.title}: {protocol.paper} ({protocol.name})")
        for protocol in protocols.PROTOCOLS.values()
    ]
    return [("A task", task_choices), ("A paper's protocol: task and settings", papers)]


def _new_campaign_page(call: Call, form: Form) -> Response:
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
    """Create the second round of mention detection, as a draft, from all links so far."""
    campaign, id = campaign_of(call), Form(call.body).text("id", most=64)
    with call.database.writing() as connection:
        planned = plans.plan_second_round(connection, campaign, id)
        plans.create_planned(connection, planned, call.caller.actor)
    return redirect(campaign_path(id), "followed")


@ROUTES.page("GET", _SETTINGS, "manager")
def show_settings(call: Call) -> Response:
    """Show the current settings and the latest instructions."""
    campaign = campaign_of(call)
    values = form_texts(_fields(campaign), fields.all_values(campaign.settings))
    return _settings_page(call, campaign, {**values, "title": campaign.title}, {})


@ROUTES.page("POST", _SETTINGS, "manager")
def save_settings(call: Call) -> Response:
    """Save the form, or show its problems."""
    campaign, form = campaign_of(call), Form(call.body)
    title = form.text("title", most=300)
    if not title:
        form.problems["title"] = "Give it a title: people see it."
    values = fields.all_values(campaign.settings) | read_form(_fields(campaign), form)
    if not form.problems:
        try:
            new = fields.parse_settings(values)
            with call.database.writing() as connection:
                campaign = campaigns.change(
                    connection, campaign.id, call.caller.actor, title=title, settings=new
                )
            if new.suggestions != "none":
                items.suggest(
                    call.database, campaign, tasks.create(campaign.task), call.caller.actor
                )
            return redirect(f"{campaign_path(campaign.id)}/settings", "saved")
        except TatianError as error:
            form.problems["settings"] = as_sentence(str(error))
    return _settings_page(call, campaign, dict(form.fields), form.problems)


@ROUTES.page("POST", f"{_SETTINGS}/guidelines", "manager")
def add_guidelines(call: Call) -> Response:
    """Store a new version of the instructions."""
    campaign, form = campaign_of(call), Form(call.body)
    text = form.text("guidelines", most=10 * _PROSE_CHARACTERS)
    if form.problems:
        values = form_texts(_fields(campaign), fields.all_values(campaign.settings))
        entered = {**values, "title": campaign.title, "guidelines": text}
        return _settings_page(call, campaign, entered, form.problems)
    with call.database.writing() as connection:
        versions.add(connection, campaign.id, text, call.caller.actor)
    return redirect(f"{campaign_path(campaign.id)}/settings", "instructed")


def form_texts(form_fields: Iterable[SettingField], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the text of every field of a form, by name."""
    texts: dict[str, Any] = {}
    for field in form_fields:
        value = fields.value_at(values, field.name)
        if field.kind == "group":
            texts[field.name] = "" if value is None else "yes"
            texts |= form_texts(field.fields, values)
        elif field.kind == "rows":
            for number, row in enumerate(value or ()):
                for inner in field.fields:
                    name = f"{field.name}.{number}.{inner.short_name}"
                    texts[name] = _text(inner, row.get(inner.short_name, inner.default))
        else:
            texts[field.name] = _text(field, field.default if value is None else value)
    return texts


def read_form(form_fields: Iterable[SettingField], form: Form) -> dict[str, Any]:
    """Return a form's values as JSON; those that cannot be read are in `form.problems`."""
    values: dict[str, Any] = {}
    for field in form_fields:
        value: Any = None
        if field.kind == "rows":
            value = _rows(field, form)
        elif field.kind != "group":
            value = _value(field, field.name, form)
        elif form.fields.get(field.name) == "yes":
            value = read_form(field.fields, form).get(field.name)
        fields.set_value(values, field.name, value)
    return values


def _rows(field: SettingField, form: Form) -> list[dict[str, Any]]:
    """Return the rows of a form's list whose first field is filled in."""
    rows = []
    names = {inner.short_name: inner for inner in field.fields}
    for number in range(_MAX_ROWS):
        prefix = f"{field.name}.{number}."
        if form.fields.get(prefix + next(iter(names)), "").strip():
            rows.append({name: _value(names[name], prefix + name, form) for name in names})
    return rows


def _value(field: SettingField, name: str, form: Form) -> Any:
    if field.kind == "boolean":
        return form.fields.get(name) == "yes"
    text = form.text(name, most=_PROSE_CHARACTERS if field.kind == "prose" else 10_000)
    if field.kind in ("integer", "decimal", "moment"):
        return _number(field, name, text, form)
    if field.kind == "choices":
        return [word.strip() for word in text.split(",") if word.strip()]
    return None if field.optional and not text else text


def _number(field: SettingField, name: str, text: str, form: Form) -> float | int | None:
    default: float | int | None = field.default
    if not text and (field.optional or default is not None):
        return None if field.optional else default
    try:
        if field.kind == "moment":
            moment = datetime.strptime(text, _MOMENT_FORMAT).replace(tzinfo=UTC)
            return int(moment.timestamp() * 1000)
        number = int(text) if field.kind == "integer" else float(text)
    except (ValueError, OverflowError):
        kind = {"integer": "A whole number", "decimal": "A number such as 0.5"}
        form.problems[name] = f"{field.title}: {kind.get(field.kind, 'A date and time')}, please."
        return None
    if field.bounds_problem(number):
        form.problems[name] = f"{field.title}: {field.least:,.10g} to {field.most:,.10g}, please."
    return number


def _text(field: SettingField, value: Any) -> str:
    if value is None:
        return ""
    if field.kind == "boolean":
        return "yes" if value else ""
    if field.kind == "choices":
        return ", ".join(value)
    return format_moment_as(value, _MOMENT_FORMAT) if field.kind == "moment" else str(value)


def _fields(campaign: Campaign) -> tuple[SettingField, ...]:
    """Return the fields of a campaign's form: every setting, and the options of its task."""
    hidden = {"protocol", fields.OPTIONS}
    general = [field for field in fields.describe_fields() if field.name not in hidden]
    return (*general, *fields.task_fields(tasks.create(campaign.task).options))


def _settings_page(
    call: Call, campaign: Campaign, values: dict[str, Any], problems: Mapping[str, str]
) -> Response:
    with call.database.reading() as connection:
        newest = versions.get(connection, campaign.id)
    values.setdefault("guidelines", newest.text)
    form_fields = _fields(campaign)
    rows = {field.name: _count_rows(field, values) for field in form_fields if field.kind == "rows"}
    explanations = protocols.explain(campaign.settings, tasks.create(campaign.task).options)
    return campaign_page(
        call,
        "settings.html",
        campaign,
        status=422 if problems else 200,
        fields=form_fields,
        values=Blank(values),
        problems=Blank(problems),
        places=Blank({explained.name: explained.place for explained in explanations}),
        rows=rows,
        version=newest.version,
        offered_consent=CONSENT,
    )


def _count_rows(field: SettingField, values: Mapping[str, Any]) -> int:
    """Return the number of rows that a form shows: the filled ones, and some empty ones."""
    first = field.fields[0].short_name
    filled = [number for number in range(_MAX_ROWS) if values.get(f"{field.name}.{number}.{first}")]
    return min(_MAX_ROWS, (filled[-1] + 1 if filled else 0) + _SPARE_ROWS)
