"""Gold links that each rule over chains would refuse: an upper bound on the cost of the rules.

    python benchmarks/coref_constraints.py [--data DIR] [--limit N] [--format text|markdown|json]

The gold chains are those of OntoGUM dev, GUM dev and LitBank (the part kept out of training). They
are built link by link, each mention with the one before it, on the key's tokens and sentences with
our own analysis. A link counts for the rule that refuses it. A refused mention is left out of its
chain, so one wrong analysis at the start of a chain can cost many links.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from coref_resolve_data import Dataset, document_of, plain_document, read_datasets
from data_folder import DATA
from tatian.coreference.analysis import analyse
from tatian.coreference.constraints import INDEFINITE, RULE_DESCRIPTIONS, RULES, Clusters, Refusal
from tatian.coreference.sorts import DATELINE, ONE_CLAUSE, OWNER
from tatian.coreference.traits import PhraseTraits
from tatian.coreference.words import Text
from tatian.errors import TatianError
from tatian.statistics import Cell, Column, Table
from tatian.text import CHAINS, Document

NAMES = (*(rule.name for rule in RULES), INDEFINITE, ONE_CLAUSE, OWNER, DATELINE)


def gold_heads(key: Document, text: Text) -> Iterator[list[int]]:
    """Yield the positions of the head words of each gold chain, in order."""
    starts = {token.start: place for place, token in enumerate(key.tokens)}
    ends = {token.end: place + 1 for place, token in enumerate(key.tokens)}
    for chain in key.get(CHAINS):
        yield [
            text.head_of(starts[mention.start], ends[mention.end])
            for mention in sorted(chain.mentions)
            if mention.start in starts and mention.end in ends
        ]


def find_refusals(key: Document) -> Iterator[Refusal | None]:
    """Yield the refusal of each gold link of a document; None if no rule refuses it."""
    bare = plain_document(key)
    read = analyse(document_of(key.id, key.text, bare["tokens"], bare["sentences"]))
    text = Text.of(read)
    clusters = Clusters(PhraseTraits(read, text).of, text.exclusions)
    for heads in gold_heads(key, text):
        before: int | None = None
        for head in heads:
            refusal = None if before is None else clusters.join(head, before)
            if before is not None:
                yield refusal
            before = head if refusal is None else before


def count_refusals(dataset: Dataset) -> tuple[int, Counter[str]]:
    """Return the number of gold links of a corpus, and the number that each rule refuses."""
    found_refusals = [refusal for key in dataset.documents for refusal in find_refusals(key)]
    return len(found_refusals), Counter(
        refusal.rule for refusal in found_refusals if refusal is not None
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--limit", type=int, metavar="N", help="documents a corpus")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    try:
        corpora = [
            dataset
            for dataset in read_datasets(options.data / "coreference", options.limit)
            if dataset.name != "GAP"
        ]
    except TatianError as error:
        sys.exit(f"error: {error}")
    counts = [count_refusals(dataset) for dataset in corpora]
    rows: list[list[Cell]] = [
        [name, RULE_DESCRIPTIONS[name], *(refused[name] for _, refused in counts)] for name in NAMES
    ]
    rows.append(["all rules", None, *(sum(refused.values()) for _, refused in counts)])
    rows.append(["gold links", None, *(links for links, _ in counts)])
    figures = [Column(dataset.name, precision=0) for dataset in corpora]
    table = Table.of(["rule", "what it refuses", *figures], rows, title="gold links refused")
    print(table.render(options.format), flush=True)


if __name__ == "__main__":
    main()
