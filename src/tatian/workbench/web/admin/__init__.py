"""Pages for those who run campaigns: ``/campaigns…``, ``/new-campaign``, ``/users``, ``/account``.

Each is made on the server and works without JavaScript; what changes something goes the same way
as the API, and what cannot be undone asks first.
"""

from __future__ import annotations

from starlette.routing import Route

from tatian.workbench.web.admin import (
    accounts,
    adjudication,
    dashboard,
    guidelines,
    invitations,
    items,
    new_campaign,
    overview,
    people,
    settings,
    uploads,
)
from tatian.workbench.web.admin.common import FILTERS
from tatian.workbench.web.routing import mount
from tatian.workbench.web.site import Site


def routes(site: Site) -> list[Route]:
    """Every page, to be mounted at the root."""
    site.templates.filters.update(FILTERS)
    pages = (
        *overview.PAGES,
        *dashboard.PAGES,
        *new_campaign.PAGES,
        *uploads.PAGES,
        *items.PAGES,
        *adjudication.PAGES,
        *people.PAGES,
        *invitations.PAGES,
        *guidelines.PAGES,
        *settings.PAGES,
        *accounts.PAGES,
    )
    return [uploads.route(site), *mount(site, (), pages)]
