"""Frame and form handling of the pages for those who run campaigns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response, StreamingResponse

from tatian.errors import TatianError
from tatian.workbench.accounts.users import User
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exports import Download
from tatian.workbench.tasks import tasks
from tatian.workbench.web.routing import Call

_NOTICES = {
    "saved": "Saved.",
    "created": "The campaign is there, as a draft. Now its items.",
    "followed": "The second round is there, as a draft.",
    "imported": "The items are in the campaign.",
    "instructed": "Saved: the new instructions hold from now on.",
    "opened": "Open: people who have a link can work now.",
    "closed": "Closed.",
    "invited": "The new link is in the list.",
    "revoked": "Revoked.",
    "excluded": "Excluded; their items are open to others again.",
    "readmitted": "Readmitted.",
    "promoted": "Promoted to the next stage.",
    "deleted": "Their personal data is deleted.",
    "removed": "The campaign is deleted.",
    "retired": "Retired: it is given out no more.",
    "returned": "Back: it is given out again.",
    "adjudicated": "Saved. Nothing more is left to decide.",
    "applied": "The rule has decided whatever it settles.",
}
"""Message of a page after an action; addresses contain only the key."""


def user(call: Call) -> User:
    """Return the user who is signed in, as every page here requires."""
    assert call.caller.user is not None
    return call.caller.user


def page(call: Call, template: str, *, status: int = 200, **values: Any) -> Response:
    """Render a template with the values of the frame around every page."""
    frame = {
        "viewer": user(call),
        "csrf": call.caller.csrf,
        "notice": _NOTICES.get(call.request.query_params.get("done", ""), ""),
        "place": "",
    }
    return call.site.page(f"admin/{template}", status, **(frame | values))


def campaign_page(
    call: Call, template: str, campaign: Campaign, *, status: int = 200, **values: Any
) -> Response:
    """Render a page of one campaign, with its heading and tabs."""
    frame = {"campaign": campaign, "home": home(campaign.id), "task_title": task_title(campaign)}
    return page(call, template, status=status, **frame, **values)


def confirm(call: Call, question: str, consequence: str, verb: str, back: str) -> Response | None:
    """Return the page that asks first; None once the person has confirmed."""
    if "confirmed" in call.body:
        return None
    return page(
        call,
        "confirm.html",
        question=question,
        consequence=consequence,
        verb=verb,
        back=back,
        action=call.request.url.path,
        fields=call.body,
    )


def as_download(download: Download) -> Response:
    """Return a file as a download."""
    headers = {
        "content-disposition": f'attachment; filename="{download.name}"',
        "content-length": str(download.size),
    }
    return StreamingResponse(download.chunks(), headers=headers, media_type=download.media)


def redirect(path: str, done: str = "") -> Response:
    """Redirect the browser after a change, so that reloading does not repeat it."""
    return RedirectResponse(f"{path}?done={done}" if done else path, 303)


def campaign_of(call: Call) -> Campaign:
    """Return the campaign in the address."""
    with call.database.reading() as connection:
        return campaigns.get(connection, call.path["campaign"])


def home(id: str) -> str:
    """Return the address of a campaign's own page."""
    return f"/campaigns/{id}"


def task_title(campaign: Campaign) -> str:
    """Return the title of the task; its name if its package is no longer installed."""
    try:
        return tasks.create(campaign.task).title
    except TatianError:
        return campaign.task


def query_number(call: Call, name: str, default: int) -> int:
    """Return a number from the query of the address, or the default if there is none."""
    value = call.request.query_params.get(name, "")
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 16 else default


def page_links(path: str, page: int, pages: int, **fields: str) -> dict[str, Any]:
    """Return the values for turning the pages of a list: position, and addresses around it."""

    def address(number: int) -> str:
        return f"{path}?{urlencode({**fields, 'page': number})}" if 1 <= number <= pages else ""

    return {"page": page, "pages": pages, "before": address(page - 1), "after": address(page + 1)}


class Blank(dict[str, Any]):
    """Values by name for a template; missing ones are empty."""

    def __missing__(self, name: str) -> str:
        return ""


class Form:
    """Fields of a form by name, and `problems` by field."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields
        self.problems: dict[str, str] = Blank()

    def text(self, name: str, *, most: int = 10_000) -> str:
        """Return a field without the blanks around it."""
        value = self.fields.get(name, "").strip().replace("\r\n", "\n")
        if "\0" in value:
            self.problems[name] = "This holds a character that cannot be stored."
        elif len(value) > most:
            self.problems[name] = f"At most {most:,} characters, please; this has {len(value):,}."
        return value

    def whole(self, name: str, least: int, most: int) -> int | None:
        """Return a whole number; None if the field is empty or wrong."""
        value = self.text(name)
        if not value:
            return None
        try:
            number = int(value)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            self.problems[name] = f"A whole number from {least:,} to {most:,}, please."
            return None
        return number

    def choice(self, name: str, allowed: Collection[str], default: str) -> str:
        """Return one of several values."""
        value = self.fields.get(name, default)
        if value not in allowed:
            self.problems[name] = "Choose one of these, please."
            return default
        return value
