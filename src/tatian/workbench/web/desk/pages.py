"""The pages of the desk; their scripts ask the API for everything."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from tatian.workbench.desk import projects
from tatian.workbench.web.routing import Call, Pages

PAGES = Pages()


@PAGES.add("GET", "/desk", "user")
def overview(call: Call) -> Response:
    """One's projects."""
    return _page(call, "desk/projects.html", title="Desk")


@PAGES.add("GET", "/desk/{project}", "user")
def project(call: Call) -> Response:
    """One project: its accounts, its text, what was decided."""
    assert call.caller.user is not None
    with call.database.reading() as connection:
        found = projects.get(connection, call.caller.user.id, call.path["project"])
    return _page(call, "desk/project.html", title=found.title, project=found.id)


def _page(call: Call, template: str, **values: Any) -> Response:
    assert call.caller.user is not None
    csrf = call.caller.session.csrf if call.caller.session else ""
    viewer = None if call.site.local else call.caller.user.name
    return call.site.page(template, csrf=csrf, viewer=viewer, **values)
