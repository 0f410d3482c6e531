"""Quality of cross-document coreference over reports of one event, beside baselines.

    python benchmarks/coref_cross.py [--models A,B] [--topics 31,32,...] [--format text|markdown]

On topics of ECB+ that no model was trained on. Documents of one subtopic, reports of one event, are
linked with each other. All chains are then scored as those of one text (`cross_document`). Only
sentences annotated for coreference count (see `coref_cross_data`). "All marked" also gives the
CoNLL F1 over every marked mention, most of which nobody linked.

With gold mentions, a resolver's chain takes those whose head it has; all others are singletons
before chains are joined. With own mentions, a mention is found if its head word is marked, and
singletons are left out. "Same head" and "same words" join all mentions of a subtopic with one head
lemma, or one wording without its article. A resolver's chains are joined by
`tatian.pipeline.link_chains`, or if any of their mentions, other than pronouns, have the same head.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from coref_cross_data import (
    Heads,
    Labels,
    Read,
    annotated_sentences,
    key_of,
    make_response,
    mentions_of,
    put_on_gold,
    read_events,
    reduce_to_heads,
    resolve_all,
)
from data_folder import DATA
from tatian.coreference.metrics import ChainScores, score
from tatian.coreference.metrics.alignment import after_article
from tatian.errors import TatianError
from tatian.formats.ecbplus import ENTITY_TYPES
from tatian.pipeline import CrossChain, link_chains
from tatian.statistics import Cell, Column, Table
from tatian.text import CHAINS, Document

MODELS = ("tatian", "match")
TOPICS = ("31", "32", "33", "34", "35")
METRICS = ("muc", "b3", "ceafe", "mentions", "conll")

Pairs = Sequence[tuple[Document, Document]]
"""Keys, each with its document after a resolver."""
Labelling = Callable[[Pairs], Labels]
Clusters = dict[tuple[str, str], list[Read]]
"""Documents by topic and subtopic."""


class Groups:
    """Disjoint sets of things (union-find)."""

    def __init__(self) -> None:
        self._root: dict[str, str] = {}

    def find(self, name: str) -> str:
        """Return the representative of a thing's set."""
        while self._root.setdefault(name, name) != name:
            name = self._root[name]
        return name

    def join(self, name: str, other: str) -> None:
        """Join the sets of two things."""
        self._root[self.find(name)] = self.find(other)


def label_by_head(documents: Pairs) -> Labels:
    """Label mentions by head lemma, as a baseline."""
    labels: Labels = {}
    for key, read in documents:
        heads = Heads(read)
        for mention in mentions_of(key):
            labels[key.id, mention] = (
                heads.lemma(mention) or f"{key.id} {mention.start} {mention.end}"
            )
    return labels


def label_by_words(documents: Pairs) -> Labels:
    """Label mentions by wording, as a baseline."""
    return {
        (key.id, mention): key.text[
            after_article(key.text, mention.start, mention.end) : mention.end
        ].lower()
        for key, _ in documents
        for mention in mentions_of(key)
    }


def label_apart(documents: Pairs) -> Labels:
    """Give every mention a label of its own, as a baseline."""
    return {
        (key.id, mention): f"{key.id} {mention.start} {mention.end}"
        for key, _ in documents
        for mention in mentions_of(key)
    }


def label_by_links(documents: Sequence[Document]) -> Labels:
    """Label chains as `link_chains` joins them."""
    return _labels(link_chains(documents, lone=True))


def label_joined(documents: Sequence[Document]) -> Labels:
    """Label chains, joined if they have a head in common."""
    groups = Groups()
    labels: Labels = {}
    for document in documents:
        heads = Heads(document)
        for number, chain in enumerate(document.get(CHAINS)):
            for mention in chain.mentions:
                labels[document.id, mention] = f"chain {document.id} {number}"
                lemma = heads.lemma(mention.head or mention)
                if lemma is not None:
                    groups.join(labels[document.id, mention], f"head {lemma}")
    return {place: groups.find(label) for place, label in labels.items()}


def _labels(chains: Iterable[CrossChain]) -> Labels:
    return {place: chain.id for chain in chains for place in chain.mentions()}


def map_to_key(join: Callable[[Sequence[Document]], Labels]) -> Labelling:
    """Map a resolver's chains to the key's mentions, then join them."""

    def label_key(documents: Pairs) -> Labels:
        labels = join([put_on_gold(key, read) for key, read in documents])
        at = {(id, mention.start, mention.end): label for (id, mention), label in labels.items()}
        return {
            (key.id, mention): at[key.id, mention.start, mention.end]
            for key, _ in documents
            for mention in mentions_of(key)
        }

    return label_key


def majority_labels(documents: Pairs) -> Labels:
    """Label each chain by the thing of most of its mentions: the upper bound of joining."""
    labels: Labels = {}
    for key, read in documents:
        gold = {(m.start, m.end): (c.id, m) for c in key.get(CHAINS) for m in c.mentions}
        for chain in put_on_gold(key, read).get(CHAINS):
            gold_labels = [gold[mention.start, mention.end] for mention in chain.mentions]
            meant = Counter(id for id, _ in gold_labels).most_common(1)[0][0]
            labels |= {(key.id, mention): meant for _, mention in gold_labels}
    return labels


def join_read_chains(join: Callable[[Sequence[Document]], Labels]) -> Labelling:
    """Join a resolver's own chains."""
    return lambda documents: join([read for _, read in documents])


def score_gold_mentions(
    clusters: Clusters, types: Iterable[str], label: Labelling, annotated: bool
) -> ChainScores:
    """Score one way to label the key's mentions, subtopic by subtopic."""
    keys, answers = [], []
    for at, documents in clusters.items():
        pairs = [(key_of(d.gold, set(types), annotated=annotated), d.read) for d in documents]
        labels = label(pairs)
        keys += [key for key, _ in pairs]
        answers += [make_response(key, labels, " ".join(at)) for key, _ in pairs]
    return score(keys, answers, metrics=METRICS, cross_document=True)


def score_own_mentions(clusters: Clusters, types: Iterable[str], label: Labelling) -> ChainScores:
    """Score own mentions by their heads, in annotated sentences, without singletons."""
    keys, answers = [], []
    for at, documents in clusters.items():
        pairs = [(key_of(document.gold, set(types)), document.read) for document in documents]
        labels = label(pairs)
        for document, (key, read) in zip(documents, pairs, strict=True):
            heads, sentences = Heads(read), annotated_sentences(document.gold)
            spans = {
                (id, heads.span(mention)): name
                for (id, mention), name in labels.items()
                if id == document.id and any(sentence.contains(mention) for sentence in sentences)
            }
            keys.append(reduce_to_heads(key, read))
            answers.append(make_response(key, spans, " ".join(at)))
    return score(keys, answers, metrics=METRICS, singletons=False, cross_document=True)


BASELINES: tuple[tuple[str, Labelling], ...] = (
    ("every mention alone", label_apart),
    ("same words", label_by_words),
    ("same head", label_by_head),
)
JOINS: tuple[tuple[str, Callable[[Sequence[Document]], Labels]], ...] = (
    ("link_chains", label_by_links),
    ("same head", label_joined),
)


def run(clusters: dict[str, Clusters]) -> Iterator[Table]:
    """Yield the tables with gold mentions and with own ones."""
    first = next(iter(clusters.values()))
    reports = sum(map(len, first.values()))
    gold = [(name, first, label) for name, label in BASELINES]
    rows = []
    for model, read in clusters.items():
        for name, join in JOINS:
            gold.append((f"{model}, {name}", read, map_to_key(join)))
            rows.append((f"{model}, {name}", read, join_read_chains(join)))
        gold.append((f"{model}, perfectly joined", read, majority_labels))
    yield _gold_table(gold, ENTITY_TYPES, f"things, gold mentions, {reports} reports")
    yield _own_table(rows, ENTITY_TYPES, "things, own mentions")


def _gold_table(
    ways: Iterable[tuple[str, Clusters, Labelling]], types: Iterable[str], title: str
) -> Table:
    rows: list[list[Cell]] = []
    for name, clusters, label in ways:
        scores = score_gold_mentions(clusters, types, label, annotated=True)
        marked = score_gold_mentions(clusters, types, label, annotated=False)
        rows.append([name, *_figures(scores), marked.rates("conll").f1])
    return _table(rows, title, "all marked")


def _own_table(
    ways: Iterable[tuple[str, Clusters, Labelling]], types: Iterable[str], title: str
) -> Table:
    rows: list[list[Cell]] = [
        [name, *_figures(score_own_mentions(clusters, types, label))]
        for name, clusters, label in ways
    ]
    return _table(rows, title)


def _figures(scores: ChainScores) -> list[Cell]:
    return [scores.rates(metric).f1 for metric in METRICS]


def _table(rows: list[list[Cell]], title: str, *more: str) -> Table:
    names = ("MUC", "B³", "CEAFe", "mentions", "CoNLL F1", *more)
    columns = [Column(name, precision=1, scale=100) for name in names]
    return Table.of(["chains", *columns], rows, title=title)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--models", default=",".join(MODELS), metavar="NAMES")
    parser.add_argument("--topics", default=",".join(TOPICS), metavar="NUMBERS")
    parser.add_argument("--limit", type=int, metavar="N", help="documents an event")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    try:
        events = read_events(options.data, options.topics.split(","), options.limit)
        clusters = {
            model: {at: resolve_all(documents, model) for at, documents in events.items()}
            for model in options.models.split(",")
        }
        for table in run(clusters):
            print(table.render(options.format), end="\n\n", flush=True)
    except TatianError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
