"""Static files: scripts, style sheets and pictures of the server and of tasks.

``/static/palette.css`` and ``/static/pages/`` are those of the pages that Tatian writes.
``/static/tasks/NAME/`` is the folder ``page`` of a task, from whichever package.
"""

from __future__ import annotations

import mimetypes
from functools import cache
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from tatian.consolidation import render
from tatian.views import palette
from tatian.workbench.tasks import Task, tasks

_STATIC = Path(__file__).parent / "static"
_TASKS = "/static/tasks"
_PAGES = Path(render.__file__).parent / "assets"


def mounts() -> list[Mount | Route]:
    """Return the routes of static files."""
    mimetypes.add_type("text/javascript", ".js")
    return [
        Mount(f"{_TASKS}/{{task}}", _serve_task_page, name="tasks"),
        Mount("/static/pages", _Static(directory=_PAGES), name="pages"),
        Route("/static/palette.css", _palette),
        Mount("/static", _Static(directory=_STATIC), name="static"),
    ]


def module_address(name: str, task: Task) -> str:
    """Return the address of a task page's script; `name` is the task's registered name."""
    return f"{_TASKS}/{quote(name, safe='')}/{quote(task.module)}"


class _Static(StaticFiles):
    """Files that browsers cache, but revalidate each time, so that an upgrade shows at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file, or a response that it has not changed."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


async def _palette(request: Request) -> Response:
    """Return the style sheet of Tatian's colours."""
    return Response(palette.css(), headers={"cache-control": "no-cache"}, media_type="text/css")


async def _serve_task_page(scope: Scope, receive: Receive, send: Send) -> None:
    await _task_files(scope["path_params"]["task"])(scope, receive, send)


@cache
def _task_files(name: str) -> _Static:
    """Return the files of a registered task's page; 404 for any other name."""
    folder = tasks.create(name).folder / "page" if name in tasks.names() else None
    if folder is None or not folder.is_dir():
        raise HTTPException(404)
    return _Static(directory=folder)
