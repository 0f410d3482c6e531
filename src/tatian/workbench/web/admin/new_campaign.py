"""A new campaign: its task and its title; the rest is filled in on its own pages."""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct
from starlette.responses import Response

from tatian.errors import TatianError
from tatian.workbench.errors import BadRequest, Conflict
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.web import api_admin
from tatian.workbench.web.admin.common import home, page, to, told
from tatian.workbench.web.admin.forms import Blank, Form
from tatian.workbench.web.routing import Call, Page


class Described(Struct, frozen=True):
    """A task as somebody chooses it."""

    name: str
    title: str
    description: str


def ask(call: Call) -> Response:
    """The form."""
    return _ask(call, Form({"task": tasks.default}))


def create(call: Call) -> Response:
    """Make the campaign as a draft and go on to its page."""
    form = Form(call.body)
    title = form.text("title", most=200, required=True)
    id = form.text("id", most=60) or slug(title)
    task = form.choice("task", tasks.names(), tasks.default)
    if not form.problems:
        try:
            made = api_admin.create(told(call, api_admin.NewCampaign(id, task, title)))
            return to(home(made.id), "created")
        except (BadRequest, Conflict) as error:
            form.problems["id"] = f"{error}."
        except TatianError as error:
            form.problems["task"] = f"This task cannot be used: {error}."
    return _ask(call, form)


def slug(title: str) -> str:
    """A short name made from a title: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "campaign"


def described(name: str) -> Described | None:
    """What a task is about; None where it cannot be loaded."""
    try:
        task: Task = tasks.create(name)
    except TatianError:
        return None
    return Described(name, task.title, (type(task).__doc__ or "").strip().partition("\n")[0])


def _ask(call: Call, form: Form) -> Response:
    known = [one for name in tasks.names() if (one := described(name)) is not None]
    return page(
        call,
        "new.html",
        status=422 if form.problems else 200,
        tasks=known,
        problems=form.problems,
        values=Blank(form.fields),
    )


PAGES = (
    Page(method="GET", path="/new-campaign", who="admin", call=ask),
    Page(method="POST", path="/new-campaign", who="admin", call=create),
)
