"""A new campaign: its task and its title, or what a campaign of mention detection gathered.

The rest is filled in on its own pages.
"""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct
from starlette.responses import Response

from tatian.errors import TatianError
from tatian.workbench.campaigns import campaigns, plans
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, Conflict
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.tasks.detection import DetectionTask
from tatian.workbench.web.admin.common import (
    Blank,
    Form,
    campaign_of,
    campaign_page,
    home,
    page,
    to,
)
from tatian.workbench.web.routing import Call, Pages

_PATH = "/campaigns/{campaign}/confirmation"
PAGES = Pages()


class Described(Struct, frozen=True):
    """A task as somebody chooses it."""

    name: str
    title: str
    description: str


@PAGES.add("GET", "/new-campaign", "admin")
def ask(call: Call) -> Response:
    """The form."""
    return _ask(call, Form({"task": tasks.default}))


@PAGES.add("POST", "/new-campaign", "admin")
def create(call: Call) -> Response:
    """Make the campaign as a draft and go on to its page."""
    form = Form(call.body)
    title = form.text("title", most=200, required=True)
    id = form.text("id", most=60) or slug(title)
    task = form.choice("task", tasks.names(), tasks.default)
    if not form.problems:
        try:
            text, by = tasks.create(task).guidelines(), call.caller.actor
            with call.database.writing() as connection:
                campaigns.create(connection, id, task, title, CampaignSettings(), text, by)
            return to(home(id), "created")
        except (BadRequest, Conflict) as error:
            form.problems["id"] = f"{error}."
        except TatianError as error:
            form.problems["task"] = f"This task cannot be used: {error}."
    return _ask(call, form)


def slug(title: str) -> str:
    """A short name made from a title: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "campaign"


def described(name: str) -> Described | None:
    """What a task is about; None where it cannot be loaded."""
    try:
        task: Task = tasks.create(name)
    except TatianError:
        return None
    return Described(name, task.title, (type(task).__doc__ or "").strip().partition("\n")[0])


def _ask(call: Call, form: Form) -> Response:
    known = [one for name in tasks.names() if (one := described(name)) is not None]
    return page(
        call,
        "new.html",
        status=422 if form.problems else 200,
        tasks=known,
        problems=form.problems,
        values=Blank(form.fields),
    )


_MOST = 1000


def follows(campaign: Campaign) -> bool:
    """Whether a campaign gathers what a second round confirms."""
    return campaign.task == DetectionTask.name


@PAGES.add("GET", _PATH, "admin")
def ask_again(call: Call) -> Response:
    """The form of a second round of mention detection, out of a campaign of the first."""
    campaign = campaign_of(call)
    values = {
        "id": f"{campaign.id}-confirmed"[:60],
        "title": f"{campaign.title}: confirmation",
        "annotators": "10",
    }
    return _ask_again(call, campaign, Form(values))


@PAGES.add("POST", _PATH, "admin")
def create_again(call: Call) -> Response:
    """Make the campaign as a draft and go on to its page."""
    campaign, form = campaign_of(call), Form(call.body)
    title = form.text("title", most=200, required=True)
    id = form.text("id", most=60, required=True)
    annotators = form.needed("annotators", 1, _MOST)
    if form.problems:
        return _ask_again(call, campaign, form)
    try:
        with call.database.writing() as connection:
            planned = plans.second_round(
                connection,
                campaign,
                id,
                title=title,
                annotators=annotators,
                repeats=form.flag("repeats"),
            )
            plans.make(connection, planned, call.caller.actor)
    except TatianError as error:
        form.problems["id"] = f"{error}."
        return _ask_again(call, campaign, form)
    return to(home(id), "created")


def _ask_again(call: Call, campaign: Campaign, form: Form) -> Response:
    if not follows(campaign):
        raise BadRequest("only what mention detection gathered can be confirmed")
    return campaign_page(
        call,
        "second_round.html",
        campaign,
        status=422 if form.problems else 200,
        values=Blank(form.fields),
        problems=form.problems,
    )
