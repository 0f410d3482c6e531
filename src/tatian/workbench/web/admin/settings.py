"""How a campaign runs, in a form that says what each choice means."""

from __future__ import annotations

from msgspec.structs import asdict
from starlette.responses import Response

from tatian.errors import InputError, TatianError
from tatian.workbench.campaigns import panels
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CONSENT, SettingsChange
from tatian.workbench.tasks import tasks
from tatian.workbench.web import api_admin
from tatian.workbench.web.admin import settings_form
from tatian.workbench.web.admin.common import campaign_of, campaign_page, home, to, told
from tatian.workbench.web.admin.forms import Blank, Form
from tatian.workbench.web.routing import Call, Page


def ask(call: Call) -> Response:
    """The settings as they are."""
    campaign = campaign_of(call)
    values = settings_form.shown(campaign.settings) | {"title": campaign.title}
    return _ask(call, campaign, values, {})


def save(call: Call) -> Response:
    """Keep what was filled in, or show what is wrong with it."""
    campaign, form = campaign_of(call), Form(call.body)
    title = form.text("title", most=200, required=True)
    settings = settings_form.read(form)
    try:
        tasks.create(campaign.task).check_options(settings.options)
    except InputError as error:
        form.problems["options"] = f"{error}."
    if not form.problems:
        try:
            all_of_them = SettingsChange(**asdict(settings))
            api_admin.change(told(call, api_admin.CampaignChange(title, all_of_them)))
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
        stages=settings_form.rows(values),
        offered_consent=CONSENT,
        adapters=[(name, name) for name in panels.adapters.names()],
    )


PAGES = (
    Page(method="GET", path="/campaigns/{campaign}/settings", who="manager", call=ask),
    Page(method="POST", path="/campaigns/{campaign}/settings", who="manager", call=save),
)
