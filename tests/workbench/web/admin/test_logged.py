"""The audit log says in words what was done, and when in dates."""

from __future__ import annotations

import re
from pathlib import Path

import tatian.workbench
from tatian.workbench.web.admin.overview import DONE, done, said

NOTED = re.compile(r'"((?:[a-z]+)\.(?:[a-z_]+))"')
AREAS = {name.partition(".")[0] for name in DONE}
OTHER = re.compile(r"\.(?:html|css|js|id|jsonl)$")


def noted() -> set[str]:
    """The names of all actions that the workbench's code notes."""
    root = Path(tatian.workbench.__file__).parent
    found: set[str] = set()
    for path in root.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "audit.note(" in text:
            found.update(name for name in NOTED.findall(text) if not OTHER.search(name))
    return {name for name in found if name.partition(".")[0] in AREAS}


def test_every_action_that_is_noted_has_words() -> None:
    assert noted() == set(DONE)


def test_an_action_of_a_later_version_is_called_by_its_name() -> None:
    assert done("campaign.duplicate") == "campaign.duplicate"


def test_moments_are_written_as_dates() -> None:
    detail = {"seats": 3, "expires": 1_767_225_600_000, "label": "", "reason": "tired"}
    assert said(detail) == "seats: 3; expires: 2026-01-01 00:00; reason: tired"


def test_a_hash_is_cut_to_what_tells_it_from_others() -> None:
    assert said({"terms": "e4b020949dfc4afe" * 4}) == "terms: e4b020949dfc…"


def test_settings_are_only_named() -> None:
    assert said({"settings": {"deadline": 1}, "title": "Unions"}) == "title: Unions; settings"
