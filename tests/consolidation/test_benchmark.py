"""The benchmark and the reading kit run from end to end, on a small bundle."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from .facts import bundle, mill, written

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("consolidation")


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("reading")


@pytest.fixture
def conflicts(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("conflicts")


@pytest.fixture
def bundles(tmp_path: Path) -> str:
    return written(tmp_path / "all.jsonl", mill(), mill(id="other"), lines=True)


def test_systems_are_printed_side_by_side(
    benchmark: ModuleType, bundles: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    benchmark.main(["--bundles", bundles, "--gold", "--keep", str(kept), "--format", "json"])
    (table,) = json.loads(capsys.readouterr().out)
    rows = {row["text"]: row for row in table["rows"]}
    assert rows["stacked"]["told"]["value"] == rows["oracle: cover"]["told"]["value"] == 1
    assert rows["oracle: cover"]["again"]["value"] == 0
    assert (kept / "oracle-cover" / "other.txt").is_file()


def test_tatian_is_timed_and_tested_against_the_accounts_stacked(
    benchmark: ModuleType,
    bundles: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ways = {"tatian": lambda one: one.stacked(), "tatian --fast": lambda one: one.longest()}
    monkeypatch.setattr(benchmark, "tatian_ways", lambda: ways)
    monkeypatch.setattr(benchmark, "cold_start", lambda bundle, options: 2.0 - len(options))
    benchmark.main(["--bundles", bundles])
    out = capsys.readouterr().out
    assert "tatian against stacked" in out
    assert "tatian --fast against stacked" in out
    assert "cold start on mill" in out


def test_sets_without_judged_pairs_and_missing_folders_are_refused_in_one_line(
    conflicts: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, name, message in [
        (tmp_path, "stories-55", "no judged pairs of stories-55: known: ecb, train, dev,"),
        (tmp_path / "none", "dev", "none: no such folder"),
    ]:
        with pytest.raises(SystemExit) as stopped:
            conflicts.main(["score", str(folder), name])
        (line,) = capsys.readouterr().err.splitlines()
        assert stopped.value.code == 2
        assert message in line


def test_best_cover_states_all_facts_with_the_fewest_words(benchmark: ModuleType) -> None:
    assert benchmark.best_cover(bundle()) == {"A.1", "A.2", "A.3", "B.1"}
    assert benchmark.dropped(bundle()) == {"A.1", "A.2", "A.3", "B.1"}
    facts = mill()["facts"]
    facts[4]["sources"] = ["B.0", "B.1"]
    assert benchmark.best_cover(bundle(facts=facts)) == {"A.1", "A.2", "A.3", "B.0"}


def packets(reading: ModuleType, bundles: str, folder: Path, seed: int = 1) -> dict[str, Any]:
    """The key of packets made in that folder, which must say what the packets hold."""
    mine = folder / "mine"
    mine.mkdir(parents=True)
    for id in ("mill", "other"):
        (mine / f"{id}.txt").write_text(f"My text of {id}.", encoding="utf-8")
    systems = ["reference", "stacked", f"mine={mine}"]
    options = ["--key", f"{folder}/key", "--bundles", bundles, "--seed", str(seed)]
    reading.main(["packets", f"{folder}/out", *systems, *options])
    found: dict[str, Any] = json.loads((folder / "key" / "key.json").read_text("utf-8"))["bundles"]
    return found


def test_packets_do_not_say_who_wrote_what(
    reading: ModuleType, bundles: str, tmp_path: Path
) -> None:
    key = packets(reading, bundles, tmp_path)
    files = sorted(path.name for path in (tmp_path / "out" / "mill").iterdir())
    assert files == ["accounts.txt", "text-1.txt", "text-2.txt", "text-3.txt"]
    (number,) = (number for number, name in key["mill"].items() if name == "mine")
    assert (tmp_path / "out" / "mill" / f"text-{number}.txt").read_text() == "My text of mill.\n"
    everything = "".join(path.read_text() for path in (tmp_path / "out").rglob("*.*"))
    assert "mine" not in everything
    assert "evening-post" not in everything
    assert "attaches a\n  fact to the wrong person, thing, time or event" in everything


def test_seed_decides_the_drawn_numbers(reading: ModuleType, bundles: str, tmp_path: Path) -> None:
    first = packets(reading, bundles, tmp_path / "a")
    assert packets(reading, bundles, tmp_path / "b") == first
    others = [packets(reading, bundles, tmp_path / str(n), n) for n in range(2, 7)]
    assert any(other != first for other in others)


def test_a_key_among_the_packets_is_refused(reading: ModuleType, bundles: str) -> None:
    with pytest.raises(SystemExit, match="the key lies among the packets"):
        reading.main(["packets", "out", "stacked", "--key", "out/key", "--bundles", bundles])


def verdict(id: str, key: dict[str, str], reader: str, *ranking: str) -> dict[str, Any]:
    """A verdict that ranks the systems in this order."""
    texts = {
        number: {
            "rank": ranking.index(name) + 1,
            "score": 9 - 2 * ranking.index(name),
            "false": ["'x' - nobody says so"] if name == "stacked" else [],
        }
        for number, name in key.items()
    }
    return {"bundle": id, "reader": reader, "texts": texts}


def test_verdicts_are_counted_by_system(
    reading: ModuleType, bundles: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = packets(reading, bundles, tmp_path)
    path = written(
        tmp_path / "verdicts.jsonl",
        verdict("mill", key["mill"], "ann", "mine", "reference", "stacked"),
        verdict("other", key["other"], "ann", "reference", "mine", "stacked"),
        verdict("other", key["other"], "bo", "reference", "stacked", "mine"),
        lines=True,
    )
    reading.main(["tally", f"{tmp_path}/key", path, "--first", "mine"])
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    assert rows[0][:2] == ["3", "verdicts"]
    assert rows[2][:6] == ["reference", "8.3", "1.33", "2", "0", "0"]
    assert rows[3][:6] == ["mine", "7.0", "2.00", "1", "1", "0"]
    assert rows[4][:6] == ["stacked", "5.7", "2.67", "0", "2", "3"]
    assert rows[6] == ["reference", "1", "2", "1", "1"]
    assert rows[7] == ["stacked", "2", "1", "1", "0"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bundle": "unknown"}, "no bundle 'unknown' in the key"),
        ({"texts": {}}, "judges texts"),
        ({"reader": 7}, "reader"),
    ],
)
def test_a_verdict_that_does_not_fit_is_refused_with_its_place(
    reading: ModuleType, bundles: str, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    key = packets(reading, bundles, tmp_path)
    one = verdict("mill", key["mill"], "ann", "mine", "reference", "stacked")
    path = written(tmp_path / "verdicts.jsonl", one, one | change, lines=True)
    with pytest.raises(SystemExit, match=rf"verdicts\.jsonl:2: .*{message}"):
        reading.main(["tally", f"{tmp_path}/key", path])


def test_shared_ranks_are_refused(reading: ModuleType, bundles: str, tmp_path: Path) -> None:
    key = packets(reading, bundles, tmp_path)
    one = verdict("mill", key["mill"], "ann", "mine", "reference", "stacked")
    for text in one["texts"].values():
        text["rank"] = 1
    with pytest.raises(SystemExit, match="they must be 1 to 3"):
        reading.main(["tally", f"{tmp_path}/key", written(tmp_path / "verdicts.json", one)])
