"""How a campaign runs, in a form that says what each choice means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import count
from typing import Any, get_args

import msgspec
from starlette.responses import Response

from tatian.errors import InputError, TatianError
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import (
    CONSENT,
    CampaignSettings,
    CampaignStage,
    Panel,
    Pay,
    Suggestions,
)
from tatian.workbench.tasks import tasks
from tatian.workbench.web.admin.common import (
    Blank,
    Form,
    campaign_of,
    campaign_page,
    home,
    to,
)
from tatian.workbench.web.presentation import dated
from tatian.workbench.web.routing import Call, Pages

PAGES = Pages()

_ROWS = 4
"""Rows for stages before production, and more where a campaign has more."""
_MARK = "stage_{}_mark"
_NAME = "stage_{}_name"
_FEEDBACK = "stage_{}_feedback"
_CODES = ("code", "failed", "excluded", "over")
"""What each outcome's code is called, in a panel's settings."""
_YEAR = 60 * 24 * 365
_MANY = 1_000_000


def shown(settings: CampaignSettings) -> dict[str, Any]:
    """Every field's value for the template."""
    panel = settings.panel or Panel()
    values: dict[str, Any] = {
        "annotators": settings.annotators,
        "seed": settings.seed,
        "shuffled": settings.shuffled,
        "batch": settings.batch,
        "in_turn": settings.in_turn,
        "most": settings.most,
        "lease": settings.lease,
        "deadline": dated(settings.deadline, "%Y-%m-%dT%H:%M") if settings.deadline else "",
        "production": settings.stages[-1].name,
        "test_every": settings.test_every,
        "test_mark": percent(settings.test_mark),
        "test_least": settings.test_least,
        "least": settings.least,
        "corrections": settings.corrections,
        "suggestions": settings.suggestions,
        "consent": settings.consent,
        "requirements": settings.requirements,
        **_pay_shown(settings.pay),
        "panel": settings.panel is not None,
        "panel_person": panel.person,
        "panel_study": panel.study,
        "panel_session": panel.session,
        **{f"panel_{name}": getattr(panel, name) for name in _CODES},
        "panel_redirect": panel.redirect,
        "options": msgspec.json.encode(settings.options).decode() if settings.options else "",
    }
    for row, stage in enumerate(settings.stages[:-1]):
        values[_NAME.format(row)] = stage.name
        values[_FEEDBACK.format(row)] = stage.feedback
        values[_MARK.format(row)] = percent(stage.pass_mark)
    return {name: "" if value is None else value for name, value in values.items()}


def rows(values: Mapping[str, Any]) -> int:
    """How many stages before production a form has room for."""
    return next(row for row in count(_ROWS) if _NAME.format(row) not in values)


def read(form: Form) -> CampaignSettings:
    """The settings that a form means; check `form.problems` before keeping them."""
    return CampaignSettings(
        annotators=form.needed("annotators", 1, 1000),
        seed=form.needed("seed", 0, 2**31 - 1),
        shuffled=form.flag("shuffled"),
        batch=form.needed("batch", 0, _MANY),
        in_turn=form.flag("in_turn"),
        most=form.whole("most", 1, _MANY),
        lease=form.needed("lease", 1, _YEAR),
        deadline=form.moment("deadline"),
        stages=_stages(form),
        test_every=_test_every(form),
        test_mark=form.share("test_mark"),
        test_least=form.whole("test_least", 1, 10_000) or 1,
        least=form.whole("least", 0, _MANY) or 0,
        corrections=form.flag("corrections"),
        suggestions=_suggestions(form),
        panel=_panel(form),
        consent=form.text("consent", most=50_000),
        requirements=form.text("requirements", most=50_000),
        pay=_pay(form),
        options=_options(form),
    )


def percent(value: float | None) -> str:
    """A fraction of 1 as people say it."""
    return "" if value is None else f"{value * 100:.10g}"


def _stages(form: Form) -> tuple[CampaignStage, ...]:
    stages = []
    for row in range(rows(form.fields)):
        mark = form.share(_MARK.format(row))
        if name := form.text(_NAME.format(row), most=80):
            stages.append(CampaignStage(name, form.flag(_FEEDBACK.format(row)), mark))
        elif mark is not None:
            form.problems[_NAME.format(row)] = "A stage with a pass mark needs a name."
    stages.append(CampaignStage(form.text("production", most=80) or "production"))
    names = [stage.name for stage in stages]
    if len(set(names)) < len(names):
        form.problems["production"] = "Two stages have the same name."
    return tuple(stages)


def _test_every(form: Form) -> int:
    every = form.needed("test_every", 0, 10_000)
    if every == 1:
        form.problems["test_every"] = "0 for none, or 2 and more: not every item can be a test."
    return every


def _suggestions(form: Form) -> Suggestions:
    allowed: tuple[Suggestions, ...] = get_args(Suggestions)
    value = form.choice("suggestions", allowed, "none")
    return next(one for one in allowed if one == value)


def _panel(form: Form) -> Panel | None:
    if not form.flag("panel"):
        return None
    default = Panel()
    redirect = form.text("panel_redirect", most=2000)
    if redirect and not redirect.startswith("https://"):
        form.problems["panel_redirect"] = "An address that begins with https://, please."
    return Panel(
        person=form.text("panel_person", most=100) or default.person,
        study=form.text("panel_study", most=100) or default.study,
        session=form.text("panel_session", most=100) or default.session,
        **{name: form.text(f"panel_{name}", most=200) for name in _CODES},
        redirect=redirect,
    )


def _options(form: Form) -> dict[str, Any]:
    written = form.text("options")
    if not written:
        return {}
    try:
        return msgspec.json.decode(written, type=dict[str, Any])
    except msgspec.DecodeError as error:
        form.problems["options"] = f"Not a JSON object ({error})."
        return {}


@PAGES.add("GET", "/campaigns/{campaign}/settings", "manager")
def ask(call: Call) -> Response:
    """The settings as they are."""
    campaign = campaign_of(call)
    values = shown(campaign.settings) | {"title": campaign.title}
    return _ask(call, campaign, values, {})


@PAGES.add("POST", "/campaigns/{campaign}/settings", "manager")
def save(call: Call) -> Response:
    """Keep what was filled in, or show what is wrong with it."""
    campaign, form = campaign_of(call), Form(call.body)
    title = form.text("title", most=200, required=True)
    settings = read(form)
    try:
        tasks.create(campaign.task).check_options(settings.options)
    except InputError as error:
        form.problems["options"] = f"{error}."
    if not form.problems:
        try:
            with call.database.writing() as connection:
                by = call.caller.actor
                campaigns.change(connection, campaign.id, by, title=title, settings=settings)
            return to(f"{home(campaign.id)}/settings", "saved")
        except TatianError as error:
            form.problems["title"] = f"This does not go together: {error}."
    return _ask(call, campaign, dict(form.fields), form.problems)


def _ask(
    call: Call, campaign: Campaign, values: dict[str, str], problems: dict[str, str]
) -> Response:
    return campaign_page(
        call,
        "settings.html",
        campaign,
        status=422 if problems else 200,
        values=Blank(values),
        problems=Blank(problems),
        stages=rows(values),
        offered_consent=CONSENT,
    )


_DEAREST = 1_000_000
_AMOUNTS = ("pay_item", "pay_bonus", "pay_least_hourly")
_CURRENCY = re.compile(r"[A-Z]{3}")


def _pay_shown(pay: Pay | None) -> dict[str, Any]:
    values = pay or Pay()
    return {
        "pay": pay is not None,
        "pay_item": _written(values.item),
        "pay_bonus": _written(values.bonus),
        "pay_every": values.every,
        "pay_training": values.training,
        "pay_currency": values.currency,
        "pay_least_hourly": _written(values.least_hourly),
    }


def _pay(form: Form) -> Pay | None:
    """None where nobody is paid."""
    if not form.flag("pay"):
        for name in _AMOUNTS:
            if _amount(form, name):
                form.problems[name] = "Tick the box to pay, or clear this."
        return None
    currency = form.text("pay_currency", most=3).upper() or Pay().currency
    if not _CURRENCY.fullmatch(currency):
        form.problems["pay_currency"] = "Three letters, please, such as USD or EUR."
    bonus, every = _amount(form, "pay_bonus"), form.whole("pay_every", 0, _DEAREST) or 0
    if bonus and not every:
        form.problems["pay_every"] = "For how many items is the bonus?"
    return Pay(
        _amount(form, "pay_item") or 0.0,
        bonus or 0.0,
        every,
        form.flag("pay_training"),
        currency,
        _amount(form, "pay_least_hourly"),
    )


def _written(amount: float | None) -> str:
    return "" if amount is None else f"{amount:.10g}"


def _amount(form: Form, name: str) -> float | None:
    """An amount of money; None where the field is empty or wrong."""
    value = form.text(name, most=20)
    if not value:
        return None
    try:
        amount = float(value)
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= _DEAREST:
        form.problems[name] = "An amount from 0 to 1,000,000, please, such as 0.30."
        return None
    return amount
