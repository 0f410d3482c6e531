"""Flaws in consolidated texts that an editor should check, counted by kind over bundles.

    python benchmarks/text_flaws.py BUNDLES...              files or folders of bundles
    python benchmarks/text_flaws.py BUNDLES... --limit 10   the first ten of each
    python benchmarks/text_flaws.py BUNDLES... --list       each with its sentence
    python benchmarks/text_flaws.py BUNDLES... --length 150

Besides the flaws that `consolidate` warns of, it counts names that replace a pronoun, sentences set
aside because their "he" has no antecedent, and repeated full names.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tatian import Pipeline
from tatian.consolidation.check import FLAWS, text_flaws
from tatian.consolidation.layout import lay_out
from tatian.consolidation.report import build_result
from tatian.consolidation.result import Consolidation
from tatian.consolidation.weave import plan
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.statistics import Column, Table
from tatian.text.lexicon import ROLE_HEADS, TITLES

OFFICES = TITLES | ROLE_HEADS | {"police", "prime", "army", "brigadier", "fire", "chief"}
NAMED, UNKNOWN, AGAIN = "names for pronouns", "unknown, set aside", "full names again"


def counted(bundle: Bundle, pipeline: Pipeline, length: int | None) -> Iterator[tuple[str, str]]:
    """Yield the kind and the place of each flaw in the text of a bundle."""
    planned = plan([pipeline.process(document) for document in bundle.documents()], length=length)
    woven = build_result(planned, lay_out(planned))
    for flaw in text_flaws(woven, planned):
        sentence = woven.sentences[flaw.sentence]
        yield flaw.kind, f"{flaw}: {woven.text[sentence.start : sentence.end]}"
    for account in planned.story.sources:
        for index, why in account.excluded.items():
            if why.startswith("nothing before it says"):
                yield UNKNOWN, account.document.sentences[index].of(account.document.text)
    yield from ((NAMED, place) for place in substituted(woven))
    yield from ((AGAIN, place) for place in named_again(woven))


def substituted(woven: Consolidation) -> Iterator[str]:
    """Yield the sentences in which a name replaces a pronoun."""
    texts = {account.id: account.text for account in woven.documents}
    for sentence in woven.sentences:
        for token in sentence.tokens:
            names = {
                texts[source.document][source.start : source.end].lower()
                for source in token.sources
                if source.kind == "substituted"
            }
            if not names.isdisjoint({"he", "she", "him", "her", "his"}):
                yield woven.text[sentence.start : sentence.end]
                break


def named_again(woven: Consolidation) -> Iterator[str]:
    """Yield the full names of people, from the second time on."""
    people = {chain.id for chain in woven.chains if chain.type == "PER"}
    seen: set[str] = set()
    for mention in sorted(woven.mentions, key=lambda mention: mention.start):
        name = woven.text[mention.start : mention.end]
        words = [word for word in re.findall(r"\b[A-Z][\w.]+", name) if word.lower() not in OFFICES]
        full = len(words) > 1
        if mention.chain in people and full:
            if mention.chain in seen:
                yield name
            seen.add(mention.chain)


def main() -> None:
    """Count the flaws and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bundles", nargs="+")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--length", type=int)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    pipeline = Pipeline()
    kinds = (*FLAWS, NAMED, UNKNOWN, AGAIN)
    rows = []
    for path in options.bundles:
        bundles = read_bundles([path])[: options.limit]
        counts: Counter[str] = Counter()
        for bundle in bundles:
            for kind, where in counted(bundle, pipeline, options.length):
                counts[kind] += 1
                if options.list:
                    print(f"{bundle.id}\t{kind}\t{' '.join(where.split())}", file=sys.stderr)
        rows.append((Path(path).stem, len(bundles), *(counts[kind] for kind in kinds)))
    counted_columns = [Column(name, precision=0) for name in ("bundles", *kinds)]
    print(Table.of(["texts", *counted_columns], rows).render("markdown"))


if __name__ == "__main__":
    main()
