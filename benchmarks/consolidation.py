"""Quality of consolidated texts, by the facts that they cover, beside baselines and oracles.

    python benchmarks/consolidation.py                  the table, the tests and the times
    python benchmarks/consolidation.py --limit 3        on the first three bundles
    python benchmarks/consolidation.py --keep texts     also keeps the texts, a folder for each way
    python benchmarks/consolidation.py --gold           only the ways that need no consolidation

The data are bundles with their facts (docs/facts.md has the format and the measures). The oracles
know from gold which sentence covers which fact, and show the limit of choosing whole sentences. One
covers all facts with the fewest words, in the order of the facts. The other drops the longest
sentence whose facts others cover, as long as there is one. A cold start is a new process that
consolidates three sources of about 1,200 words in all.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from data_folder import DATA
from tatian import Pipeline, consolidate
from tatian.consolidation.metrics import difference_table, score, score_table
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.errors import TatianError
from tatian.scoring import Scores
from tatian.statistics import Column, Table

ROOT = Path(__file__).resolve().parent.parent
COLD_WORDS = 1200
Way = Callable[[Bundle], str]


class Run(NamedTuple):
    """Texts, scores and time of one way to consolidate the bundles."""

    texts: dict[str, str]
    scores: Scores
    seconds: float


def gold_ways() -> dict[str, Way]:
    """Return the ways that use only the bundle itself."""
    return {
        "reference": Bundle.reference_text,
        "stacked": Bundle.stacked,
        "longest": Bundle.longest,
        "oracle: cover": lambda bundle: in_order(bundle, best_cover(bundle)),
        "oracle: drop": lambda bundle: in_order(bundle, dropped(bundle)),
    }


def tatian_ways() -> dict[str, Way]:
    """Return Tatian with its models and by rules alone."""
    full, quick = Pipeline(), Pipeline.fast()
    return {
        "tatian": lambda bundle: consolidate(bundle.documents(), pipeline=full).text,
        "tatian --fast": lambda bundle: (
            consolidate(bundle.documents(), pipeline=quick, fast=True).text
        ),
    }


def facts_by_sentence(bundle: Bundle) -> dict[str, set[int]]:
    """Return the gold facts, by number, that each sentence covers."""
    sources: dict[str, set[int]] = {}
    for number, fact in enumerate(bundle.facts):
        for place in fact.sources:
            sources.setdefault(place, set()).add(number)
    return sources


def best_cover(bundle: Bundle) -> set[str]:
    """Return the sentences with the fewest words that cover every fact (branch and bound)."""
    sources = facts_by_sentence(bundle)
    words = {place: len(bundle.sentences()[place].split()) for place in sources}
    best: tuple[float, frozenset[str]] = (float("inf"), frozenset())

    def price(place: str, left: frozenset[int]) -> float:
        return words[place] / len(sources[place] & left)

    def search(chosen: frozenset[str], left: frozenset[int], spent: int) -> None:
        nonlocal best
        least = sum(min(price(place, left) for place in bundle.facts[n].sources) for n in left)
        if spent + least >= best[0]:
            return
        if not left:
            best = spent, chosen
            return
        hardest = min(left, key=lambda number: (len(bundle.facts[number].sources), number))
        for place in sorted(bundle.facts[hardest].sources, key=lambda p: price(p, left)):
            search(chosen | {place}, left - sources[place], spent + words[place])

    search(frozenset(), frozenset(range(len(bundle.facts))), 0)
    return set(best[1])


def dropped(bundle: Bundle) -> set[str]:
    """Drop redundant sentences, longest first, and return those that are left."""
    sources, sentences = facts_by_sentence(bundle), bundle.sentences()
    for place in sorted(sources, key=lambda place: (-len(sentences[place].split()), place)):
        others = set().union(*(facts for other, facts in sources.items() if other != place))
        if sources[place] <= others:
            del sources[place]
    return set(sources)


def in_order(bundle: Bundle, places: Collection[str]) -> str:
    """Order sentences by the mean place of their facts in a good text."""
    sources, texts = facts_by_sentence(bundle), bundle.sentences()
    at = {p: (mean(sources[p]), number) for number, p in enumerate(texts) if p in sources}
    return "\n\n".join(texts[place] for place in sorted(places, key=at.__getitem__))


def run(name: str, way: Way, bundles: Sequence[Bundle]) -> Run:
    """Consolidate every bundle in one way and score the texts."""
    texts = {}
    start = time.perf_counter()
    for number, bundle in enumerate(bundles, 1):
        texts[bundle.id] = way(bundle)
        if sys.stderr.isatty():
            end = "\n" if number == len(bundles) else ""
            print(f"\r{name}: {number}/{len(bundles)}", end=end, file=sys.stderr)
    seconds = time.perf_counter() - start
    return Run(texts, score(bundles, texts), seconds)


def times(runs: dict[str, Run], bundles: Sequence[Bundle]) -> Table:
    """Tabulate the time per bundle, and of a new process for one bundle."""
    chosen = min(bundles, key=lambda bundle: abs(len(bundle.stacked().split()) - COLD_WORDS))
    count = len(chosen.stacked().split())
    rows = []
    for name, done in runs.items():
        options = name.split()[1:]
        cold = cold_start(chosen, options)
        rows.append((name, done.seconds / len(bundles), done.seconds, cold))
    quick = rows[-1]
    columns = [
        Column(column, precision=1)
        for column in ("seconds a bundle", "cold start", "times --fast", "cold, times --fast")
    ]
    cells = [
        (name, count, cold, whole / quick[2], cold / quick[3]) for name, count, whole, cold in rows
    ]
    title = f"{len(bundles)} bundles; cold start on {chosen.id}, {count:,} words"
    return Table.of(["way", *columns], cells, title)


def cold_start(bundle: Bundle, options: Sequence[str]) -> float:
    """Return the seconds of a whole process."""
    with tempfile.TemporaryDirectory() as scratch:
        for account in bundle.accounts:
            Path(scratch, f"{account.id}.txt").write_text(account.text, encoding="utf-8")
        command = [sys.executable, "-m", "tatian", "consolidate", scratch, "--quiet", *options]
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        return time.perf_counter() - start


def keep(folder: Path, runs: dict[str, Run]) -> None:
    """Write the texts, for reading."""
    for name, done in runs.items():
        into = folder / name.replace(": ", "-").replace(" --", "-")
        into.mkdir(parents=True, exist_ok=True)
        for id, text in done.texts.items():
            (into / f"{id}.txt").write_text(text + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    bundles = DATA / "consolidation" / "dev"
    parser.add_argument("--bundles", type=Path, default=bundles, help="a file or folder of bundles")
    parser.add_argument("--limit", type=int, help="at most so many bundles")
    parser.add_argument("--gold", action="store_true", help="leave Tatian out")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the texts here")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    try:
        read = read_bundles(str(options.bundles))[: options.limit]
        ways = gold_ways() if options.gold else gold_ways() | tatian_ways()
        runs = {name: run(name, way, read) for name, way in ways.items()}
        tables = [score_table({name: run.scores for name, run in runs.items()})]
        woven = {name: run for name, run in runs.items() if name.startswith("tatian")}
        if len(read) > 1:
            stacked = runs["stacked"].scores
            tables += [
                difference_table(name, run.scores, "stacked", stacked)
                for name, run in woven.items()
            ]
        if woven:
            tables.append(times(woven, read))
        if options.keep:
            keep(options.keep, runs)
    except (TatianError, OSError) as error:
        sys.exit(f"consolidation.py: {error}")
    if options.format == "json":
        print(json.dumps([table.to_json() for table in tables], indent=2))
    else:
        print("\n".join(table.render(options.format) for table in tables))


if __name__ == "__main__":
    main()
