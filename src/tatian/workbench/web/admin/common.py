"""Layout and forms of the admin pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response, StreamingResponse

from tatian.errors import TatianError
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exports import Download
from tatian.workbench.tasks import tasks
from tatian.workbench.web.routing import Call


def page(call: Call, template: str, *, status: int = 200, **values: Any) -> Response:
    """Render a template with the values of the page layout."""
    notice = call.request.query_params.get("done", "")
    layout = {"viewer": call.user, "csrf": call.caller.csrf, "notice": notice, "place": ""}
    return call.site.page(f"admin/{template}", status, **(layout | values))


def campaign_page(
    call: Call, template: str, campaign: Campaign, *, status: int = 200, **values: Any
) -> Response:
    """Render a page of one campaign, with its heading and tabs."""
    layout = {
        "campaign": campaign,
        "home": campaign_path(campaign.id),
        "task_title": task_title(campaign),
    }
    return page(call, template, status=status, **layout, **values)


def confirm(call: Call, action: str, back: str, **values: Any) -> Response | None:
    """Return a page that asks to confirm an action; None if the user has confirmed it."""
    if "confirmed" in call.body:
        return None
    values |= {"action": action, "address": call.request.url.path, "fields": call.body}
    return page(call, "confirm.html", back=back, **values)


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
    """Return the campaign in the URL."""
    with call.database.reading() as connection:
        return campaigns.get(connection, call.path["campaign"])


def campaign_path(id: str) -> str:
    """Return the URL of a campaign's overview page."""
    return f"/campaigns/{id}"


def task_title(campaign: Campaign) -> str:
    """Return the title of the task, or its name if its package is no longer installed."""
    try:
        return tasks.create(campaign.task).title
    except TatianError:
        return campaign.task


def query_number(call: Call, name: str, default: int) -> int:
    """Return a number from the URL's query, or the default if there is none."""
    value = call.request.query_params.get(name, "")
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 16 else default


def page_links(path: str, page: int, pages: int, **fields: str) -> dict[str, Any]:
    """Return pagination values: the page number and the URLs of the previous and next page."""

    def address(number: int) -> str:
        return f"{path}?{urlencode({**fields, 'page': number})}" if 1 <= number <= pages else ""

    return {"page": page, "pages": pages, "before": address(page - 1), "after": address(page + 1)}


class Blank(dict[str, Any]):
    """Template values by name; missing ones are empty strings."""

    def __missing__(self, name: str) -> str:
        return ""


class Form:
    """Fields of a form by name, and their error messages in `problems`."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields
        self.problems: dict[str, str] = Blank()

    def text(self, name: str, *, most: int = 10_000) -> str:
        """Return a field, stripped of white space."""
        value = self.fields.get(name, "").strip().replace("\r\n", "\n")
        if "\0" in value:
            self.problems[name] = "This contains a character that cannot be stored."
        elif len(value) > most:
            self.problems[name] = f"Enter at most {most:,} characters; this has {len(value):,}."
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
            self.problems[name] = f"Enter a whole number from {least:,} to {most:,}."
            return None
        return number

    def choice(self, name: str, allowed: Collection[str], default: str) -> str:
        """Return one of several values."""
        value = self.fields.get(name, default)
        if value not in allowed:
            self.problems[name] = "Choose one of these values."
            return default
        return value
