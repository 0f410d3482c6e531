"""Metadata that the desk finds in a source."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.text import Document, Metadata
from tatian.workbench.desk.publication import add_publication, find_missing_days
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import PREFIX

from ..web.world import World

DESK = f"{PREFIX}/desk/projects"
BODY = "A ferry ran aground near Halverne on Thursday night. Nobody was hurt, the harbour said."


@pytest.mark.parametrize(
    ("head", "title", "day"),
    [
        ("Ferry runs aground\n14 March 2025\n\n", None, "2025-03-14"),
        ("Ferry runs aground\n\nMarch 14, 2025\n\n", "Ferry runs aground", "2025-03-14"),
        ("14 March 2025\n\n", None, "2025-03-14"),
        ("HALVERNE, March 14, 2025 - ", None, "2025-03-14"),
        ("Ferry runs aground\n\n", "Ferry runs aground", None),
        ("", None, None),
    ],
)
def test_a_source_gets_the_day_in_its_head(
    new_database: Callable[[str], Database], head: str, title: str | None, day: str | None
) -> None:
    world = World(new_database("sqlite"), desk=True)
    browser = world.signed_in(world.user("ada", "manager"))
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}/accounts"
    sent = browser.post(url, params={"name": "wire.txt"}, content=(head + BODY).encode())
    world.site.desk.close()
    (held,) = sent.json()["accounts"]
    assert (held["title"], held["date"], held["text"]) == (title, day, head + BODY)


HEADED = "The Halverne Courier\nFriday, March 14, 2025\n\nFerry aground\n\n" + BODY


def source_of(
    text: str, name: str, source: str | None = None, title: str | None = None
) -> Metadata:
    return add_publication(Document("a", text, Metadata(title, None, source, path=name))).metadata


def test_the_printed_newspaper_precedes_the_files_author() -> None:
    for author in ("jsmith", "ZP-Scanner 4", "Zoë Müller", None):
        found = source_of(HEADED, "scan_0007.pdf", author)
        assert (found.source, found.date) == ("The Halverne Courier", "2025-03-14")
    assert source_of(HEADED, "courier.html", "Example News").source == "Example News"
    assert source_of(HEADED, "courier.txt").source == "The Halverne Courier"


@pytest.mark.parametrize(
    "head",
    [
        "THE HALVERNE COURIER\nMarch 14, 2025",
        "Halverne Courier, Friday, March 14, 2025",
        "Halverne Courier | 14 March 2025 | Page 3",
        "Friday, March 14, 2025\nThe Halverne Courier",
    ],
)
def test_newspaper_and_day_have_several_forms(head: str) -> None:
    found = source_of(f"{head}\n\n{BODY}", "page.pdf", "jsmith")
    assert found.source is not None
    assert found.source.lower().endswith("halverne courier")
    assert found.date == "2025-03-14"


def test_a_headline_without_a_day_names_no_paper() -> None:
    assert source_of(f"President Meets Press\n\n{BODY}", "a.txt").source is None


def test_a_person_is_a_publisher_but_a_login_is_not() -> None:
    assert source_of(BODY, "a.docx", "jsmith").source is None
    assert source_of(BODY, "a.pdf", "ZP-Scanner 4").source is None
    assert source_of(BODY, "a.docx", "Zoë Müller").source == "Zoë Müller"
    assert source_of(BODY, "a.eml", "nora").source == "nora"


def test_a_dateline_without_a_year_takes_that_of_other_sources() -> None:
    wire = Document("a1", f"HALVERNE, March 14 - {BODY}", Metadata())
    weekly = Document("a2", BODY, Metadata(date="2025-03-18"))
    assert find_missing_days([wire, weekly]) == {"a1": "2025-03-14"}
    assert find_missing_days([wire]) == {}


def test_days_found_by_consolidation_appear_in_the_sources(
    new_database: Callable[[str], Database],
) -> None:
    world = World(new_database("sqlite"), desk=True)
    browser = world.signed_in(world.user("ada", "manager"))
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}"
    browser.post(f"{url}/accounts/paste", json={"text": f"HALVERNE, March 14 - {BODY}"})
    browser.post(f"{url}/accounts/paste", json={"text": BODY, "date": "2025-03-18"})
    assert [one["date"] for one in browser.get(url).json()["accounts"]] == [None, "2025-03-18"]
    assert browser.post(f"{url}/weave", json={}).status_code == 202
    held = browser.get(url).json()["accounts"]
    browser.delete(f"{url}/weave")
    world.site.desk.close()
    assert [one["date"] for one in held] == ["2025-03-14", "2025-03-18"]
