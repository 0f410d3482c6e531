"""How well entities are followed across the reports of one event (ECB+), beside simple baselines.

    python benchmarks/coref_cross.py [--models A,B] [--topics 31,32,...] [--format text|markdown]

On topics that no model was trained on. Documents of one subtopic, reports of one event, are linked
with each other; all chains are then scored as those of one text (`cross_document`). With gold
mentions a resolver's chain takes those whose head it has, and every other one stays alone; with own
mentions only sentences count in which people marked something. "same head" and "same words" put
together all mentions of a subtopic that have one head lemma, or one wording without its article; a
resolver's chains are joined by `tatian.pipeline.link_chains`, or where any of their mentions, other
than pronouns, have the same head.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from tatian.coreference.analysing import analysed
from tatian.coreference.data import ENTITY_TYPES, by_subtopic, read_ecbplus
from tatian.coreference.metrics import Scores, score
from tatian.coreference.metrics.aligning import after_article
from tatian.coreference.models import resolvers
from tatian.errors import TatianError
from tatian.mentions.models import detectors
from tatian.pipeline import link_chains
from tatian.statistics import Cell, Column, Table
from tatian.text import CHAINS, SENTENCES, TOKENS, WORDS, Chain, Document, Mention, Span

MODELS = ("tatian", "match", "head-match")
TOPICS = ("31", "32", "33", "34", "35")
METRICS = ("muc", "b3", "ceafe", "mentions", "conll")
SCHEME = "gum"
"""Entities that are mentioned once are marked too."""

Labels = dict[tuple[str, Mention], str]
"""The thing that each mention of each document stands for."""
Read = tuple[Document, Document]
"""A document with gold chains of entities, and the same as a resolver left it."""


def entities(document: Document) -> Document:
    """The key: chains of entities alone."""
    kept = [chain for chain in document.get(CHAINS) if chain.type in ENTITY_TYPES]
    return document.with_layer(CHAINS, kept, "ECB+")


def bare(document: Document) -> Document:
    """Tokens and sentences without what people marked."""
    layers = {key.name: document.layers[key.name] for key in (TOKENS, SENTENCES)}
    return msgspec.structs.replace(document, layers=layers)


class Heads:
    """The head word of any stretch of an analysed document."""

    def __init__(self, document: Document) -> None:
        self._place = {token.start: place for place, token in enumerate(document.tokens)}
        self._document = document
        self._words = {word.token: word for word in document.get(WORDS)}

    def of(self, span: Span) -> int:
        """The word that hangs on none inside."""
        places = [self._place[token.start] for token in self._document.tokens_in(span)]
        tops = [place for place in places if self._words[place].head not in places]
        return next((one for one in tops if self._words[one].tag != "PUNCT"), places[0])

    def lemma(self, span: Span) -> str | None:
        """In lower case; None for a pronoun, which may stand for anything."""
        word = self._words[self.of(span)]
        return None if word.tag == "PRON" else word.lemma.lower()


class Groups:
    """Things that turn out to be one."""

    def __init__(self) -> None:
        self._root: dict[str, str] = {}

    def find(self, one: str) -> str:
        """What stands for all that are one with it."""
        while self._root.setdefault(one, one) != one:
            one = self._root[one]
        return one

    def join(self, one: str, other: str) -> None:
        """Make two one."""
        self._root[self.find(one)] = self.find(other)


def gold_mentions(document: Document) -> Iterator[Mention]:
    """The mentions of the key, one by one."""
    for chain in document.get(CHAINS):
        yield from chain.mentions


def same_head(documents: Sequence[Read]) -> Labels:
    """Baseline: one head lemma is one thing."""
    labels: Labels = {}
    for key, read in documents:
        heads = Heads(read)
        for one in gold_mentions(key):
            labels[key.id, one] = heads.lemma(one) or f"{key.id} {one.start} {one.end}"
    return labels


def same_words(documents: Sequence[Read]) -> Labels:
    """Baseline: one wording is one thing."""
    return {
        (key.id, one): key.text[after_article(key.text, one.start, one.end) : one.end].lower()
        for key, _ in documents
        for one in gold_mentions(key)
    }


def alone(documents: Sequence[Read]) -> Labels:
    """Baseline: nothing is the same."""
    return {
        (key.id, one): f"{key.id} {one.start} {one.end}"
        for key, _ in documents
        for one in gold_mentions(key)
    }


def linked(documents: Sequence[Document]) -> Labels:
    """A resolver's own mentions with the chains that `link_chains` makes."""
    return {
        (id, mention): chain.id
        for chain in link_chains(documents)
        for id, mention in chain.mentions()
    }


def joined_by_head(documents: Sequence[Document]) -> Labels:
    """A resolver's own mentions, chains with a head in common put together."""
    groups = Groups()
    own: Labels = {}
    for document in documents:
        heads = Heads(document)
        for number, chain in enumerate(document.get(CHAINS)):
            for one in chain.mentions:
                own[document.id, one] = f"chain {document.id} {number}"
                lemma = heads.lemma(one.head or one)
                if lemma is not None:
                    groups.join(own[document.id, one], f"head {lemma}")
    return {place: groups.find(label) for place, label in own.items()}


def on_gold(documents: Sequence[Read], labels: Labels) -> Labels:
    """The labels of a resolver's mentions given to the gold mentions that have the same head."""
    found = alone(documents)
    for key, read in documents:
        heads = Heads(read)
        by_head = {
            heads.of(one.head or one): label for (id, one), label in labels.items() if id == key.id
        }
        for one in gold_mentions(key):
            label = by_head.get(heads.of(one))
            if label is not None:
                found[key.id, one] = label
    return found


def in_marked_sentences(key: Document, mention: Mention) -> bool:
    """Whether people marked anything in the sentence of a mention."""
    return any(
        sentence.contains(mention) and any(sentence.contains(one) for one in gold_mentions(key))
        for sentence in key.sentences
    )


def response(key: Document, labels: Labels, prefix: str) -> Document:
    """The document with chains by label; a stretch of text is one mention."""
    chains: dict[str, dict[tuple[int, int], Mention]] = {}
    for (id, one), label in labels.items():
        if id == key.id:
            chains.setdefault(f"{prefix} {label}", {})[one.start, one.end] = Mention(
                one.start, one.end
            )
    made = [Chain(label, tuple(sorted(found.values()))) for label, found in chains.items()]
    return key.with_layer(CHAINS, made, "response")


Clusters = dict[tuple[str, str], list[Read]]
"""Documents by topic and subtopic."""


def judged(clusters: Clusters, labels: Callable[[Sequence[Read]], Labels], own: bool) -> Scores:
    """The score of one way to label mentions, subtopic by subtopic, over all of them."""
    keys, answers = [], []
    for (topic, subtopic), documents in clusters.items():
        found = labels(documents)
        for key, _ in documents:
            part = {place: label for place, label in found.items() if place[0] == key.id}
            if own:
                part = {p: label for p, label in part.items() if in_marked_sentences(key, p[1])}
            keys.append(key)
            answers.append(response(key, part, f"{topic} {subtopic}"))
    return score(keys, answers, metrics=METRICS, singletons=not own, cross_document=True)


def resolved(documents: Iterable[Document], model: str) -> list[Read]:
    """Every document with its key and a resolver's chains."""
    known = getattr(resolvers.find(model), "schemes", ())
    resolver = resolvers.create(model, scheme=SCHEME) if known else resolvers.create(model)
    detector = detectors.create()
    return [
        (entities(one), resolver.resolve(detector.detect(analysed(bare(one))))) for one in documents
    ]


def run(groups: dict[tuple[str, str], list[Document]], models: Sequence[str]) -> Iterator[Table]:
    """A table with gold mentions, and one with the resolvers' own."""
    read = {model: {g: resolved(docs, model) for g, docs in groups.items()} for model in models}
    first = read[models[0]]
    gold: list[tuple[str, Scores]] = [
        (name, judged(first, baseline, own=False))
        for name, baseline in (
            ("every mention alone", alone),
            ("same words", same_words),
            ("same head", same_head),
        )
    ]
    own: list[tuple[str, Scores]] = []
    for model in models:
        for name, join in (("link_chains", linked), ("same head", joined_by_head)):
            label = f"{model}, {name}"

            def mine(documents: Sequence[Read], join: Callable[..., Labels] = join) -> Labels:
                return join([document for _, document in documents])

            def given(documents: Sequence[Read], mine: Callable[..., Labels] = mine) -> Labels:
                return on_gold(documents, mine(documents))

            gold.append((label, judged(read[model], given, own=False)))
            own.append((label, judged(read[model], mine, own=True)))
    count = sum(map(len, groups.values()))
    yield _table(gold, f"gold mentions, {count} documents, {len(groups)} events")
    yield _table(own, "own mentions, without those that nothing is linked to")


def _table(found: Iterable[tuple[str, Scores]], title: str) -> Table:
    rows: list[list[Cell]] = [
        [name, *(scores.rates(metric).f1 for metric in METRICS)] for name, scores in found
    ]
    names = ("MUC", "B³", "CEAFe", "mentions", "CoNLL F1")
    columns = [Column(name, precision=1, scale=100) for name in names]
    return Table.of(["chains", *columns], rows, title=title)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("TATIAN_DATA", default)), metavar="DIR"
    )
    parser.add_argument("--models", default=",".join(MODELS), metavar="NAMES")
    parser.add_argument("--topics", default=",".join(TOPICS), metavar="NUMBERS")
    parser.add_argument("--limit", type=int, metavar="N", help="documents an event")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    archive = options.data / "coreference" / "ecbplus-topics-1-35.tar.gz"
    try:
        documents = read_ecbplus(archive, topics=options.topics.split(","), header=False)
        groups = {at: found[: options.limit] for at, found in by_subtopic(documents).items()}
        for table in run(groups, options.models.split(",")):
            print(table.render(options.format), end="\n\n", flush=True)
    except TatianError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
