"""Accuracy of `tatian coref expand`: maximal phrases restored from their heads alone.

    python benchmarks/coref_expand.py [--data DIR] [--documents N] [--format text|markdown|json]

On GUM dev: of every mention only the head (its ``minspan``) is kept, then grown. The score is the
share of mentions whose extent in GUM is restored exactly, with GUM's own trees and the encoder's.
It is given for all mentions and for nouns that stand for one thing, because GUM also marks clauses
and conjoined phrases, which the MUC-6 definition forbids. A closing comma and a possessive 's,
which GUM and the definition treat differently, do not count. Baselines are the head alone, the head
with its left modifiers, and its subtree without prepositions, conjuncts and, of a predicate, the
rest of the clause.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from data_folder import DATA
from tatian.analysis.trees import Tree, trees
from tatian.coreference.analysis import analyse
from tatian.coreference.expansion import expand
from tatian.errors import TatianError
from tatian.formats import find
from tatian.statistics import Cell, Column, Table
from tatian.text import CHAINS, WORDS, Chain, Document, Mention, Span

Grow = Callable[[Document], dict[str, Span]]
"""Function from a document whose chains hold one head each to the extent of each chain."""

_NOUNS = frozenset(("NOUN", "PROPN", "PRON", "NUM", "SYM"))
_APART = ("case", "mark", "cc", "conj", "cop", "nsubj", "csubj", "aux", "parataxis", "expl")
_LEFT = ("det", "amod", "nummod", "compound", "nmod", "advmod")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--documents", type=int, metavar="N", help="all by default")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    path = options.data / "coreference" / "gum-dev.conllu.gz"
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
        documents = list(islice(find("corefud").read(text, str(path)), options.documents))
        print(expansion_table(documents).render(options.format))
    except (OSError, TatianError) as error:
        sys.exit(f"error: {error}")


def expansion_table(documents: Sequence[Document]) -> Table:
    """Tabulate the share of mentions that each method restores."""
    gold = [analyse(document) for document in documents]
    ours = [_analysed_anew(document) for document in documents]
    ways: dict[str, Grow] = {
        "head alone": _alone,
        "head and left modifiers": _with_left,
        "all below the head": _subtree,
        "`expand(document, widest=False)`": lambda document: _expanded(document, widest=False),
        "`coref expand`": lambda document: _expanded(document, widest=True),
    }
    rows: list[Sequence[Cell]] = []
    for name, grow in ways.items():
        shares = [share for trees in (gold, ours) for share in _shares(documents, trees, grow)]
        rows.append((name, *shares))
    every, nouns = _sizes(documents)
    return Table.of(
        (
            "extent",
            *(
                Column(f"{trees}: {which}", scale=100, precision=1)
                for trees in ("GUM's trees", "encoder's trees")
                for which in ("all mentions", "nouns")
            ),
        ),
        rows,
        title=f"GUM dev, {every} mentions, {nouns} of them nouns for one thing, per cent found",
    )


def _analysed_anew(document: Document) -> Document:
    layers = {name: layer for name, layer in document.layers.items() if name != WORDS.name}
    return analyse(msgspec.structs.replace(document, layers=layers))


def _sizes(documents: Sequence[Document]) -> tuple[int, int]:
    mentions = [(mention, document) for document in documents for mention in _mentions(document)]
    return len(mentions), sum(_is_single(document, mention) for mention, document in mentions)


def _shares(
    documents: Sequence[Document], prepared: Sequence[Document], grow: Grow
) -> tuple[float, float]:
    """Return the shares of all mentions and of nouns that are restored as in GUM."""
    right = {True: 0, False: 0}
    counts = {True: 0, False: 0}
    for document, ready in zip(documents, prepared, strict=True):
        mentions = list(_mentions(document))
        heads = [
            Chain(str(number), (Mention(head.start, head.end),))
            for number, head in enumerate(
                mention.head or Span(mention.start, mention.end) for mention in mentions
            )
        ]
        extents = grow(ready.with_layer(CHAINS, heads, "benchmark"))
        for number, mention in enumerate(mentions):
            single = _is_single(document, mention)
            counts[single] += 1
            extent = extents[str(number)]
            right[single] += _plain(extent, document.text) == _plain(mention, document.text)
    return sum(right.values()) / sum(counts.values()), right[True] / counts[True]


def _mentions(document: Document) -> Iterator[Mention]:
    """Yield the continuous mentions, once each."""
    seen: set[tuple[int, int]] = set()
    for chain in document.get(CHAINS):
        for mention in chain.mentions:
            if not mention.parts and (mention.start, mention.end) not in seen:
                seen.add((mention.start, mention.end))
                yield mention


def _plain(span: Span, text: str) -> tuple[int, str]:
    string = span.of(text).rstrip(" ,")
    return span.start, string.removesuffix("'s").removesuffix("’s")


def _is_single(document: Document, mention: Mention) -> bool:
    """Return True if GUM's tree has a single noun, not several joined, as the mention's top."""
    words = document.get(WORDS)
    inside = {
        index
        for index, token in enumerate(document.tokens)
        if mention.start <= token.start and token.end <= mention.end
    }
    tops = [index for index in inside if words[index].head not in inside]
    tops = [index for index in tops if words[index].tag != "PUNCT"]
    if len(tops) != 1 or words[tops[0]].tag not in _NOUNS:
        return False
    return not any(
        words[index].head == tops[0] and words[index].relation in ("conj", "cop")
        for index in inside
    )


def _alone(document: Document) -> dict[str, Span]:
    return {chain.id: chain.mentions[0] for chain in document.get(CHAINS)}


def _with_left(document: Document) -> dict[str, Span]:
    def left(tree: Tree, head: int) -> set[int]:
        below = (tree.subtree(child) for child in tree.under(head, *_LEFT) if child < head)
        return {head}.union(*below)

    return _by_tree(document, left)


def _subtree(document: Document) -> dict[str, Span]:
    def below(tree: Tree, head: int) -> set[int]:
        children = (child for child in tree.children[head] if tree.relation(child) not in _APART)
        return {head}.union(*map(tree.subtree, children))

    return _by_tree(document, below)


def _by_tree(document: Document, places: Callable[[Tree, int], set[int]]) -> dict[str, Span]:
    """Return extents that span the words that `places` chooses around a head."""
    homes = {
        token.start: (tree, place)
        for tree in trees(document)
        for place, token in enumerate(tree.tokens)
    }
    spans: dict[str, Span] = {}
    for chain in document.get(CHAINS):
        (head,) = chain.mentions
        inside = [home for start, home in homes.items() if head.start <= start < head.end]
        heads = {place for _, place in inside}
        tops = [(tree, at) for tree, at in inside if tree.heads[at] not in heads]
        spans[chain.id] = head
        if tops:
            tree, top = tops[0]
            chosen = [at for at in places(tree, top) if tree.tag(at) != "PUNCT"] or [top]
            start, end = tree.tokens[min(chosen)].start, tree.tokens[max(chosen)].end
            spans[chain.id] = Span(min(start, head.start), max(end, head.end))
    return spans


def _expanded(document: Document, *, widest: bool) -> dict[str, Span]:
    grown = expand(document, widest=widest).document
    return {chain.id: chain.mentions[0] for chain in grown.get(CHAINS) if chain.mentions}


if __name__ == "__main__":
    main()
