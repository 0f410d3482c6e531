"""Pages for those who run campaigns: ``/campaigns…``, ``/new-campaign``, ``/users``, ``/account``.

Each is made on the server and works without JavaScript; what changes something goes the same way
as the API, and what cannot be undone asks first.
"""

from __future__ import annotations

from starlette.routing import Route

from tatian.workbench.web.admin import (
    accounts,
    adjudicating,
    confirming,
    creating,
    dashboard,
    guidelines,
    inviting,
    items,
    people,
    running,
    settings,
    suggesting,
)
from tatian.workbench.web.admin.adding import Adding
from tatian.workbench.web.admin.common import FILTERS
from tatian.workbench.web.routing import mount
from tatian.workbench.web.site import Site


def routes(site: Site) -> list[Route]:
    """Every page, to be mounted at the root."""
    site.templates.filters.update(FILTERS)
    adding = Adding()
    pages = (
        *running.PAGES,
        *dashboard.PAGES,
        *creating.PAGES,
        *confirming.PAGES,
        *adding.pages(),
        *items.PAGES,
        *suggesting.PAGES,
        *adjudicating.PAGES,
        *people.PAGES,
        *inviting.PAGES,
        *guidelines.PAGES,
        *settings.PAGES,
        *accounts.PAGES,
    )
    return [adding.route(site), *mount(site, (), pages)]
