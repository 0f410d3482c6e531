"""Pages for the items of a campaign: list, details with answers, retire."""

from __future__ import annotations

from msgspec.structs import replace
from starlette.responses import Response

from tatian.workbench.campaigns import items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.items import StoredItem
from tatian.workbench.web.admin import finding
from tatian.workbench.web.admin.common import (
    campaign_of,
    campaign_page,
    confirm,
    home,
    page_links,
    query_number,
    redirect,
)
from tatian.workbench.web.admin.finding import spans_to_words
from tatian.workbench.web.routing import Call, Routes

_ITEM = "/campaigns/{campaign}/items/{item}"
ROUTES = Routes()

_STATES = (
    ("", "all"),
    ("waiting", "nobody has answered"),
    ("begun", "some have answered"),
    ("done", "all have answered"),
    ("training", "training"),
    ("test", "hidden tests"),
    ("retired", "retired"),
)
_DEEPEST = 10_000
"""Last page that can be asked for."""


@ROUTES.page("GET", "/campaigns/{campaign}/items", "manager")
def show_items(call: Call) -> Response:
    """Show a page of items, all or only the matching ones."""
    campaign, query = campaign_of(call), call.request.query_params
    words = query.get("q", "").replace("\0", "").strip()[:200]
    state, page = query.get("state", ""), min(max(query_number(call, "page", 1), 1), _DEEPEST)
    with call.database.reading() as connection:
        rows, total = finding.find_items(connection, campaign, words, state, page)
    pages = max(1, -(-total // finding.PER_PAGE))
    return campaign_page(
        call,
        "items.html",
        campaign,
        query=words,
        state=state,
        states=_STATES,
        rows=rows,
        total=total,
        **page_links(f"{home(campaign.id)}/items", page, pages, q=words, state=state),
    )


@ROUTES.page("GET", _ITEM, "manager")
def show_item(call: Call) -> Response:
    """Show an item, its content, and its answers side by side."""
    campaign, id = campaign_of(call), call.path["item"]
    with call.database.reading() as connection:
        item = items.get(connection, campaign, finding.key_of(connection, campaign, id))
        answers = finding.list_answers(connection, campaign, id)
    return campaign_page(
        call,
        "item.html",
        campaign,
        item=item,
        href=_href(campaign, id),
        figures=_figures(campaign, item),
        content=item.content,
        gold=None if item.gold is None else spans_to_words(item.gold, item.content),
        answers=[replace(row, answer=spans_to_words(row.answer, item.content)) for row in answers],
    )


@ROUTES.page("POST", f"{_ITEM}/retired", "manager")
def retire(call: Call) -> Response:
    """Retire an item, after asking, or give it out again."""
    campaign, id = campaign_of(call), call.path["item"]
    retired = call.body.get("retired") == "yes"
    consequence = "It is given out no more. Answers to it stay; you can bring it back."
    if retired:
        question = "Retire this item?"
        if asking := confirm(call, question, consequence, "Retire", _href(campaign, id)):
            return asking
    with call.database.writing() as connection:
        key = finding.key_of(connection, campaign, id)
        items.change(connection, campaign, key, call.caller.actor, retired=retired)
    return redirect(_href(campaign, id), "retired" if retired else "returned")


def _figures(campaign: Campaign, item: StoredItem) -> list[tuple[str, str]]:
    wanted = "any number" if item.wanted is None else str(item.wanted)
    figures = [
        ("Stage", campaign.stage(item.stage)),
        ("People it is for", wanted),
        ("Have it or have answered", str(item.taken)),
    ]
    if item.test:
        figures.append(("Kind", "hidden test"))
    if item.retired:
        figures.append(("State", "retired"))
    return figures


def _href(campaign: Campaign, id: int) -> str:
    return f"{home(campaign.id)}/items/{id}"
