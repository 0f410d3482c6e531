"""``tatian doctor``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tatian as package

from .harness import Command


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What the doctor found, by name."""
    tatian = Command(tmp_path_factory.mktemp("doctor"))
    done = tatian("doctor", "--format", "json", TATIAN_CACHE="/nowhere/cache")
    report = json.loads(done.out)
    assert (done.status, report["ok"]) == (0, True)
    return {check["name"]: check for check in report["checks"]}


def test_doctor_reports_versions(checks: dict[str, dict[str, Any]]) -> None:
    assert checks["tatian"]["detail"] == package.__version__
    assert checks["msgspec"] | {"detail": ""} == {
        "group": "needed",
        "name": "msgspec",
        "status": "ok",
        "detail": "",
        "advice": "",
    }


def test_doctor_gives_the_command_for_a_missing_extra(checks: dict[str, dict[str, Any]]) -> None:
    extras = [one for one in checks.values() if one["group"] == "extra"]
    assert {"train", "ray", "workbench", "dev"} <= {one["name"] for one in extras}
    for extra in extras:
        command = f"pip install 'tatian[{extra['name']}]'"
        assert extra["advice"] == ("" if extra["status"] == "ok" else command)


def test_doctor_finds_the_adapters(checks: dict[str, dict[str, Any]]) -> None:
    assert checks["adapters"]["status"] == "ok"
    assert checks["adapters"]["detail"].endswith("tatian_adapters")


def test_doctor_gives_the_command_for_missing_adapters(
    tatian: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tatian.chat.local.adapter_path", lambda name: None)
    report = json.loads(tatian("doctor", "--format", "json").out)
    (check,) = (one for one in report["checks"] if one["name"] == "adapters")
    assert (check["status"], report["ok"]) == ("absent", True)
    assert check["detail"].startswith("without judge, union")
    assert "pip install ./adapters" in check["advice"]


def test_doctor_names_the_cache(checks: dict[str, dict[str, Any]]) -> None:
    assert checks["cache"]["detail"] == "/nowhere/cache (not made yet)"


def test_doctor_tries_the_models_and_a_consolidation(checks: dict[str, dict[str, Any]]) -> None:
    assert checks["union: edit"]["status"] == "ok"
    assert checks["consolidate"]["detail"].startswith("two sources became ")


def test_table_reports_success(tatian: Command) -> None:
    done = tatian("doctor")
    assert done.status == 0
    assert "consolidate" in done.out
    assert done.err == "tatian: note: everything needed is there: consolidation works\n"


def test_failing_consolidation_gives_status_1(tatian: Command, tmp_path: Path) -> None:
    blocked = "import sys\nsys.modules['tatian.consolidation.weave'] = None\n"
    (tmp_path / "sitecustomize.py").write_text(blocked)
    done = tatian.in_new_process("doctor", PYTHONPATH=str(tmp_path))
    assert done.status == 1
    assert "import of tatian.consolidation.weave halted" in done.out
    assert done.err.startswith("tatian: error: consolidation does not work")
