"""Jobs on a Ray cluster of several nodes, all on this machine, of which some are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tatian.corpora import iterate

from ..knowledge.mediawiki_samples import PAGES, export
from ..waiting import until

pytestmark = pytest.mark.long(60)

MODEL = """
import os, signal, time
from contextlib import suppress
from pathlib import Path
from tatian.analysis.pieces import segmented

HERE = Path(__file__).parent


def permitted():
    for permit in (HERE / "permits").iterdir():
        with suppress(FileNotFoundError):
            permit.unlink()
            return True
    return not (HERE / "held").exists()


class Held:
    def analyze(self, document):
        (HERE / "workers" / str(os.getpid())).touch()
        while not permitted():
            time.sleep(0.01)
        if document.id == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        if document.id == "wrong":
            raise ValueError("not this one")
        return segmented(document)
"""
DRIVER = """
import sys
from tatian.engine import open_engine
from tatian.pipeline.corpus_steps import AnalysisStep
from tatian.pipeline.shards import run_step

if __name__ == "__main__":
    corpus, output, engine, address = sys.argv[1:]
    run_step(
        AnalysisStep("held_model:Held"),
        [corpus],
        output,
        open_engine(engine, address=address or None, processes=2),
        resume=True,
        length=600,
    )
"""
COMMANDS = """
import json, sys
from tatian.cli import main

if __name__ == "__main__":
    for line in json.loads(sys.argv[1]):
        try:
            main(line)
        except SystemExit as end:
            assert not end.code, line
"""
"""Runs commands one after another: starting Python and joining the cluster takes longer."""
DOCUMENTS, PERMITS = 200, 8
SMALL = {"object_store_memory": 100 << 20, "include_dashboard": False}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the model, a corpus and what runs the one over the other."""
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "workers").mkdir()
    (folder / "held_model.py").write_text(MODEL)
    (folder / "driver.py").write_text(DRIVER)
    (folder / "permits").mkdir()
    ids = [f"d{number:03d}" for number in range(DOCUMENTS)]
    ids[17], ids[180] = "wrong", "deadly"
    (folder / "corpus").mkdir()
    for part in range(2):
        records = [{"id": id, "text": f"The ferry {id} sailed. It came back."} for id in ids]
        half = records[part * DOCUMENTS // 2 : (part + 1) * DOCUMENTS // 2]
        text = "".join(json.dumps(one) + "\n" for one in half)
        (folder / "corpus" / f"{part}.jsonl").write_text(text)
    settings = {
        "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]),
        "RAY_AUTH_MODE": "disabled",
        "RAY_USAGE_STATS_ENABLED": "0",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        patch.setenv("HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def expected(place: Path) -> dict[str, bytes]:
    """What the local engine writes."""
    with started(place, "local") as driver:
        assert driver.wait(timeout=300) == 0
    return read_folder(place / "local")


@pytest.fixture(scope="module")
def cluster(place: Path) -> Iterator[Any]:
    """A head that runs nothing, and a node; a test adds the nodes that it needs besides."""
    from ray.cluster_utils import Cluster

    quick = {"health_check_period_ms": 1000, "health_check_failure_threshold": 3}
    made = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": quick, **SMALL}
    )
    try:
        made.add_node(num_cpus=1, **SMALL)
        yield made
    finally:
        made.shutdown()


def started(place: Path, name: str, address: str = "") -> subprocess.Popen[bytes]:
    engine = "ray" if address else "local"
    command = [sys.executable, "driver.py", place / "corpus", place / name, engine, address]
    return subprocess.Popen([*map(str, command)], cwd=place)


def read_folder(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.iterdir() if not path.name.startswith("."))
    return {path.name: path.read_bytes() for path in found}


def wait_for(count: int, output: Path, driver: subprocess.Popen[bytes]) -> None:
    """Let a few documents at a time be read until there are so many shards."""
    permits = output.parent / "permits"

    def written() -> bool:
        assert driver.poll() is None, "the run has ended before"
        for number in range(PERMITS):
            (permits / str(number)).touch()
        return shards(output) >= count

    until(written, f"{count} shards", patience=300, pause=0.1)


def shards(folder: Path) -> int:
    return len(list(folder.glob("part-*")))


def workers(place: Path) -> list[int]:
    pids = [int(path.name) for path in (place / "workers").iterdir()]
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_killed_workers_do_not_change_the_output(
    place: Path, expected: dict[str, bytes], cluster: Any
) -> None:
    """A worker, then a whole node, then the driver, which is started again."""
    first = cluster.add_node(num_cpus=1, **SMALL)
    output = place / "ray"
    (place / "held").touch()
    with started(place, "ray", cluster.address) as driver:
        wait_for(3, output, driver)
        os.kill(workers(place)[0], signal.SIGKILL)
        before = shards(output)
        wait_for(before + 2, output, driver)
        cluster.remove_node(first, allow_graceful=False)
        before = shards(output)
        wait_for(before + 2, output, driver)
        driver.kill()
    (place / "held").unlink()
    done = {path: path.stat().st_mtime_ns for path in output.glob("part-*")}
    assert 0 < len(done) < len(expected) - 2
    cluster.add_node(num_cpus=1, **SMALL)
    with started(place, "ray", cluster.address) as driver:
        assert driver.wait(timeout=300) == 0
    assert {path: path.stat().st_mtime_ns for path in done} == done
    assert read_folder(output) == expected


def test_commands_without_shards_give_the_same_output(place: Path, cluster: Any) -> None:
    """Commands whose results come together again, in order: here and on the cluster."""
    if len(cluster.worker_nodes) < 2:
        cluster.add_node(num_cpus=1, **SMALL)
    examples = Path(__file__).parents[2] / "examples"
    (place / "wiki.xml").write_text(export(*PAGES))
    corpus = [str(examples / name) for name in ("ferry", "army", "museum")]
    outputs = {}
    for name, engine in (
        ("here", ["--engine", "local", "--processes", "1"]),
        ("there", ["--engine", "ray", "--address", cluster.address, "--processes", "1"]),
    ):
        folder = place / name
        commands = [
            ["stories", *corpus, "-o", folder / "kept"],
            ["consolidate", "--stories", folder / "kept", "-o", folder / "pages", "--fast"],
            ["aggregate", "mine", *corpus, "-o", folder / "mined.jsonl"],
            ["aggregate", "extract", *corpus, "--fast", "-o", folder / "sets.jsonl"],
            ["kb", "build", place / "wiki.xml", "--no-vectors", "-o", folder / "wiki.kb"],
        ]
        lines = [[*map(str, command), *engine, "-q"] for command in commands]
        run = [sys.executable, "-c", COMMANDS, json.dumps(lines)]
        done = subprocess.run(run, cwd=place, capture_output=True, timeout=300, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        files = ["kept/stories.jsonl", "mined.jsonl", "sets.jsonl", "wiki.kb.terms"]
        pages = sorted((folder / "pages").iterdir())
        outputs[name] = {
            path.name: path.read_bytes() for path in (*pages, *(folder / one for one in files))
        }
    assert len(outputs["here"]) > 6
    assert outputs["there"] == outputs["here"]


def test_every_document_is_in_one_shard_or_reported_as_failed(
    place: Path, expected: dict[str, bytes]
) -> None:
    names = sorted(name for name in expected if name.startswith("part-"))
    assert len(names) > 10
    done = [one.id for one in iterate(str(place / "local" / name) for name in names)]
    failed = [json.loads(line) for line in expected["failed.jsonl"].splitlines()]
    assert sorted(one["id"] for one in failed) == ["deadly", "wrong"]
    assert sorted([*done, "deadly", "wrong"]) == sorted(
        document.id for document in iterate(str(place / "corpus"))
    )
