"""Display of a person's stored data."""

from __future__ import annotations

import json

from tatian.workbench.web.presentation import indented_json


def test_moments_become_dates_everywhere() -> None:
    data = {"created": 1_767_225_600_000, "answers": [{"submitted": 1_767_225_660_000}]}
    assert json.loads(indented_json(json.dumps(data).encode())) == {
        "created": "2026-01-01 00:00 UTC",
        "answers": [{"submitted": "2026-01-01 00:01 UTC"}],
    }


def test_other_numbers_and_texts_are_unchanged() -> None:
    data = {"stage": 1, "seen": None, "finished": 7, "answer": {"base": 1_767_225_600_000}}
    assert json.loads(indented_json(json.dumps(data).encode())) == data
