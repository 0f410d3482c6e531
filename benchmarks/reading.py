"""Reading kit: packets for blind readers, and the tally of their verdicts.

    python benchmarks/reading.py packets out --key keys --bundles DIR tatian=texts stacked longest
    python benchmarks/reading.py tally keys docs/readings/verdicts.jsonl --first tatian

`packets` makes a folder for each bundle with the sources and one text of every system, under a
number drawn by seed. Only the key's folder says which text is whose. A system is NAME=TEXTS, texts
as `tatian facts score` reads them, or one of reference, stacked and longest, which come from the
bundle. Give readers the packets and the rubric in them, never the key. `tally` takes the verdicts
of any number of readers, as the rubric describes them, in JSON or JSONL files.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean as mean
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tatian import read
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.errors import InputError, TatianError
from tatian.statistics import Column, Table

Ranks = Mapping[str, Sequence[Mapping[str, int]]]
"""Readers' ranks of the systems, for each bundle."""
KEY, RUBRIC = "key.json", "rubric.md"
FROM_BUNDLE = {
    "reference": Bundle.reference_text,
    "stacked": Bundle.stacked,
    "longest": Bundle.longest,
}
COUNTED = ("torn", "retold", "order", "junk", "missing")
"""The rubric's other lists of faults, each a list of short quotations."""
RUBRIC_TEXT = """# How to read

Each folder holds several accounts of one event (`accounts.txt`) and texts made from them
(`text-1.txt`, ...). You do not know who made which, and some may be equal. Read the accounts first,
then every text from its first line to its last, and judge it as one edited text that a reader gets
in place of the accounts.

For each text, list with a short quotation (at most 15 words) and why:

- `false`: false statements. A statement is false if it says what no account says, or attaches a
  fact to the wrong person, thing, time or event, also where only "he", "there" or "yesterday"
  does so. What the accounts themselves say wrongly is not false.
- `torn`: garbled or torn: sentences that are no sentences, quotations without their beginning, end
  or speaker, "this", "the other" or "however" without what they refer to.
- `retold`: what is told again without anything new.
- `order`: what comes where it cannot be understood, or against the order of events or topics.
- `junk`: bylines, dates alone, addresses, advertisements, headlines amid the text.
- `missing`: what a reader would miss: only what matters.

Then give a `score` from 0 (worse than useless) to 10 (a very good editor's text) for "one edited
text", and `rank` the texts from 1 (the best); no two share a rank.

# What to write

One JSON object for each folder, on a line of its own, in a file of your own:

    {"bundle": "NAME OF THE FOLDER", "reader": "YOUR NAME", "texts": {
      "1": {"rank": 2, "score": 4, "false": ["'a baker injured 12' - the ferry did"], "torn": [],
            "retold": [], "order": [], "junk": [], "missing": [], "note": "why this rank"},
      "2": {"rank": 1, "score": 7, "false": []}}}

Lists that are empty may be left out, except `false`.
"""


class Judged(Struct, frozen=True, rename={"false_": "false"}):
    """Judgement of one text by one reader."""

    rank: Annotated[int, Meta(ge=1)]
    score: Annotated[float, Meta(ge=0, le=10)]
    false_: tuple[str, ...]
    torn: tuple[str, ...] = ()
    retold: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    junk: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    note: str = ""


class Verdict(Struct, frozen=True):
    """Judgements of the texts of one bundle by one reader."""

    bundle: str
    reader: str
    texts: dict[str, Judged]


class Key(Struct, frozen=True):
    """Authors of the texts: for each bundle, systems by the number of their text."""

    seed: int
    bundles: dict[str, dict[str, str]]


def make_packets(
    out: Path,
    key: Path,
    bundles: Sequence[Bundle],
    systems: Mapping[str, Mapping[str, str]],
    seed: int,
) -> None:
    """Write the packets and, elsewhere, the key."""
    if key.resolve().is_relative_to(out.resolve()):
        raise InputError("the key lies among the packets: readers would see it", path=str(key))
    drawn: dict[str, dict[str, str]] = {}
    for bundle in bundles:
        folder = out / bundle.id
        folder.mkdir(parents=True, exist_ok=True)
        accounts = [f"ACCOUNT {source.id}\n\n{source.text}" for source in bundle.accounts]
        rule = f"\n\n{'-' * 40}\n\n"
        (folder / "accounts.txt").write_text(rule.join(accounts) + "\n", encoding="utf-8")
        names = sorted(systems)
        random.Random(f"{seed} {bundle.id}").shuffle(names)
        drawn[bundle.id] = {str(number): name for number, name in enumerate(names, 1)}
        for number, name in drawn[bundle.id].items():
            if bundle.id not in systems[name]:
                raise InputError(f"{name} has no text for the bundle '{bundle.id}'")
            text = systems[name][bundle.id].strip() + "\n"
            (folder / f"text-{number}.txt").write_text(text, encoding="utf-8")
    (out / RUBRIC).write_text(RUBRIC_TEXT, encoding="utf-8")
    key.mkdir(parents=True, exist_ok=True)
    (key / KEY).write_bytes(msgspec.json.format(msgspec.json.encode(Key(seed, drawn))) + b"\n")


def system_texts(named: str, bundles: Sequence[Bundle]) -> tuple[str, dict[str, str]]:
    """Return a system's name, and its texts by the bundles' ids."""
    name, equals, path = named.partition("=")
    if equals:
        return name, {document.id: document.text for document in read(path)}
    if name not in FROM_BUNDLE:
        raise InputError(f"'{name}' is none of {', '.join(FROM_BUNDLE)}: say NAME=TEXTS")
    return name, {bundle.id: FROM_BUNDLE[name](bundle) for bundle in bundles}


def read_verdicts(paths: Sequence[Path], key: Key) -> list[Verdict]:
    """Read all verdicts; each must judge every text of its bundle, ranked from 1."""
    verdicts: dict[tuple[str, str], Verdict] = {}
    for path in paths:
        for where, record in _records(path):
            try:
                verdict = msgspec.json.decode(record, type=Verdict)
            except msgspec.DecodeError as error:
                raise InputError(str(error).replace("`", ""), path=where) from error
            expected = key.bundles.get(verdict.bundle)
            if expected is None:
                raise InputError(f"no bundle '{verdict.bundle}' in the key", path=where)
            if verdict.texts.keys() != expected.keys():
                raise InputError(
                    f"judges texts {', '.join(verdict.texts)}, of {', '.join(expected)}", path=where
                )
            ranks = sorted(text_verdict.rank for text_verdict in verdict.texts.values())
            if ranks != [*range(1, len(ranks) + 1)]:
                raise InputError(f"ranks {ranks}: they must be 1 to {len(ranks)}", path=where)
            if (verdict.bundle, verdict.reader) in verdicts:
                raise InputError(f"{verdict.reader} on {verdict.bundle} a second time", path=where)
            verdicts[verdict.bundle, verdict.reader] = verdict
    if not verdicts:
        raise InputError("no verdicts")
    return list(verdicts.values())


def _records(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the objects of a file: one, a list of them, or one on each line."""
    data = path.read_bytes()
    try:
        whole = msgspec.json.decode(data)
    except msgspec.DecodeError:
        for number, line in enumerate(data.splitlines(), 1):
            if line.strip():
                yield f"{path}:{number}", line
        return
    for number, entry in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield f"{path}: record {number}", msgspec.json.encode(entry)


def tally(verdicts: Sequence[Verdict], key: Key, first: str | None) -> list[Table]:
    """Tabulate means and counts of every system, and pairwise preferences."""
    judged: dict[str, list[tuple[Judged, bool]]] = defaultdict(list)
    ranks: dict[str, list[dict[str, int]]] = defaultdict(list)
    for verdict in verdicts:
        names = key.bundles[verdict.bundle]
        for number, text in verdict.texts.items():
            judged[names[number]].append((text, text.rank == len(names)))
        ranked = {names[number]: text.rank for number, text in verdict.texts.items()}
        ranks[verdict.bundle].append(ranked)
    systems = sorted(judged, key=lambda name: mean(text.rank for text, _ in judged[name]))
    if first is not None and first not in systems:
        raise InputError(f"no system '{first}' in the key; there are {', '.join(systems)}")
    readers = {verdict.reader for verdict in verdicts}
    title = f"{len(verdicts)} verdicts of {len(readers)} readers on {len(ranks)} bundles"
    columns = ["text", Column("score", 1), Column("mean rank"), "first", "last", "false"]
    rows = [_row(name, judged[name]) for name in systems]
    against = [_against(name, systems, ranks) for name in ([first] if first else systems)]
    return [Table.of([*columns, *COUNTED], rows, title), *against]


def _row(name: str, judged: Sequence[tuple[Judged, bool]]) -> tuple[str | int | float, ...]:
    ones = [text for text, _ in judged]
    return (
        name,
        mean(text.score for text in ones),
        mean(text.rank for text in ones),
        sum(text.rank == 1 for text in ones),
        sum(last for _, last in judged),
        sum(len(text.false_) for text in ones),
        *(sum(len(getattr(text, field)) for text in ones) for field in COUNTED),
    )


def _against(name: str, systems: Sequence[str], ranks: Ranks) -> Table:
    """Tabulate how often a system ranked above each other: in all verdicts, and by bundles."""
    rows = []
    for other in systems:
        pairs = [
            [(ranked[name], ranked[other]) for ranked in verdicts if {name, other} <= ranked.keys()]
            for verdicts in ranks.values()
        ]
        wins = [above < below for bundle in pairs for above, below in bundle]
        whole = [sum(below - above for above, below in bundle) for bundle in pairs if bundle]
        if other != name and wins:
            won, lost = sum(n > 0 for n in whole), sum(n < 0 for n in whole)
            rows.append((other, sum(wins), len(wins) - sum(wins), won, lost))
    columns = [f"{name} against", "verdicts for", "verdicts against"]
    return Table.of([*columns, "bundles for", "bundles against"], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    packets = commands.add_parser("packets", help="make packets for readers")
    packets.add_argument("out", type=Path, help="folder for the packets")
    packets.add_argument("systems", nargs="+", metavar="NAME[=TEXTS]")
    packets.add_argument("--bundles", required=True, help="a file or folder of bundles")
    packets.add_argument("--key", type=Path, required=True, help="another folder, for the key")
    packets.add_argument("--only", help="the ids of the bundles to read, with commas between them")
    packets.add_argument("--seed", type=int, default=1)
    counting = commands.add_parser("tally", help="count verdicts")
    counting.add_argument("key", type=Path, help="the folder of the key")
    counting.add_argument("verdicts", type=Path, nargs="+", help="JSON or JSONL files")
    counting.add_argument("--first", help="compare only this system with each other")
    counting.add_argument("--format", choices=["text", "markdown"], default="text")
    options = parser.parse_args(arguments)
    try:
        if options.command == "packets":
            bundles = read_bundles(options.bundles)
            if options.only:
                wanted = options.only.split(",")
                bundles = [bundle for bundle in bundles if bundle.id in wanted]
                if missing := set(wanted) - {bundle.id for bundle in bundles}:
                    raise InputError(f"no bundle {', '.join(sorted(missing))}")
            systems = dict(system_texts(system, bundles) for system in options.systems)
            make_packets(options.out, options.key, bundles, systems, options.seed)
        else:
            key = msgspec.json.decode((options.key / KEY).read_bytes(), type=Key)
            tables = tally(read_verdicts(options.verdicts, key), key, options.first)
            print("\n".join(table.render(options.format) for table in tables))
    except (TatianError, OSError, msgspec.DecodeError) as error:
        sys.exit(f"reading.py: {error}")


if __name__ == "__main__":
    main()
