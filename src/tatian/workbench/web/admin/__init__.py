"""Pages for those who run campaigns: ``/campaigns…`` and ``/account``.

Each is made on the server and works without JavaScript; what cannot be undone asks first. Campaigns
are made, filled and set here or by the commands.
"""

from __future__ import annotations

from tatian.workbench.web.admin import (
    adding,
    adjudication,
    dashboard,
    invitations,
    items,
    overview,
    people,
    setup,
)
from tatian.workbench.web.routing import Routes

ROUTES = Routes(
    (
        *overview.ROUTES,
        *setup.ROUTES,
        *adding.ROUTES,
        *dashboard.ROUTES,
        *items.ROUTES,
        *adjudication.ROUTES,
        *people.ROUTES,
        *invitations.ROUTES,
    )
)
