"""Attacks by request bodies and paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from tatian.errors import TatianError
from tatian.workbench.campaigns import items
from tatian.workbench.tasks import NewItem, tasks
from tatian.workbench.web.routing import MEBIBYTE

from .world import Browser, World, answer, assigned_item, code

WORK = "/api/v1/work/birds"
JSON = {"Content-Type": "application/json"}
INJECTION = "x'; DROP TABLE answers; --"


@pytest.fixture
def person(world: World) -> Browser:
    return world.annotator(world.campaign())


def _raw(person: Browser, data: bytes | Iterator[bytes]) -> tuple[int, str]:
    headers = {"X-CSRF-Token": person.csrf, **JSON}
    return code(person.post(f"{WORK}/1/answer", content=data, headers=headers))


NOT_JSON: list[Any] = [
    b"",
    b"{",
    b"nonsense",
    b'{"id": "x",}',
    b'{"id": NaN}',
    b'{"id": "\xff"}',
    b'{"id": "\\ud800"}',
    b'{"id": 1e999}',
    b"[" * 100_000,
    b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    b"[" * 70 + b"]" * 70,
    "\ufeff{}".encode(),
    '{"id": "x"}'.encode("utf-16"),
]


def test_invalid_json_is_refused(person: Browser) -> None:
    answers = [_raw(person, data) for data in NOT_JSON]
    assert set(answers) <= {(400, "malformed"), (422, "bad_request")}


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "image/x"])
def test_json_needs_its_content_type(person: Browser, kind: str) -> None:
    headers = {"X-CSRF-Token": person.csrf, "Content-Type": kind}
    refused = person.post(f"{WORK}/1/answer", content=b"{}", headers=headers)
    assert code(refused) == (415, "unsupported_type")


def test_a_form_needs_its_content_type(world: World) -> None:
    browser = world.browser()
    browser.get("/sign-in")
    assert browser.post("/sign-in", json={}).status_code == 415
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for data in (b"\xff\xff", b"nonsense", b"a=%ff", b"&".join([b"a=b"] * 201), b"name=%00"):
        assert browser.post("/sign-in", content=data, headers=form).status_code in (400, 422)
    large = b"a=" + b"x" * MEBIBYTE
    assert browser.post("/sign-in", content=large, headers=form).status_code == 413


def test_too_large_a_body_is_refused(person: Browser) -> None:
    assert _raw(person, b'"' + b"x" * MEBIBYTE + b'"') == (413, "too_large")


def test_a_large_body_without_a_length_is_refused_while_read(person: Browser) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * (MEBIBYTE // 16)

    assert _raw(person, endless()) == (413, "too_large")


def test_a_large_body_is_not_read_before_admission(world: World) -> None:
    world.campaign()
    large = b" " * (2 * MEBIBYTE)
    assert _raw(world.browser(), large) == (401, "sign_in")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e%2f%2e%2e%2fstorage/tables.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/core/../../site.py",
        "/static/core%5c..%5c..%5csite.py",
        "/static/%00",
        "/static/core",
        "/static/",
        "/static/tasks/",
        "/static/tasks/union",
        "/static/tasks/union/",
        "/static/tasks/union/../guidelines.md",
        "/static/tasks/union/%2e%2e/guidelines.md",
        "/static/tasks/union/%2e%2e%2f__init__.py",
        "/static/tasks/union/%2e%2e/%2e%2e/coreference/page/coreference.js",
        "/static/tasks/union/%2fetc%2fpasswd",
        "/static/tasks/nothing/union.js",
        "/static/tasks/os:system/union.js",
        "/static/tasks/%2e%2e/union.js",
        "/static/tasks/tatian.workbench.tasks.union:UnionTask/union.js",
    ],
)
def test_static_addresses_lead_only_to_static_files(world: World, path: str) -> None:
    answered = world.browser().get(path)
    assert answered.status_code in (400, 404, 405, 422)
    assert "import" not in answered.text
    assert "root:" not in answered.text
    assert "##" not in answered.text


SQL: list[Any] = [INJECTION, "' OR '1'='1", "%", "_", "\\", '"', "\ufffd", "é" * 60]


def test_sql_in_any_part_of_an_address_finds_nothing(either: World) -> None:
    birds = either.campaign()
    admin, person = either.signed_in(either.user()), either.annotator(birds)
    for text in SQL:
        _try_everywhere(admin, person, text)
    assert answer(person, assigned_item(person)["assignment"]).status_code == 200


def _try_everywhere(admin: Browser, person: Browser, text: str) -> None:
    part = quote(text, safe="")
    for path in (
        f"/campaigns/{part}",
        f"/campaigns/birds/annotators/{part}/data",
        f"/campaigns/birds/items/{part}",
        f"/api/v1/campaigns/birds/adjudication/{part}",
    ):
        assert admin.get(path).status_code == 404
    revoked = admin.submit(f"/campaigns/birds/invitations/{part}/revoke", confirmed="yes")
    assert revoked.status_code == 404
    assert person.get(f"/api/v1/work/{part}").status_code == 401


def test_nul_is_refused_everywhere(either: World) -> None:
    value = "a\0b"
    birds = either.campaign()
    admin, person = either.signed_in(either.user()), either.annotator(birds)
    item = assigned_item(person)["assignment"]
    draft = {"revision": 0, "draft": {"deep": [{value: 1}]}}
    refusals = [
        admin.get("/campaigns/%00"),
        admin.submit("/campaigns/birds/invitations", label=value),
        admin.post("/api/v1/campaigns/birds/adjudication/birds-0", json={"answer": value}),
        person.put(f"/api/v1/work/birds/{item}/draft", json=draft),
        answer(person, item, nonce=f"12345678{value}"),
    ]
    assert [refused.status_code for refused in refusals] == [422] * len(refusals)


NUMBERS: list[Any] = ["0", "9" * 18, "9" * 19, "9" * 400, "9" * 5000, "-1", "1.5", "1e3", "٣"]


def test_only_own_numbers_find_an_item(either: World) -> None:
    person = either.annotator(either.campaign())
    assigned_item(person)
    answers = [code(person.get(f"/api/v1/work/birds/{number}"))[0] for number in NUMBERS]
    assert answers == [404] * len(NUMBERS)


ODD_ANSWERS: list[Any] = [
    {"nonce": ""},
    {"nonce": "x" * 101},
    {"nonce": 12345678},
    {"seconds": -1},
    {"seconds": 1e300},
    {"seconds": "1"},
    {"seconds": None},
    {"answer": {"type": "written", "base": 10**400, "merged": "x"}},
    {"answer": {"type": "written", "base": 2**62, "merged": "x"}},
    {"answer": {"type": "skipped", "reason": "no-consolidation", "note": "x\0"}},
    {"surplus": 1},
]


def test_odd_answers_are_refused_and_leave_the_item_open(either: World) -> None:
    person = either.annotator(either.campaign())
    item = assigned_item(person)["assignment"]
    answers = [code(answer(person, item, **change))[0] for change in ODD_ANSWERS]
    assert answers == [422] * len(ODD_ANSWERS)
    assert assigned_item(person)["assignment"] == item


def test_the_size_of_a_draft_is_limited(world: World) -> None:
    person = world.annotator(world.campaign())
    path = f"/api/v1/work/birds/{assigned_item(person)['assignment']}/draft"
    large = {"revision": 0, "draft": {"x": "y" * 900_000}}
    assert person.put(path, json=large).status_code == 200
    endless = {"revision": 1, "draft": {"x": "y" * MEBIBYTE}}
    assert code(person.put(path, json=endless)) == (413, "too_large")


REVISIONS: list[Any] = [-1, 2**31, 2**60, 1.5, "0", None]


def test_an_invalid_revision_is_refused(either: World) -> None:
    person = either.annotator(either.campaign())
    path = f"/api/v1/work/birds/{assigned_item(person)['assignment']}/draft"
    for revision in REVISIONS:
        assert code(person.put(path, json={"revision": revision, "draft": {}}))[0] == 422


ODD_ITEMS: list[Any] = [
    {"key": "", "content": {"sentences": ["A b.", "A c."]}},
    {"key": "k" * 5000, "content": {"sentences": ["A b.", "A c."]}},
    {"key": "k", "content": {"sentences": ["A b.", "A c."]}, "stage": 2**40},
    {"key": "k", "content": {"sentences": ["A b.", "A c."]}, "test": True},
    {"key": "k", "content": {"sentences": "A"}},
    {"key": "k", "content": {}},
    {"key": "k", "content": []},
]


def test_invalid_items_are_refused_as_a_whole(either: World) -> None:
    birds, task = either.campaign(), tasks.create("union")
    good = {"key": "good", "content": {"sentences": ["A b.", "A c."]}}

    def checked(one: dict[str, Any]) -> NewItem:
        return NewItem(**{**one, "content": task.content(one["content"])})

    for item in ODD_ITEMS:
        with pytest.raises(TatianError):
            either.add(birds, *map(checked, (good, item)))
    with either.database.reading() as connection:
        assert "good" not in [one.key for one in items.list_items(connection, birds)]


def test_an_item_keeps_any_key_that_can_be_stored(either: World) -> None:
    birds = either.campaign(count=0)
    admin = either.signed_in(either.user())
    keys = ["a/b", "../c", "é ü", "<b>", "'--", "a?b#c"]
    either.add(birds, *(NewItem(key, {"sentences": ["A b.", "A c."]}) for key in keys))
    for key in keys:
        found = admin.get(f"/api/v1/campaigns/birds/adjudication/{quote(key, safe='')}")
        assert (found.status_code, found.json()["key"]) == (200, key)


def test_every_answer_is_json_that_can_be_read_back(world: World) -> None:
    person = world.annotator(world.campaign())
    for path in ("/api/v1/work/birds", "/api/v1/work/birds/guidelines", "/api/v1/nowhere"):
        assert msgspec.json.decode(person.get(path).content)
