"""Ray where we start it ourselves: nobody else reaches it, and it runs no file of the folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tatian.engine.cluster import RayEngine, _is_loopback
from tatian.errors import TatianError

from .conftest import TEXT

DRIVER = """
import json, os, sys
sys.path.remove(os.getcwd()) if os.getcwd() in sys.path else None
from tatian.engine import open_engine
import doubling_job

if __name__ == "__main__":
    found = open_engine("ray", processes=1).run(doubling_job.Doubling(parts=(([1], [2]),)))
    results = [next(found)]
    import psutil
    us = psutil.Process()
    places = [
        one.laddr.ip
        for process in (us, *us.children(recursive=True))
        for one in process.net_connections()
        if one.status == "LISTEN"
    ]
    results.extend(found)
    print(json.dumps([sorted(results), places, os.environ["RAY_AUTH_MODE"]]))
"""


@pytest.mark.long(60)
def test_ray_listens_on_the_loopback_address_and_requires_a_token(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "code" / "doubling_job.py").write_text(TEXT)
    (tmp_path / "code" / "driver.py").write_text(DRIVER)
    for name in ("msgspec", "numpy"):
        (tmp_path / "here" / f"{name}.py").write_text("open('taken', 'w')")
    kept = {name: text for name, text in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run(
        [sys.executable, tmp_path / "code" / "driver.py"],
        cwd=tmp_path / "here",
        env={**kept, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results, places, mode = json.loads(done.stdout.splitlines()[-1])
    assert results == [[2], [4]]
    assert len(places) > 3
    assert all(map(_is_loopback, places)), places
    assert mode == "token"
    assert not (tmp_path / ".ray" / "auth_token").exists()
    assert not (tmp_path / "here" / "taken").exists()


@pytest.mark.parametrize(
    ("address", "alone"),
    [
        *((one, True) for one in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "localhost")),
        *((one, False) for one in ("192.0.2.2", "::", "0.0.0.0", "head")),
    ],
)
def test_loopback_addresses_are_recognized(address: str, alone: bool) -> None:
    assert _is_loopback(address) == alone


def test_a_ray_that_others_could_reach_is_shut_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)

    class Ray:
        ended = False
        util = type("", (), {"get_node_ip_address": staticmethod(lambda: "192.0.2.2")})

        def init(self, **_: object) -> None:
            self.ended = False

        def shutdown(self) -> None:
            self.ended = True

    engine = RayEngine.__new__(RayEngine)
    engine._ray, engine._address, engine._processes = Ray(), None, 1
    with pytest.raises(TatianError, match=r"Ray would listen on 192\.0\.2\.2.*--address"):
        engine._connect()
    assert engine._ray.ended
