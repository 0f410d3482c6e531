"""Pages for those who run campaigns: ``/campaigns…`` and ``/account``.

Each is made on the server and works without JavaScript; what cannot be undone asks first. Campaigns
are made, filled and set by the commands.
"""

from __future__ import annotations

from starlette.routing import Route

from tatian.workbench.web.admin import (
    adjudication,
    dashboard,
    invitations,
    items,
    overview,
    people,
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
        *items.PAGES,
        *adjudication.PAGES,
        *people.PAGES,
        *invitations.PAGES,
    )
    return mount(site, (), pages)
