"""The button on the items' page that has a model make suggestions."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from tatian.workbench.web.admin.common import campaign_of, home
from tatian.workbench.web.routing import Call, Page


def ask(call: Call) -> Response:
    """Begin, unless it has begun, and go back to the items at once."""
    campaign = campaign_of(call)
    work = call.site.suggesting.begin(call.database, campaign, call.caller.actor)
    address = f"{home(campaign.id)}/items?done=suggesting"
    return RedirectResponse(address, 303, background=work)


PAGES = (Page(method="POST", path="/campaigns/{campaign}/suggestions", who="manager", call=ask),)
