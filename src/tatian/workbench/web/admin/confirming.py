"""The second round of mention detection, out of a campaign of the first."""

from __future__ import annotations

from starlette.responses import Response

from tatian.errors import TatianError
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest
from tatian.workbench.tasks.detection import DetectionTask
from tatian.workbench.web import api_confirming
from tatian.workbench.web.admin.common import campaign_of, campaign_page, home, to, told
from tatian.workbench.web.admin.forms import Blank, Form
from tatian.workbench.web.routing import Call, Page

_PATH = "/campaigns/{campaign}/confirmation"
_MOST = 1000


def follows(campaign: Campaign) -> bool:
    """Whether a campaign gathers what a second round confirms."""
    return campaign.task == DetectionTask.name


def ask(call: Call) -> Response:
    """The form."""
    campaign = campaign_of(call)
    values = {
        "id": f"{campaign.id}-confirmed"[:60],
        "title": f"{campaign.title}: confirmation",
        "annotators": "10",
    }
    return _ask(call, campaign, Form(values))


def create(call: Call) -> Response:
    """Make the campaign as a draft and go on to its page."""
    campaign, form = campaign_of(call), Form(call.body)
    title = form.text("title", most=200, required=True)
    id = form.text("id", most=60, required=True)
    annotators = form.needed("annotators", 1, _MOST)
    if form.problems:
        return _ask(call, campaign, form)
    try:
        asked = api_confirming.SecondRound(id, title, annotators, form.flag("repeats"))
        made = api_confirming.second_round(told(call, asked))
    except TatianError as error:
        form.problems["id"] = f"{error}."
        return _ask(call, campaign, form)
    return to(home(made.id), "created")


def _ask(call: Call, campaign: Campaign, form: Form) -> Response:
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


PAGES = (
    Page(method="GET", path=_PATH, who="admin", call=ask),
    Page(method="POST", path=_PATH, who="admin", call=create),
)
