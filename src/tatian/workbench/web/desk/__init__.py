"""The desk in the browser: its API, and its pages, whose scripts use only the API."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from tatian.workbench.web.desk import models, questions, sources, text
from tatian.workbench.web.desk.common import project_of
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes((*sources.ROUTES, *text.ROUTES, *questions.ROUTES, *models.ROUTES))


@ROUTES.page("GET", "/desk", "user")
def show_projects(call: Call) -> Response:
    """Show the user's projects."""
    return _page(call, "desk/projects.html", title="Desk")


@ROUTES.page("GET", "/desk/{project}", "user")
def show_project(call: Call) -> Response:
    """Show a project: its sources, its text and its decisions."""
    with call.database.reading() as connection:
        shown = project_of(call, connection)
    return _page(call, "desk/project.html", title=shown.title, project=shown.id)


def _page(call: Call, template: str, **values: Any) -> Response:
    viewer = None if call.site.local else call.user.name
    admin = call.user.role == "admin"
    return call.site.page(template, csrf=call.caller.csrf, viewer=viewer, admin=admin, **values)
