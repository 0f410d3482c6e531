"""Quality of finding and linking mentions, beside common baselines.

    python benchmarks/mentions.py --kb KB [--data DIR] [--limit N] [--format text|markdown|json]

Strong matching: the exact span and the right page. "In KB" leaves out gold whose page the base
lacks. `prior` takes the most common page of the longest terms; `tagme` is TagMe as published. Both
drop links below a threshold (of link probability; rho) that is best on conversations-train. A
second row has the threshold that is best on the very set, as an upper bound. `tatian` was trained
on conversations-train, on the first half (`tatian mentions split --seed 1`) of news-fair and on
texts of our own: conversations-dev and the second halves are new to it. Of whole sets, news-fair is
partly trained on, and the first halves of the others were read for what they link.

Further tables: significance of the differences (approximate randomisation over texts), calibration
of the linker's confidence, and its speed with two threads, by parts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from data_folder import DATA
from mentions_calibration import calibration
from mentions_speed import speeds
from tatian.analysis.encoder import analyze_all
from tatian.errors import TatianError
from tatian.formats import read
from tatian.formats.links import build_document, links_of, topic_of
from tatian.formats.wiki import resolve_titles
from tatian.knowledge import KnowledgeBase, open_base
from tatian.mentions.data import split_in_halves
from tatian.mentions.metrics import LinkScores, score
from tatian.mentions.models.choices import LinkChoice
from tatian.mentions.models.prior import Prior
from tatian.mentions.models.ranked import RankedLinker
from tatian.mentions.models.tagme import TagMe
from tatian.scoring import compare
from tatian.statistics import Cell, Column, Table
from tatian.text import Document, Link, Metadata

TRAIN = "conversations-train.jsonl"
WHOLE = {"conversations-dev": "conversations-dev.jsonl"}
HALVED = {
    "VoxEL": "VoxEL.ttl",
    "AQUAINT": "aquaint.tar.gz",
    "news-fair": "news-fair-v2-no-coref.jsonl",
}
TRAINED_ON = {"news-fair"}
PARTLY = " (partly trained on)"
SEED = 1
"""Seed of the halves that `python -m tatian.training linker --halves` trains on."""
LINK_PROBABILITIES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
BUILD = """make one with vectors, from the folder of the data sets:
    tatian kb build knowledge/schoolswiki-pages-articles.xml.bz2 knowledge/entities.jsonl.gz \\
        knowledge/concepts.json.gz knowledge/vital-article-titles.txt.gz --vectors -o all.kb"""


class Judged(NamedTuple):
    """Scores of one system on one set."""

    system: str
    answers: list[Document]
    all: LinkScores
    inside: LinkScores
    """Scores for gold whose page is in the base."""


class Base:
    """The knowledge base, with the queries of the scorer."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base

    def redirected(self, title: str) -> str:
        """Return the title that a title redirects to."""
        return self.base.title_of(title) or title

    def has_page(self, title: str) -> bool:
        """Return True if the base has the page."""
        return self.base.title_of(title) is not None

    def read(self, path: Path, limit: int | None) -> list[Document]:
        """Read the texts of a file, with Wikidata ids converted to titles."""
        return resolve_titles(read(str(path), about="mention")[:limit], self.base)

    def judge(self, system: str, gold: list[Document], answers: list[Document]) -> Judged:
        """Score one system."""
        return Judged(
            system,
            answers,
            score(gold, answers, redirects=self.redirected),
            score(gold, answers, redirects=self.redirected, in_kb=self.has_page),
        )


def predicted(text: Document, choices: Iterable[LinkChoice]) -> Document:
    """Convert a linker's choices to a document to score."""
    mentions = tuple(
        Link(m.start, m.end, tuple(page.title for page in m.candidates), score=m.score)
        for m in choices
    )
    return build_document(text.id, text.text, mentions)


class Systems:
    """The compared models; the baselines are tuned on conversations-train."""

    def __init__(self, base: Base, train: list[Document]) -> None:
        self._base = base
        self._ranked = RankedLinker(base.base)
        self.link_probability = self._best_prior(train)
        self.rho = self._best_tagme(train)

    def run(self, gold: list[Document]) -> list[Judged]:
        """Run all systems on one set; the last is ours."""
        documents = [Document(d.id, d.text, Metadata(topic=d.metadata.topic)) for d in gold]
        ours = [
            predicted(text, self._ranked.choose(d, topic_of(text)))
            for text, d in zip(gold, analyze_all(documents, threads=2), strict=True)
        ]
        answers = {
            "prior": self._prior(gold, self.link_probability),
            "prior, tuned on this set": self._prior(gold, self._best_prior(gold)),
            "tagme": self._tagme(gold, self.rho),
            "tagme, tuned on this set": self._tagme(gold, self._best_tagme(gold)),
            "tatian": ours,
        }
        return [self._base.judge(name, gold, texts) for name, texts in answers.items()]

    def _prior(self, gold: list[Document], least: float) -> list[Document]:
        model = Prior(self._base.base, link_probability=least)
        return [predicted(text, model.choose(text.text)) for text in gold]

    def _tagme(self, gold: list[Document], rho: float) -> list[Document]:
        model = TagMe(self._base.base, threshold=rho)
        return [predicted(text, model.choose(text.text)) for text in gold]

    def _best_prior(self, gold: list[Document]) -> float:
        reached = {
            least: self._base.judge("prior", gold, self._prior(gold, least)).inside.f1
            for least in LINK_PROBABILITIES
        }
        return max(reached, key=lambda least: (reached[least], -least))

    def _best_tagme(self, gold: list[Document]) -> float:
        linked_texts = self._tagme(gold, 0.0)
        scores = sorted({link.score or 0.0 for text in linked_texts for link in links_of(text)})
        tried = scores[:: max(1, len(scores) // 100)]
        rules = {"redirects": self._base.redirected, "in_kb": self._base.has_page}
        reached = {least: score(gold, linked_texts, threshold=least, **rules).f1 for least in tried}
        return max(reached, key=lambda least: (reached[least], least))


def scores_table(sets: dict[str, list[Document]], runs: dict[str, list[Judged]]) -> Table:
    """Tabulate every system on every set."""
    rows: list[list[Cell]] = []
    for name, judged in runs.items():
        covered, total = judged[0].inside.coverage or (0, 0)
        share = covered / total if total else None
        for result in judged:
            figures = [
                figure
                for rates in (result.all.rates(), result.inside.rates())
                for figure in (rates.precision, rates.recall, rates.f1)
            ]
            rows.append([name, len(sets[name]), share, result.system, *figures])
    columns = [
        Column(f"{what}{figure}", precision=1, scale=100)
        for what in ("all: ", "in KB: ")
        for figure in ("P", "R", "F1")
    ]
    covered_column = Column("gold in KB", precision=1, scale=100)
    return Table.of(["set", "texts", covered_column, "system", *columns], rows, "strong matching")


def differences_table(runs: dict[str, list[Judged]]) -> Table:
    """Tabulate our lead over each other system, with its significance."""
    rows: list[list[Cell]] = []
    gains: dict[str, list[float]] = {}
    for name, judged in runs.items():
        ours = judged[-1]
        for other in judged[:-1]:
            inside = compare(ours.inside, other.inside, "full")
            whole = compare(ours.all, other.all, "full")
            gains.setdefault(other.system, []).append(inside.difference)
            figures = (inside.difference, inside.p_value, whole.difference, whole.p_value)
            rows.append([name, other.system, *figures])
    for system, values in gains.items():
        rows.append(["average", system, sum(values) / len(values), None, None, None])
    columns = [
        Column("in KB: F1 gained", precision=1, scale=100, signed=True),
        Column("in KB: p", precision=4),
        Column("all: F1 gained", precision=1, scale=100, signed=True),
        Column("all: p", precision=4),
    ]
    return Table.of(["set", "tatian against", *columns], rows, "differences")


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kb", help="a knowledge base with vectors")
    parser.add_argument("--limit", type=int, help="only so many texts of each set")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    options = parser.parse_args(argv)
    if options.kb is None:
        sys.exit(f"error: --kb is missing: {BUILD}")
    try:
        report(options)
    except TatianError as error:
        sys.exit(f"error: {error}")


def report(options: argparse.Namespace) -> None:
    """Run everything."""
    base = Base(open_base(options.kb))
    folder = options.data / "mentions"
    systems = Systems(base, base.read(folder / TRAIN, options.limit))
    print(
        "tuned on conversations-train: prior's least link probability "
        f"{systems.link_probability:g}, tagme's rho {systems.rho:.3f}\n"
    )
    new = {name: base.read(folder / file, options.limit) for name, file in WHOLE.items()}
    whole: dict[str, list[Document]] = {}
    for name, file in HALVED.items():
        texts = base.read(folder / file, options.limit)
        new[f"{name}, second half"] = split_in_halves(texts, seed=SEED)[1]
        whole[f"{name}, whole{PARTLY if name in TRAINED_ON else ''}"] = texts
    runs = {name: systems.run(texts) for name, texts in new.items()}
    for table in (
        scores_table(new, runs),
        differences_table(runs),
        calibration({name: (new[name], runs[name][-1].answers) for name in new}, base),
    ):
        print(table.render(options.format), flush=True)
    seen = {name: systems.run(texts) for name, texts in whole.items()}
    print(scores_table(whole, seen).render(options.format), flush=True)
    print(speeds(new, base.base).render(options.format), flush=True)


if __name__ == "__main__":
    main()
