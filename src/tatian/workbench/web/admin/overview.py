"""Campaigns at a glance: the list, and one's progress."""

from __future__ import annotations

from starlette.responses import Response

from tatian.workbench.campaigns import (
    campaigns,
    progress,
)
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.progress import Status
from tatian.workbench.web.admin.common import (
    campaign_of,
    campaign_page,
    home,
    page,
    task_title,
    user,
)
from tatian.workbench.web.presentation import moment
from tatian.workbench.web.routing import Call, Pages
from tatian.workbench.web.security import manages

_ONE = "/campaigns/{campaign}"
PAGES = Pages()


@PAGES.add("GET", "/campaigns", "user")
def listed(call: Call) -> Response:
    """The campaigns that somebody runs."""
    rows = []
    with call.database.reading() as connection:
        known = campaigns.listed(connection)
        for campaign in (one for one in known if manages(user(call), one.id)):
            so_far = progress.status(connection, campaign, people=False)
            states = progress.states(connection, campaign)
            rows.append(
                {
                    "campaign": campaign,
                    "home": home(campaign.id),
                    "task_title": task_title(campaign),
                    "size": so_far.items,
                    "wanted": so_far.wanted,
                    "answers": so_far.done,
                    "annotators": sum(states.values()) - states.get("deleted", 0),
                }
            )
    return page(call, "campaigns.html", rows=rows)


@PAGES.add("GET", _ONE, "manager")
def overview(call: Call) -> Response:
    """How far one campaign is."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        status = progress.status(connection, campaign, people=False)
        states = progress.states(connection, campaign)
        closed = campaign.state == "closed"
        unready = [] if closed else progress.warnings(connection, campaign)
    return campaign_page(
        call,
        "overview.html",
        campaign,
        so_far=status,
        unready=[_sentence(warning) for warning in unready],
        figures=_figures(campaign, status, states),
        stages=status.stages if len(status.stages) > 1 or status.stages[0].tests else (),
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _figures(campaign: Campaign, status: Status, states: dict[str, int]) -> list[tuple[str, str]]:
    working = sum(states.get(one, 0) for one in ("active", "finished"))
    figures = [
        ("Items", f"{status.items:,}"),
        ("Finished items", f"{status.complete:,}"),
        ("In somebody's hands", f"{status.open:,}"),
        ("Annotators", f"{working:,}"),
    ]
    shut = sum(states.get(one, 0) for one in ("excluded", "failed"))
    if shut:
        figures.append(("Excluded or failed", f"{shut:,}"))
    if status.retired:
        figures.append(("Retired items", f"{status.retired:,}"))
    if campaign.settings.deadline is not None:
        figures.append(("Deadline (UTC)", moment(campaign.settings.deadline)))
    return figures
