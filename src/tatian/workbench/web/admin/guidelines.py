"""Versions of what annotators are told: written, previewed, compared."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from markupsafe import Markup
from msgspec import Struct
from starlette.responses import Response

from tatian.workbench.campaigns import guidelines
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest
from tatian.workbench.web.admin.common import (
    Blank,
    asked,
    campaign_of,
    campaign_page,
    home,
    number,
    to,
)
from tatian.workbench.web.presentation import tabs
from tatian.workbench.web.routing import Call, Pages

PAGES = Pages()

_CONTEXT = 2
_LONGEST = 500_000


class GuidelinesTab(Struct, frozen=True):
    """A tab of the guidelines, ready for a template."""

    title: str
    html: Markup


@PAGES.add("GET", "/campaigns/{campaign}/guidelines", "manager")
def edit(call: Call) -> Response:
    """The newest version in a form, and the list of all."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        text = guidelines.get(connection, campaign.id).text
    return _edit(call, campaign, text)


@PAGES.add("POST", "/campaigns/{campaign}/guidelines", "manager")
def save(call: Call) -> Response:
    """Preview what was typed, or keep it as a new version."""
    campaign = campaign_of(call)
    text = call.body.get("text", "").replace("\r\n", "\n").strip() + "\n"
    if call.body.get("do") != "save":
        return _edit(call, campaign, text, preview=True)
    with call.database.writing() as connection:
        seen, newest = call.body.get("version"), guidelines.latest(connection, campaign.id)
        problem = _problem(text, seen, newest)
        if problem is None:
            version = guidelines.add(connection, campaign.id, text, call.caller.actor)
            done = "unchanged" if version == newest else "saved"
            return to(f"{home(campaign.id)}/guidelines", done)
    return _edit(call, campaign, text, problem=problem)


@PAGES.add("GET", "/campaigns/{campaign}/guidelines/{version}", "manager")
def one(call: Call) -> Response:
    """One version as annotators see it, or what it changed in another."""
    campaign, version = campaign_of(call), number(call, "version")
    against = asked(call, "against", 0)
    with call.database.reading() as connection:
        new = guidelines.get(connection, campaign.id, version)
        old = guidelines.get(connection, campaign.id, against) if against else None
    return campaign_page(
        call,
        "guideline.html",
        campaign,
        version=version,
        against=against,
        lines=None if old is None else list(differences(old.text, new.text)),
        parts=parts(new.text),
    )


def parts(text: str) -> list[GuidelinesTab]:
    """The tabs of the guidelines; their HTML was made from Markdown without any of its own."""
    return [GuidelinesTab(tab.title, Markup(tab.html)) for tab in tabs(text)]


def differences(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Lines that were added or removed, each between a few that stayed; none if nothing changed."""
    before, after = old.splitlines(), new.splitlines()
    groups = SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_CONTEXT)
    for index, group in enumerate(groups):
        if index:
            yield "gap", ""
        for kind, start, end, start_new, end_new in group:
            if kind == "equal":
                yield from (("same", line) for line in before[start:end])
                continue
            yield from (("removed", line) for line in before[start:end])
            yield from (("added", line) for line in after[start_new:end_new])


def _problem(text: str, seen: str | None, newest: int) -> str | None:
    if not text.strip():
        return "Annotators need to be told something."
    if len(text) > _LONGEST:
        return f"At most {_LONGEST:,} characters, please."
    if seen != str(newest):
        return (
            f"Somebody saved version {newest} meanwhile. Compare it below, take over what you "
            "want to keep, and save again."
        )
    return None


def _edit(
    call: Call, campaign: Campaign, text: str, *, preview: bool = False, problem: str | None = None
) -> Response:
    if "\0" in text:
        raise BadRequest("the text has a NUL character in it, which cannot be stored")
    with call.database.reading() as connection:
        versions = guidelines.listed(connection, campaign.id)
    return campaign_page(
        call,
        "guidelines.html",
        campaign,
        status=422 if problem else 200,
        text=text,
        version=versions[-1].version,
        versions=versions[::-1],
        preview=parts(text) if preview else None,
        problems=Blank({"text": problem} if problem else {}),
    )
