"""Precision of the miner of aggregations, on a manually judged sample.

Mines ECB+, AQUAINT, GUM and the first pages of the Schools Wikipedia, draws a sample and prints it.
`aggregation_mine_judged.tsv` has the judgements: an instance's id, and whether its set, phrase and
context are right. A context that reads badly, a phrase with a word too many or too few, or a list
with a missing member makes its part wrong.

    python benchmarks/aggregation_mine.py             (about five minutes on one core)
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from data_folder import DATA
from tatian.aggregation.mining import mine_all
from tatian.aggregation.mining.phrases import MinedPhrase
from tatian.analysis import analyze_all
from tatian.corpora import iterate
from tatian.formats import read as read_mentions
from tatian.formats.ecbplus import read_ecbplus
from tatian.knowledge.building.mediawiki import Dump
from tatian.knowledge.building.pages import Page
from tatian.pipeline.instances.running import Sample
from tatian.statistics import Column, Table
from tatian.text import Document

JUDGED = Path(__file__).with_name("aggregation_mine_judged.tsv")
PARTS = ("set", "phrase", "context")


def read_texts(data: Path, pages: int) -> Iterator[Document]:
    """Yield the texts to mine."""
    yield from _without_layers(read_ecbplus(data / "coreference/ecbplus-topics-1-35.tar.gz"))
    for text in read_mentions(str(data / "mentions/aquaint.tar.gz"), about="mention"):
        yield Document(text.id, text.text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from _without_layers(iterate(data / "coreference/gum-train.conllu.gz"))
    dump = Dump(data / "knowledge/schoolswiki-pages-articles.xml.bz2", processes=1)
    articles = (page for page in dump if isinstance(page, Page) and page.role == "article")
    for page in islice(articles, pages):
        if page.text.strip():
            yield Document(page.title.replace(" ", "_"), page.text)


def _without_layers(documents: Iterator[Document]) -> Iterator[Document]:
    for document in documents:
        yield Document(document.id, document.text)


def read_judgements(path: Path) -> dict[str, tuple[bool, ...]]:
    """Return the judgements: for each id, whether set, phrase and context are right."""
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines() if line)
    return {id: tuple(mark == "1" for mark in marks) for id, *marks in rows}


def main() -> None:
    """Print the sample, and its precision if all of it has been judged."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=3)
    asked = parser.parse_args()
    sample = Sample(asked.sample, asked.seed)
    mined_by_id: dict[str, MinedPhrase] = {}
    total = 0
    mined = mine_all(
        read_texts(asked.data, asked.pages), lambda parts: analyze_all(parts, threads=1)
    )
    for phrase in mined:
        total += 1
        sample.add(phrase.instance)
        mined_by_id[phrase.instance.id] = phrase
    for instance in sample:
        phrase = mined_by_id[instance.id]
        print(instance.id, phrase.pattern, instance.type, instance.entities, instance.aggregations)
        print("   ", phrase.sentence)
        print("    ->", instance.context)
    marks = read_judgements(JUDGED) if JUDGED.exists() else {}
    read = [marks[instance.id] for instance in sample if instance.id in marks]
    print(f"{total} instances, {len(read)} of a sample of {len(sample)} judged")
    if read:
        shares = [sum(mark[part] for mark in read) / len(read) for part in range(len(PARTS))]
        whole = sum(map(all, read)) / len(read)
        columns = [Column(name, precision=0, scale=100) for name in (*PARTS, "all")]
        print(Table.of(columns, [(*shares, whole)]).render("text"))


if __name__ == "__main__":
    main()
