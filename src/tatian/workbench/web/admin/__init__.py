"""Admin pages: ``/campaigns…`` and ``/account``.

Pages are rendered on the server and work without JavaScript. Actions that cannot be undone ask
first. Campaigns are created, filled and configured here or on the command line.
"""

from __future__ import annotations

from tatian.workbench.web.admin import adjudication, items, overview, people, setup
from tatian.workbench.web.routing import Routes

_MODULES = (overview, setup, items, adjudication, people)
ROUTES = Routes(route for module in _MODULES for route in module.ROUTES)
