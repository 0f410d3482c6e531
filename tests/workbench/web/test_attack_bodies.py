"""Attacks with what is sent: too much, too deep, not JSON, not storable, not a path to follow."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from tatian.workbench.web.bodies import IMPORT, MEBIBYTE

from .world import Browser, World, answer, code, given

CAMPAIGNS = "/api/v1/campaigns"
JSON = {"Content-Type": "application/json"}
INJECTION = "x'; DROP TABLE answers; --"


@pytest.fixture
def admin(world: World) -> Browser:
    return world.program(world.user())


def _raw(browser: Browser, data: bytes | Iterator[bytes], path: str = CAMPAIGNS) -> tuple[int, str]:
    return code(browser.post(path, content=data, headers={**dict(browser.headers), **JSON}))


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


def test_what_is_not_json_is_refused(admin: Browser) -> None:
    answers = [_raw(admin, data) for data in NOT_JSON]
    assert set(answers) <= {(400, "malformed"), (422, "bad_request")}


ODD_SHAPES: list[Any] = [
    [],
    7,
    "text",
    {},
    {"id": 7, "task": "union", "title": "X"},
    {"id": ["x"], "task": "union", "title": "X"},
    {"id": "x", "task": "union", "title": "X", "surplus": 1},
    {"id": "x", "task": "union", "title": "X", "settings": {"annotators": "many"}},
    {"id": "x", "task": "union", "title": "X", "settings": {"annotators": 10**30}},
    {"id": "x", "task": "union", "title": "X", "settings": {"seed": -(10**25)}},
    {"id": "x", "task": "union", "title": "X", "settings": {"stages": []}},
    {"id": "x", "task": "union", "title": "X\0"},
    {"id": "../x", "task": "union", "title": "X"},
    {"id": INJECTION, "task": "union", "title": "X"},
    {"id": "x" * 65, "task": "union", "title": "X"},
    {"id": "x", "task": "union", "title": "X" * 301},
]


def test_json_of_another_shape_is_refused(admin: Browser) -> None:
    answers = [code(admin.post(CAMPAIGNS, json=body)) for body in ODD_SHAPES]
    assert answers == [(422, "bad_request")] * len(ODD_SHAPES)


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "image/x"])
def test_json_must_say_that_it_is_json(admin: Browser, kind: str) -> None:
    headers = {**dict(admin.headers), "Content-Type": kind}
    refused = admin.post(CAMPAIGNS, content=b"{}", headers=headers)
    assert code(refused) == (415, "unsupported_type")


def test_a_form_must_be_a_form(world: World) -> None:
    browser = world.browser()
    browser.get("/sign-in")
    assert browser.post("/sign-in", json={}).status_code == 415
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for data in (b"\xff\xff", b"nonsense", b"a=%ff", b"&".join([b"a=b"] * 201), b"name=%00"):
        assert browser.post("/sign-in", content=data, headers=form).status_code in (400, 422)
    large = b"a=" + b"x" * MEBIBYTE
    assert browser.post("/sign-in", content=large, headers=form).status_code == 413


def test_too_large_a_body_is_refused(admin: Browser) -> None:
    assert _raw(admin, b'"' + b"x" * MEBIBYTE + b'"') == (413, "too_large")


def test_too_large_a_body_without_a_length_is_refused_while_it_comes(admin: Browser) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * (MEBIBYTE // 16)

    assert _raw(admin, endless()) == (413, "too_large")


def test_a_body_is_not_read_before_it_is_known_who_sends_it(world: World) -> None:
    world.campaign()
    large = b" " * (2 * MEBIBYTE)
    assert _raw(world.browser(), large, f"{CAMPAIGNS}/birds/items") == (401, "sign_in")


def test_an_import_has_its_own_larger_limit(world: World, admin: Browser) -> None:
    world.campaign()
    declared = {**dict(admin.headers), "Content-Length": str(IMPORT + 1)}
    refused = admin.post(f"{CAMPAIGNS}/birds/import", content=b"", headers=declared)
    assert code(refused) == (413, "too_large")


def test_a_packed_file_does_not_unpack_without_end(world: World, admin: Browser) -> None:
    world.campaign()
    bomb = gzip.compress(b"x" * (65 * MEBIBYTE), 9)
    refused = admin.post(f"{CAMPAIGNS}/birds/import?name=x.csv.gz", content=bomb)
    assert code(refused)[0] == 422


NAMES: list[Any] = [
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\x",
    "..",
    "a%2f..%2fb",
    "file:///etc/passwd",
    "x\u202ey",
]


def test_the_name_of_an_import_is_only_a_name(world: World, admin: Browser, tmp_path: Path) -> None:
    world.campaign()
    before = sorted(tmp_path.iterdir())
    path = f"{CAMPAIGNS}/birds/import"
    for number, name in enumerate(NAMES):
        good = b'{"id": "n%d", "sentences": ["A b c.", "A b d."]}\n' % number
        added = admin.post(path, params={"name": name}, content=good)
        assert (added.status_code, added.json()["added"]) == (201, 1)
        refused = admin.post(path, params={"name": name}, content=b"{broken")
        assert code(refused)[0] == 422
        assert "root:" not in refused.text
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 100, b"\xff\xfe\x00", b"PK\x03\x04junk", b"a,b\n1\n"]
)
def test_a_file_that_is_no_data_is_refused(world: World, admin: Browser, data: bytes) -> None:
    world.campaign()
    assert code(admin.post(f"{CAMPAIGNS}/birds/import?name=x.csv", content=data))[0] == 422


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
def test_static_files_lead_nowhere_else(world: World, path: str) -> None:
    answered = world.browser().get(path)
    assert answered.status_code in (400, 404, 405, 422)
    assert "import" not in answered.text
    assert "root:" not in answered.text
    assert "##" not in answered.text


SQL: list[Any] = [INJECTION, "' OR '1'='1", "%", "_", "\\", '"', "\ufffd", "é" * 60]


def test_sql_in_any_part_of_an_address_finds_nothing(either: World) -> None:
    birds = either.campaign()
    admin, person = either.program(either.user()), either.annotator(birds)
    for text in SQL:
        _try_everywhere(admin, person, text)
    assert answer(person, given(person)["assignment"]).status_code == 200


def _try_everywhere(admin: Browser, person: Browser, text: str) -> None:
    part = quote(text, safe="")
    for path in (
        f"{CAMPAIGNS}/{part}",
        f"{CAMPAIGNS}/birds/annotators/{part}/data",
    ):
        assert admin.get(path).status_code == 404
    assert admin.delete(f"{CAMPAIGNS}/birds/invitations/{part}").status_code == 404
    assert admin.delete(f"/api/v1/tokens/{part}").status_code == 404
    assert admin.patch(f"/api/v1/users/{part}", json={}).status_code == 404
    assert admin.patch(f"{CAMPAIGNS}/birds/items/{part}", json={}).status_code == 404
    assert person.get(f"/api/v1/work/{part}").status_code == 401


def test_nul_is_refused_wherever_it_stands(either: World) -> None:
    value = "a\0b"
    birds = either.campaign()
    admin, person = either.program(either.user()), either.annotator(birds)
    item = given(person)["assignment"]
    draft = {"revision": 0, "draft": {"deep": [{value: 1}]}}
    refusals = [
        admin.get(f"{CAMPAIGNS}/%00"),
        admin.get(f"{CAMPAIGNS}/birds/audit", params={"before": value}),
        admin.post(f"{CAMPAIGNS}/birds/import", params={"name": value}, content=b"x"),
        admin.post(f"{CAMPAIGNS}/birds/guidelines", json={"text": value}),
        admin.post(f"{CAMPAIGNS}/birds/invitations", json={"label": value}),
        admin.patch(f"{CAMPAIGNS}/birds", json={"settings": {"options": {"x": value}}}),
        admin.post(
            f"{CAMPAIGNS}/birds/items",
            json=[{"key": value, "content": {"sentences": ["A b.", "A c."]}}],
        ),
        person.put(f"/api/v1/work/birds/{item}/draft", json=draft),
        answer(person, item, nonce=f"12345678{value}"),
    ]
    assert [refused.status_code for refused in refusals] == [422] * len(refusals)


NUMBERS: list[Any] = ["0", "9" * 18, "9" * 19, "9" * 400, "9" * 5000, "-1", "1.5", "1e3", "٣"]


def test_no_number_but_ones_own_finds_an_item(either: World) -> None:
    person = either.annotator(either.campaign())
    given(person)
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
    item = given(person)["assignment"]
    answers = [code(answer(person, item, **change))[0] for change in ODD_ANSWERS]
    assert answers == [422] * len(ODD_ANSWERS)
    assert given(person)["assignment"] == item


def test_a_draft_may_be_large_but_not_without_end(world: World) -> None:
    person = world.annotator(world.campaign())
    path = f"/api/v1/work/birds/{given(person)['assignment']}/draft"
    large = {"revision": 0, "draft": {"x": "y" * 900_000}}
    assert person.put(path, json=large).status_code == 200
    endless = {"revision": 1, "draft": {"x": "y" * MEBIBYTE}}
    assert code(person.put(path, json=endless)) == (413, "too_large")


REVISIONS: list[Any] = [-1, 2**31, 2**60, 1.5, "0", None]


def test_a_revision_that_is_no_revision_is_refused(either: World) -> None:
    person = either.annotator(either.campaign())
    path = f"/api/v1/work/birds/{given(person)['assignment']}/draft"
    for revision in REVISIONS:
        assert code(person.put(path, json={"revision": revision, "draft": {}}))[0] == 422


ODD_ITEMS: list[Any] = [
    {"key": "", "content": {"sentences": ["A b.", "A c."]}},
    {"key": "k" * 5000, "content": {"sentences": ["A b.", "A c."]}},
    {"key": "k", "content": {"sentences": ["A b.", "A c."]}, "priority": 2**40},
    {"key": "k", "content": {"sentences": ["A b.", "A c."]}, "deadline": -5},
    {"key": "k", "content": {"sentences": ["A b.", "A c."]}, "stage": 2**40},
    {"key": "k", "content": {"sentences": ["A b.", "A c."]}, "test": True},
    {"key": "k", "content": {"sentences": "A"}},
    {"key": "k", "content": {}},
    {"key": "k", "content": []},
]


def test_items_that_cannot_be_are_refused_all_together(either: World) -> None:
    either.campaign()
    admin = either.program(either.user())
    good = {"key": "good", "content": {"sentences": ["A b.", "A c."]}}
    for item in ODD_ITEMS:
        assert code(admin.post(f"{CAMPAIGNS}/birds/items", json=[good, item]))[0] == 422
    keys = [one["key"] for one in admin.get(f"{CAMPAIGNS}/birds/items").json()]
    assert "good" not in keys


def test_an_item_keeps_any_key_that_can_be_stored(either: World) -> None:
    either.campaign(count=0)
    admin = either.program(either.user())
    keys = ["a/b", "../c", "é ü", "<b>", "'--", "a?b#c"]
    new = [{"key": key, "content": {"sentences": ["A b.", "A c."]}} for key in keys]
    assert admin.post(f"{CAMPAIGNS}/birds/items", json=new).json()["added"] == len(keys)
    for key in keys:
        path = f"{CAMPAIGNS}/birds/items/{quote(key, safe='')}"
        changed = admin.patch(path, json={"retired": True})
        assert (changed.status_code, changed.json()["key"]) == (200, key)


def test_every_answer_is_json_that_can_be_read_back(world: World) -> None:
    person = world.annotator(world.campaign())
    for path in ("/api/v1/work/birds", "/api/v1/work/birds/me", "/api/v1/openapi.json"):
        assert msgspec.json.decode(person.get(path).content)
