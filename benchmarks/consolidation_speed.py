"""Processor time of `tatian consolidate`, beside that of an earlier version.

    git worktree add ../before COMMIT
    python benchmarks/consolidation_speed.py ../before/src
    python benchmarks/consolidation_speed.py ../before/src --runs 5 --changes

Every run is a new process that consolidates the ferry example or a development bundle of about 800
words, and prints the text. The two versions take turns, on one thread; the table has the medians of
user and system time. Byte code is compiled beforehand, as it is after an installation. `--changes`
consolidates all development bundles with both and lists the sentences that differ.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from data_folder import DATA
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.statistics import Column, Table

ROOT = Path(__file__).resolve().parent.parent
BUNDLE_WORDS, BUNDLE_COUNT = 800, 3
SENTENCE = re.compile(r"(?<=[.!?])[\"”’]*\s+")


class Version:
    """Version of Tatian, run from its source folder."""

    def __init__(self, source: Path, scratch: Path) -> None:
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(source.resolve()),
            "PYTHONPYCACHEPREFIX": str(scratch / "bytecode"),
            "PYTHONDONTWRITEBYTECODE": "",
            "TATIAN_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }

    def consolidate(self, sources: Path) -> tuple[float, str]:
        """Return the processor time of a new process, in seconds, and the text."""
        before = os.times()
        done = subprocess.run(
            [sys.executable, "-m", "tatian", "consolidate", str(sources), "--quiet"],
            env=self._environment,
            cwd=sources.parent,
            capture_output=True,
            check=True,
            text=True,
        )
        after = os.times()
        user = after.children_user - before.children_user
        return user + after.children_system - before.children_system, done.stdout


def write_bundle(bundle: Bundle, folder: Path) -> Path:
    """Write the sources of a bundle, as a folder of records."""
    into = folder / bundle.id
    into.mkdir()
    for document in bundle.documents():
        name = re.sub(r"\W", "_", document.id)
        (into / f"{name}.txt").write_text(document.text, encoding="utf-8")
    return into


def time_versions(versions: Mapping[str, Version], inputs: Mapping[str, Path], runs: int) -> Table:
    """Time both versions in turns."""
    for version in versions.values():
        version.consolidate(next(iter(inputs.values())))
    rows = []
    for name, sources in inputs.items():
        times: dict[str, list[float]] = {label: [] for label in versions}
        texts: dict[str, str] = {}
        for _ in range(runs):
            for label, version in versions.items():
                seconds, texts[label] = version.consolidate(sources)
                times[label].append(seconds)
        old, new = (median(times[label]) for label in ("before", "now"))
        same = "same" if texts["before"] == texts["now"] else "differs"
        rows.append((name, old, new, new / old, same))
    columns = ["input", Column("before, s", 2), Column("now, s", 2), Column("ratio", 2), "text"]
    return Table.of(columns, rows, f"processor time, medians of {runs} runs")


def print_changes(versions: Mapping[str, Version], inputs: Mapping[str, Path]) -> None:
    """Print the sentences that differ."""
    for name, sources in inputs.items():
        old, new = (
            SENTENCE.split(versions[label].consolidate(sources)[1].strip())
            for label in ("before", "now")
        )
        lines = [line for line in difflib.ndiff(old, new) if line[0] in "+-"]
        print(f"{name}: {len(lines)} of {len(old)} sentences")
        print("".join(f"    {line}\n" for line in lines), end="")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, or the changes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path, help="folder 'src' of an earlier version")
    parser.add_argument("--bundles", type=Path, default=DATA / "consolidation" / "dev")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--changes", action="store_true", help="list the sentences that differ")
    parser.add_argument("--format", choices=("text", "markdown"), default="text")
    options = parser.parse_args(arguments)
    bundles = read_bundles(str(options.bundles))
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        versions = {
            "before": Version(options.before, scratch),
            "now": Version(ROOT / "src", scratch),
        }
        if options.changes:
            print_changes(
                versions, {bundle.id: write_bundle(bundle, scratch) for bundle in bundles}
            )
            return
        bundles.sort(key=lambda bundle: abs(len(bundle.stacked().split()) - BUNDLE_WORDS))
        inputs = {"examples/ferry": ROOT / "examples" / "ferry"}
        for bundle in bundles[:BUNDLE_COUNT]:
            words = len(bundle.stacked().split())
            inputs[f"{bundle.id}, {words} words"] = write_bundle(bundle, scratch)
        print(time_versions(versions, inputs, options.runs).render(options.format))


if __name__ == "__main__":
    main()
