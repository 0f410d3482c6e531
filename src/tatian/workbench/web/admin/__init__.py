"""Pages for those who run campaigns: ``/campaigns…`` and ``/account``.

Each is made on the server, and watching works without JavaScript. Campaigns are made, filled, set,
opened and exported by the commands; on the pages one watches, and decides where people differ.
"""

from __future__ import annotations

from starlette.routing import Route

from tatian.workbench.web.admin import (
    adjudication,
    dashboard,
    overview,
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
        *adjudication.PAGES,
    )
    return mount(site, (), pages)
