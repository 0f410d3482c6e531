"""Processor time and memory of the trained resolver on very long documents.

    python benchmarks/coref_length.py [--tokens 10000,30000,100000] [--scheme gum]

Texts of LitBank are joined until they have so many tokens. Each length is resolved by a process of
its own. Analysis and loading count for its memory, not for its time. Memory is the peak of the
process.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from data_folder import DATA
from tatian.statistics import Cell, Column, Table

CORPUS = Path("coreference") / "litbank-train.conll.gz"
TOKENS = "10000,30000,100000"


def resolve(data: Path, tokens: int, scheme: str) -> dict[str, float]:
    """Resolve a text of at least so many tokens in this process."""
    from tatian.coreference.analysis import analyse
    from tatian.coreference.models import resolvers
    from tatian.text import CHAINS, Document

    resolver = resolvers.create("tatian", scheme=scheme)
    resolver.resolve(Document("short", "The weights are read."))
    document = analyse(Document("long", text_of(data / CORPUS, tokens)))
    start = time.process_time()
    chains = resolver.resolve(document).get(CHAINS)
    return {
        "tokens": len(document.tokens),
        "seconds": time.process_time() - start,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "longest": max(len(chain.mentions) for chain in chains),
    }


def text_of(path: Path, tokens: int) -> str:
    """Join texts of a CoNLL file until they have so many tokens."""
    from tatian.formats import find

    texts: list[str] = []
    count = 0
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for document in find("conll").read(file.read()):
            texts.append(document.text)
            count += len(document.tokens)
            if count >= tokens:
                break
    return "\n\n".join(texts)


def run(data: Path, lengths: Sequence[int], scheme: str) -> Table:
    """Run every length in a process of its own."""
    rows: list[list[Cell]] = []
    for length in lengths:
        command = [sys.executable, __file__, "--data", str(data), "--scheme", scheme]
        done = subprocess.run([*command, "--one", str(length)], capture_output=True, check=True)
        measured = json.loads(done.stdout)
        per_token = 1000 * measured["seconds"] / measured["tokens"]
        rows.append(
            [int(measured["tokens"]), per_token, measured["megabytes"], int(measured["longest"])]
        )
    columns = [
        Column("tokens", precision=0),
        Column("CPU s for 1,000 tokens", precision=2),
        Column("MB", precision=0),
        Column("mentions of the longest chain", precision=0),
    ]
    return Table.of(columns, rows, title=f"scheme {scheme}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--tokens", default=TOKENS, metavar="NUMBERS")
    parser.add_argument("--scheme", default="gum", metavar="NAME")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        print(json.dumps(resolve(options.data, options.one, options.scheme)))
        return
    lengths = [int(length) for length in options.tokens.split(",")]
    print(run(options.data, lengths, options.scheme).render(options.format))


if __name__ == "__main__":
    main()
