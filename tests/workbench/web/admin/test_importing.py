"""Files on their way into a campaign: looked at first, by whoever sent them, within limits."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from tatian.workbench.errors import NotFound
from tatian.workbench.web import site
from tatian.workbench.web.admin import uploads

TABLE = "key,a,b\none,First.,Second.\ntwo,Third.,Fourth.\n"
COLUMNS = {"map.id": "key", "map.sentence1Text": "a", "map.sentence2Text": "b"}
ADD = "/campaigns/birds/items/add"


@pytest.fixture
def manager(world: Any) -> Any:
    """Somebody who runs the campaign `birds`, which has no items yet."""
    world.campaign("birds", count=0)
    return world.signed_in(world.user("maya", "manager", campaigns=("birds",)))


def send(browser: Any, data: str | bytes = TABLE, name: str = "table.csv", **fields: str) -> Any:
    file = {"file": (name, data)} if name else {"file": ("", b"")}
    return browser.post(ADD, data={"csrf": browser.csrf, **fields}, files=file, headers={})


def paste(browser: Any, text: str, form: str) -> Any:
    return send(browser, name="", pasted=text, format=form)


def keys(browser: Any) -> list[str]:
    page = browser.get("/campaigns/birds/items").text
    return re.findall(r'/campaigns/birds/items/\d+" dir="auto">([^<]*)<', page)


def test_nothing_is_imported_before_it_was_looked_at(manager: Any) -> None:
    sent = send(manager)
    assert sent.status_code == 303
    page = manager.get(sent.headers["location"], params=COLUMNS)
    assert "<strong>2 items</strong>" in page.text
    assert keys(manager) == []
    done = manager.post(
        sent.headers["location"], data={"csrf": manager.csrf, **COLUMNS}, headers={}
    )
    assert done.status_code == 303
    assert keys(manager) == ["one", "two"]
    assert manager.get(sent.headers["location"]).status_code == 404, "the file is forgotten"


def test_columns_that_nobody_named_are_a_problem_that_the_preview_tells(manager: Any) -> None:
    page = manager.get(send(manager).headers["location"])
    assert page.status_code == 200
    assert "Nothing, as it stands" in page.text
    assert '<td class="gist" dir="auto">Third.</td>' in page.text


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (TABLE, "csv"),
        (TABLE.replace(",", "\t"), "tsv"),
        ('{"id": "one", "sentences": ["First.", "Second."]}\n', "jsonl"),
    ],
)
def test_pasted_text_is_read_like_a_file(manager: Any, text: str, form: str) -> None:
    place = paste(manager, text, form).headers["location"]
    chosen = {} if form == "jsonl" else COLUMNS
    done = manager.post(place, data={"csrf": manager.csrf, **chosen}, headers={})
    assert done.status_code == 303
    assert keys(manager)[0] == "one"


def test_items_that_are_there_already_are_told_and_none_is_imported(manager: Any) -> None:
    for expected in (303, 422):
        place = send(manager).headers["location"]
        done = manager.post(place, data={"csrf": manager.csrf, **COLUMNS}, headers={})
        assert done.status_code == expected
    assert "has items of these keys" in done.text
    assert keys(manager) == ["one", "two"]


def test_hidden_tests_need_a_right_answer(manager: Any) -> None:
    place = send(manager).headers["location"]
    page = manager.get(place, params={**COLUMNS, "stage": "test"})
    assert "without a right answer" in page.text


def test_a_file_waits_only_for_whoever_sent_it(manager: Any, world: Any) -> None:
    place = send(manager).headers["location"]
    other = world.signed_in(world.user("noor", "manager", campaigns=("birds",)))
    assert other.get(place).status_code == 404
    assert manager.get(place).status_code == 200


def test_a_manager_of_another_campaign_cannot_send_a_file(world: Any) -> None:
    world.campaign("birds")
    stranger = world.signed_in(world.user("noor", "manager"))
    assert send(stranger).status_code == 404


def test_a_file_without_the_sessions_token_is_refused(manager: Any) -> None:
    sent = manager.post(ADD, data={"csrf": "guessed"}, files={"file": ("t.csv", TABLE)}, headers={})
    assert sent.status_code == 403


def test_a_file_from_another_sites_page_is_refused(manager: Any) -> None:
    headers = {"origin": "https://evil.example"}
    sent = manager.post(
        ADD, data={"csrf": manager.csrf}, files={"file": ("t.csv", TABLE)}, headers=headers
    )
    assert sent.status_code == 403


def test_a_form_without_a_file_or_text_is_asked_for_one(manager: Any) -> None:
    sent = send(manager, name="")
    assert sent.status_code == 422
    assert "Choose a file" in sent.text


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"\x1f\x8bbroken", b"PK\x03\x04zip"])
def test_what_is_no_text_is_refused_with_a_reason(manager: Any, data: bytes) -> None:
    sent = send(manager, data)
    assert sent.status_code == 422
    assert "cannot be used" in sent.text


def test_the_name_of_a_file_is_only_a_name(manager: Any) -> None:
    page = manager.get(send(manager, name="../../etc/<b>passwd.csv").headers["location"])
    assert "etc/" not in page.text
    assert "&lt;b&gt;passwd.csv" in page.text


def test_a_file_beyond_the_limit_is_refused_while_it_arrives(
    manager: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "LIMIT", 1000)
    assert send(manager, b"x" * 100_000).status_code == 413


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{}", 415),
        ("multipart/form-data", b"no boundary", 422),
        ("multipart/form-data; boundary=b", b"garbage", 422),
        ("multipart/form-data; boundary=b", b"--b\r\nbroken\r\n\r\n--b--", 422),
    ],
)
def test_a_broken_form_is_refused(manager: Any, kind: str, body: bytes, status: int) -> None:
    sent = manager.post(ADD, content=body, headers={"content-type": kind})
    assert sent.status_code == status


def test_of_one_person_only_the_latest_few_files_wait(manager: Any) -> None:
    places = [send(manager).headers["location"] for _ in range(5)]
    assert [manager.get(place).status_code for place in places] == [404, 404, 200, 200, 200]


def test_a_folder_that_the_system_has_cleaned_up_loses_the_file_and_nothing_else() -> None:
    waiting = site.Uploads()
    token = waiting.keep("maya", "birds", site.Upload("a.csv", b"a,b"))
    (folder,) = {file.parent for file in Path(gettempdir()).glob(f"tatian-uploads-*/{token}")}
    shutil.rmtree(folder)
    with pytest.raises(NotFound, match="send it again"):
        waiting.get("maya", "birds", token)
    again = waiting.keep("maya", "birds", site.Upload("a.csv", b"a,b"))
    assert waiting.get("maya", "birds", again).data == b"a,b"
