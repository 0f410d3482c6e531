"""How long three accounts of 400 words take from a cold start, and what the fast way costs.

    python benchmarks/consolidation_speed.py             five events of ECB+, topics 21-35
    python benchmarks/consolidation_speed.py --events 2

Each account is made of documents of ECB+ that report one event, put one after the other up to the
wanted number of words. Every run is a new process, ``python -m tatian consolidate``, so loading
counts. Coverage and repetition are those of `tatian.consolidation.metrics`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tatian.consolidation.metrics import compression, coverage, repetition, words
from tatian.coreference.data import by_subtopic, read_ecbplus
from tatian.statistics import Column, Table
from tatian.text.splitter import split

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = "coreference/ecbplus-topics-1-35.tar.gz"
TOPICS = [str(number) for number in range(21, 36)]
WAYS = {"default": (), "--model longer": ("--model", "longer"), "--fast": ("--fast",)}
ACCOUNTS = 3
Bundle = list[str]


def bundles(archive: Path, size: int, wanted: int) -> list[Bundle]:
    """Three accounts of about `size` words for each event that has enough to say."""
    found: list[Bundle] = []
    for documents in by_subtopic(read_ecbplus(archive, topics=TOPICS, header=False)).values():
        accounts: Bundle = []
        current: list[str] = []
        for document in documents:
            current.append(document.text.strip())
            if len(words(" ".join(current))) >= size:
                accounts.append(_cut("\n\n".join(current), size))
                current = []
        if len(accounts) >= ACCOUNTS:
            found.append(accounts[:ACCOUNTS])
        if len(found) == wanted:
            break
    return found


def _cut(text: str, size: int) -> str:
    """The first sentences of a text, up to about `size` words."""
    kept = text
    for span in reversed(split(text)):
        if len(words(kept)) <= size:
            break
        kept = text[: span.start].rstrip()
    return kept


def timed(bundle: Bundle, options: Sequence[str]) -> tuple[float, str]:
    """Seconds of a whole process, and the text it printed."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, account in enumerate(bundle):
            Path(scratch, f"{number}.txt").write_text(account, encoding="utf-8")
        command = [sys.executable, "-m", "tatian", "consolidate", scratch, "--quiet", *options]
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, check=True)
        return time.perf_counter() - start, done.stdout.decode()


def table(found: Sequence[Bundle]) -> Table:
    """The ways side by side."""
    rows = []
    for name, options in WAYS.items():
        runs = [timed(bundle, options) for bundle in found]
        texts = [text for _, text in runs]
        rows.append(
            (
                name,
                sum(seconds for seconds, _ in runs) / len(runs),
                max(seconds for seconds, _ in runs),
                _mean([coverage(text, one) for text, one in zip(texts, found, strict=True)]),
                _mean([repetition(_sentences(text)) for text in texts]),
                _mean([compression(text, one) for text, one in zip(texts, found, strict=True)]),
            )
        )
    columns = [
        "way",
        Column("seconds", precision=1),
        Column("slowest", precision=1),
        Column("coverage", precision=1, scale=100),
        Column("repetition", precision=1, scale=100),
        Column("compression", precision=1, scale=100),
    ]
    size = sum(len(words(account)) for bundle in found for account in bundle) / len(found)
    title = f"{len(found)} events, {ACCOUNTS} accounts of {size / ACCOUNTS:.0f} words each"
    return Table.of(columns, rows, title)


def _sentences(text: str) -> list[str]:
    return [span.of(text) for span in split(text)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse, run, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = os.environ.get("TATIAN_DATA") or ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of the data sets")
    parser.add_argument("--events", type=int, default=5)
    parser.add_argument("--words", type=int, default=400)
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    given = parser.parse_args(arguments)
    found = bundles(given.data / ARCHIVE, given.words, given.events)
    if not found:
        sys.exit("consolidation_speed.py: no event has so much to say")
    print(table(found).render(given.format))


if __name__ == "__main__":
    main()
