"""A workbench with users and annotators, for tests of the web server."""

from __future__ import annotations

import re
import secrets
from html import unescape
from typing import Any

from starlette.testclient import TestClient, httpx

from tatian.workbench.accounts import sessions, users
from tatian.workbench.accounts.users import Role, User
from tatian.workbench.campaigns import campaigns, invitations, items, people
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem
from tatian.workbench.web.server import create_app

BASE = "http://localhost"
SKIP: dict[str, Any] = {"type": "skipped", "reason": "no-consolidation"}
"""An answer to any item of the union task."""
_FIELD = re.compile(r'name="csrf" value="([^"]*)"')
_TERMS = re.compile(r'name="terms" value="([^"]*)"')
_DATA = re.compile(r'data-csrf="([^"]*)"')


class Browser(TestClient):
    """A browser without redirects that sends the session's token with changes."""

    csrf = ""

    def request(self, method: Any, url: Any, **options: Any) -> Any:
        if method not in ("GET", "HEAD") and self.csrf and options.get("headers") is None:
            options["headers"] = {"X-CSRF-Token": self.csrf}
        return super().request(method, url, **options)

    def form(self, url: str, **fields: str) -> httpx.Response:
        """Open a page and submit its form with values."""
        page = self.get(url).text
        token, terms = _FIELD.search(page), _TERMS.search(page)
        assert token is not None, "the page has no form"
        hidden = {"csrf": unescape(token[1])} | ({"terms": terms[1]} if terms else {})
        return self.post(url, data={**hidden, **fields}, headers={})

    def submit(self, url: str, **fields: str) -> httpx.Response:
        """Submit a form of a signed-in user."""
        return self.post(url, data={"csrf": self.csrf, **fields}, headers={})


class World:
    """A server, called through its application."""

    def __init__(self, database: Database, **options: Any) -> None:
        self.database = database
        self.app = create_app(database, **options)
        self.site = self.app.state.site

    def browser(self, base: str = BASE, **options: Any) -> Browser:
        """Return a browser without a session."""
        return Browser(self.app, base_url=base, follow_redirects=False, **options)

    def user(
        self,
        name: str = "ada",
        role: Role = "admin",
        password: str | None = None,
        campaigns: tuple[str, ...] = (),
    ) -> User:
        """Create a user."""
        with self.database.writing() as connection:
            user = users.create(connection, name, role, password)
            users.set_campaigns(connection, user, campaigns)
            return users.find_by_name(connection, name)

    def signed_in(self, user: User) -> Browser:
        """Return a browser with a user's session."""
        browser = self.browser()
        with self.database.writing() as connection:
            cookie, session = sessions.begin(connection, user=user.id)
        browser.cookies.set("tatian_session", cookie)
        browser.csrf = session.csrf
        return browser

    def get(self, id: str) -> Campaign:
        """Return a campaign."""
        with self.database.reading() as connection:
            return campaigns.get(connection, id)

    def change(self, id: str, **changes: Any) -> Campaign:
        """Change a campaign's state or settings."""
        with self.database.writing() as connection:
            return campaigns.change(connection, id, "test", **changes)

    def people(self, campaign: Campaign) -> list[Annotator]:
        """Return the annotators of a campaign."""
        with self.database.reading() as connection:
            return people.list_people(connection, campaign)

    def add(self, campaign: Campaign, *new: NewItem) -> None:
        """Add items."""
        with self.database.writing() as connection:
            items.add(connection, campaign, new, "test")

    def campaign(self, id: str = "birds", count: int = 3, **settings: Any) -> Campaign:
        """Create an open campaign of unions."""
        new = [
            NewItem(f"{id}-{n}", {"sentences": [f"One says {n}.", f"Two says {n} & <b>more</b>."]})
            for n in range(count)
        ]
        chosen = CampaignSettings(shuffled=False, **settings)
        with self.database.writing() as connection:
            campaign = campaigns.create(
                connection, id, "union", f"About {id}", chosen, "Go.", "test"
            )
            items.add(connection, campaign, new, "test")
            return campaigns.change(connection, id, "test", state="open")

    def invitation(self, campaign: Campaign, **options: Any) -> str:
        """Create an invitation and return its path."""
        with self.database.writing() as connection:
            invitation = invitations.create(connection, campaign, "test", **options)
            return invitations.link_path(self.site.secret, campaign, invitation)

    def annotator(self, campaign: Campaign, **fields: str) -> Browser:
        """Return the browser of a new annotator."""
        browser = self.browser()
        joined = browser.form(self.invitation(campaign), **fields)
        assert joined.status_code == 303, joined.text
        token = _DATA.search(browser.get(joined.headers["location"]).text)
        assert token is not None
        browser.csrf = unescape(token[1])
        return browser


def assigned_item(person: Browser, campaign: str = "birds") -> dict[str, Any]:
    """Return a person's assigned item."""
    item = person.get(f"/api/v1/work/{campaign}").json()["item"]
    assert isinstance(item, dict)
    return item


def answer(
    person: Browser, assignment: int, campaign: str = "birds", **more: Any
) -> httpx.Response:
    """Send an answer."""
    body = {"nonce": secrets.token_hex(8), "answer": SKIP, "seconds": 2.5, **more}
    return person.post(f"/api/v1/work/{campaign}/{assignment}/answer", json=body)


def code(response: httpx.Response) -> tuple[int, str]:
    """Return status and code of an error response."""
    body = response.json()
    assert set(body["error"]) == {"code", "message"}
    assert "Traceback" not in response.text
    return response.status_code, body["error"]["code"]
