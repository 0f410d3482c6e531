"""Attacks through browsers: forged requests, foreign hosts, scripts, headers."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

import pytest

from tatian.workbench.campaigns import campaigns
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.web.security import POLICY

from .world import SKIP, Browser, World, answer, assigned_item, code

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"' {{ 7*7 }} {% raw %}"
FOREIGN = "https://evil.example"


def deciding(world: World) -> tuple[Browser, str]:
    """A manager, and the address for decisions on an item."""
    world.campaign()
    return world.signed_in(world.user()), "/api/v1/campaigns/birds/adjudication/birds-0"


@pytest.mark.parametrize("token", [None, "", "wrong", "é", "x" * 5000])
def test_a_change_without_the_sessions_token_is_refused(world: World, token: str | None) -> None:
    admin, path = deciding(world)
    headers = {} if token is None else {"X-CSRF-Token": token.encode()}
    assert code(admin.post(path, json={"answer": SKIP}, headers=headers)) == (403, "refused")


def test_another_sessions_token_is_refused(world: World) -> None:
    admin, path = deciding(world)
    other = world.signed_in(world.user("bob"))
    refused = admin.post(path, json={"answer": SKIP}, headers={"X-CSRF-Token": other.csrf})
    assert code(refused) == (403, "refused")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": FOREIGN},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_change_from_another_site_is_refused_even_with_the_token(
    world: World, headers: dict[str, str]
) -> None:
    admin, path = deciding(world)
    refused = admin.post(
        path, json={"answer": SKIP}, headers={"X-CSRF-Token": admin.csrf, **headers}
    )
    assert code(refused) == (403, "refused")


def test_a_change_from_own_pages_is_accepted(world: World) -> None:
    admin, path = deciding(world)
    headers = {"X-CSRF-Token": admin.csrf, "Origin": "http://localhost"}
    assert admin.post(path, json={"answer": SKIP}, headers=headers).status_code == 201


@pytest.mark.parametrize("action", ["draft", "answer", "return"])
def test_an_annotators_work_cannot_be_changed_by_another_site(world: World, action: str) -> None:
    person = world.annotator(world.campaign())
    path = f"/api/v1/work/birds/{assigned_item(person)['assignment']}/{action}"
    method = "PUT" if action == "draft" else "POST"
    assert code(person.request(method, path, json={}, headers={})) == (403, "refused")


def test_a_foreign_form_neither_signs_in_nor_joins_nor_deletes(world: World) -> None:
    campaign = world.campaign()
    person, link = world.annotator(campaign), world.invitation(campaign)
    for path, fields in (
        ("/sign-in", {"name": "ada", "password": "x"}),
        (link, {"consent": "yes"}),
    ):
        stranger = world.browser()
        assert stranger.post(path, data=fields).status_code == 403
        stranger.get(path)
        assert stranger.post(path, data={**fields, "csrf": "guess"}).status_code == 403
        foreign = stranger.post(path, data=fields, headers={"Origin": FOREIGN})
        assert foreign.status_code == 403
    gone = person.post("/work/birds/privacy", data={"sure": "yes"}, headers={})
    assert gone.status_code == 403
    assert person.get("/api/v1/work/birds").status_code == 200


def test_a_form_of_another_visitor_is_refused(world: World) -> None:
    mine, theirs = world.browser(), world.browser()
    page = theirs.get("/sign-in").text
    token = page.split('name="csrf" value="')[1].split('"')[0]
    mine.get("/sign-in")
    assert mine.post("/sign-in", data={"csrf": token, "name": "a"}).status_code == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "localhost:80:80"],
)
def test_a_request_with_an_unknown_host_is_refused(world: World, host: str) -> None:
    assert world.browser().get("/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:8000"])
def test_requests_to_names_of_this_machine_are_answered(world: World, host: str) -> None:
    assert world.browser().get("/health", headers={"Host": host}).status_code == 200


def test_links_name_the_public_address_whatever_the_request_says(database: Database) -> None:
    world = World(database, public_url="https://annotate.example.org/")
    world.campaign()
    campaign = world.get("birds")
    browser = world.browser("https://annotate.example.org")
    headers = {
        "Host": "annotate.example.org",
        "X-Forwarded-Host": "evil.example",
        "Forwarded": "host=evil.example",
    }
    browser.form(world.invitation(campaign))
    told = browser.get("/api/v1/work/birds", headers=headers).json()
    assert told["resume"].startswith("https://annotate.example.org/resume/")


def test_on_https_cookies_are_bound_to_host_and_scheme(database: Database) -> None:
    world = World(database, public_url="https://annotate.example.org")
    page = world.browser("https://annotate.example.org").get("/sign-in")
    cookie = page.headers["set-cookie"]
    assert cookie.startswith("__Host-tatian_visit=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    assert page.headers["strict-transport-security"] == "max-age=31536000"


def test_the_scheme_is_taken_from_a_trusted_proxy_only(database: Database) -> None:
    headers = {"X-Forwarded-Proto": "https"}
    for behind in (True, False):
        world = World(database, behind_proxy=behind)
        page = world.browser().get("/sign-in", headers=headers)
        assert ("strict-transport-security" in page.headers) is behind


@pytest.mark.parametrize(
    "path", ["/", "/sign-in", "/nowhere", "/api/v1/nowhere", "/api/v1/work/birds", "/static/x.js"]
)
def test_every_response_has_the_policy_and_is_not_cached(world: World, path: str) -> None:
    headers = world.browser().get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


def test_static_files_are_revalidated(world: World) -> None:
    browser = world.browser()
    first = browser.get("/static/core/api.js")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["cache-control"] == "no-cache"
    again = browser.get("/static/core/api.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_pages_have_no_inline_script_or_style(world: World) -> None:
    campaign = world.campaign(consent="Terms.")
    person = world.annotator(campaign, consent="yes")
    for browser, path in (
        (world.browser(), "/sign-in"),
        (world.browser(), world.invitation(campaign)),
        (world.browser(), "/nowhere"),
        (person, "/work/birds"),
        (person, "/work/birds/privacy"),
    ):
        text = browser.get(path).text.lower()
        assert "<style" not in text
        assert " style=" not in text
        assert not re.search(r"\son\w+\s*=", text)
        assert "<script" not in text.replace('<script type="module" src="/static/', "")


def test_html_in_any_text_stays_text(world: World) -> None:
    with world.database.writing() as connection:
        settings = CampaignSettings(consent=EVIL)
        campaign = campaigns.create(connection, "x", "union", EVIL, settings, EVIL, "test")
    link = world.invitation(campaign, label=EVIL)
    world.change("x", state="open")
    browser = world.browser()
    pages = [browser.get(link).text]
    browser.form(link, consent="yes", name=EVIL)
    pages += [browser.get(path).text for path in ("/work/x", "/work/x/privacy")]
    pages.append(str(browser.get("/api/v1/work/x/guidelines").json()))
    pages.append(world.browser().form("/sign-in", name=EVIL, password=EVIL).text)
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert " 49 " not in page
    assert escape(EVIL, quote=False)[:30] in pages[0]


def test_html_in_an_address_stays_text(world: World) -> None:
    for path in (f"/{EVIL}", f"/join/{EVIL}", f"/work/{EVIL}", f"/sign-in?x={EVIL}"):
        page = world.browser().get(path)
        assert "<script>alert" not in page.text
        assert page.headers["content-type"].startswith("text/html")


def test_json_is_never_rendered_as_a_page(world: World) -> None:
    person = world.annotator(world.campaign())
    for path in ("/api/v1/work/birds", "/api/v1/nowhere"):
        assert person.get(path).headers["content-type"] == "application/json"


@pytest.mark.parametrize("line", ["\r\nSet-Cookie: a=b", "\nX: y", "%0d%0aSet-Cookie:%20a=b"])
def test_input_never_becomes_a_header(world: World, line: str) -> None:
    browser = world.browser()
    for folder in ("join", "work", "campaigns"):
        path = f"/{folder}/{quote(line, safe='%')}"
        answered = browser.get(path)
        assert "a=b" not in str(answered.headers.get("set-cookie", ""))


def test_a_bug_reveals_no_details(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from tatian.workbench.campaigns import guidelines

    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(guidelines, "get", broken)
    person = world.annotator(world.campaign())
    careless = world.browser(raise_server_exceptions=False)
    careless.cookies = person.cookies
    failed = careless.get("/api/v1/work/birds/guidelines")
    assert code(failed) == (500, "internal")
    assert "secret detail" not in failed.text
    assert failed.headers["content-security-policy"] == POLICY
    assert answer(person, assigned_item(person)["assignment"]).status_code == 200
