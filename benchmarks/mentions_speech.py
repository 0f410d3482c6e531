"""The rows of the mention benchmark's Table 1 on open data: written, transcribed, recognised.

    python benchmarks/mentions_speech.py --kb KB [--models A,B,...] [--seed N] [--limit N]

The benchmark itself is not available, so `tatian.mentions.speech` makes its two kinds of speech
from written gold. The transcript has no capitals and no numerals and keeps stops and commas. The
recognised text has recognition errors too. Its gold is the transcript's, carried over by
`tatian.mentions.projection` as in the paper. Strong matching, for all gold and for gold whose page
is in the base; redirects are resolved. The paper's figures for TagMe on its own data are given for
orientation: the texts differ.

The first table shows the quality of the projection: of the mentions that were recognised at least
in part, how many it places exactly, and how many it reports as vanished.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from data_folder import DATA
from tatian.errors import TatianError
from tatian.formats import read
from tatian.formats.links import build_document, links_of
from tatian.knowledge import KnowledgeBase, open_base
from tatian.mentions.metrics import coverage, score
from tatian.mentions.models import Detector, detectors
from tatian.mentions.projection import Projection
from tatian.mentions.speech import RecognitionRates, simulate
from tatian.statistics import Cell, Column, Table
from tatian.text import LINKS, SENTENCES, TOKENS, Document, Link, Metadata, split, tokenize

SETS = {"conversations-dev": "conversations-dev.jsonl", "VoxEL": "VoxEL.ttl"}
PAPER = {
    "written": (0.584, 0.523, 0.552),
    "transcript": (0.569, 0.436, 0.494),
    "recognised": (0.555, 0.421, 0.478),
}
"""Table 1: precision, recall and F1 of TagMe on Wiki-test, Trans-test and ASR-test."""


class Spoken(NamedTuple):
    """One set in its three forms, with the quality of the projection."""

    forms: dict[str, list[Document]]
    exact: int
    true: int
    """Number of mentions in the recognised text."""
    vanished: int
    errors: float
    """Word error rate: wrong, lost and added words per spoken word."""


def spoken(texts: Sequence[Document], seed: int) -> Spoken:
    """Make both kinds of speech from written gold."""
    transcripts, recognised = [], []
    exact = true = vanished = edits = words = 0
    for text in texts:
        transcript = simulate(text, RecognitionRates.transcript(), seed=seed).text
        heard = simulate(text, seed=seed).text
        projection = Projection.of(transcript, heard.text)
        places = {(link.start, link.end) for link in links_of(heard)}
        exact += len(places & {(link.start, link.end) for link in links_of(projection.text)})
        true += len(places)
        vanished += len(projection.vanished)
        careful = simulate(text, _careful(), seed=seed).text.text.split()
        edits += Levenshtein.distance(careful, heard.text.split())
        words += len(careful)
        transcripts.append(transcript)
        recognised.append(projection.text)
    forms = {"written": list(texts), "transcript": transcripts, "recognised": recognised}
    return Spoken(forms, exact, true, vanished, edits / words)


def _careful() -> RecognitionRates:
    """Return the rates of a recogniser without mistakes."""
    return RecognitionRates(
        homophones=0, garbled=0, dropped=0, split=0, merged=0, stray=0, fillers=0
    )


def detect(model: Detector, texts: Sequence[Document]) -> list[Document]:
    """Run a detector on the bare texts."""
    answers = []
    for text in texts:
        document = Document(text.id, text.text, Metadata(topic=text.metadata.topic))
        document = document.with_layer(TOKENS, tokenize(text.text), "tatian")
        document = document.with_layer(SENTENCES, split(text.text), "tatian")
        links = model.detect(document).get(LINKS)
        mentions = tuple(Link(m.start, m.end, m.titles, score=m.score) for m in links)
        answers.append(build_document(text.id, text.text, mentions))
    return answers


def table(models: dict[str, Detector], name: str, sets: Spoken, base: KnowledgeBase) -> Table:
    """Tabulate a row for each kind of text and detector, with the paper's below."""

    def redirected(title: str) -> str:
        return base.title_of(title) or title

    def has_page(title: str) -> bool:
        return base.title_of(title) is not None

    rows: list[list[Cell]] = []
    for form, gold in sets.forms.items():
        for model, detector in models.items():
            answers = detect(detector, gold)
            whole = score(gold, answers, redirects=redirected)
            inside = score(gold, answers, redirects=redirected, in_kb=has_page)
            figures = [
                figure
                for rates in (whole.rates(), inside.rates())
                for figure in (rates.precision, rates.recall, rates.f1)
            ]
            rows.append([form, model, *figures])
        rows.append([form, "TagMe, the paper's sets", *PAPER[form], None, None, None])
    covered, total = coverage(sets.forms["written"], has_page, redirected)
    figures = ["precision", "recall", "F1", "in KB: precision", "in KB: recall", "in KB: F1"]
    columns = [Column(figure, precision=3) for figure in figures]
    share = f"{covered / total:.1%}" if total else "none"
    return Table.of(["text", "detector", *columns], rows, title=f"{name}: {share} of gold in KB")


def projections(sets: dict[str, Spoken]) -> Table:
    """Tabulate how much of the gold the projection places exactly."""
    rows: list[list[Cell]] = [
        [name, p.errors, p.true, p.exact, p.exact / p.true, p.vanished] for name, p in sets.items()
    ]
    columns: list[Column | str] = [
        "set",
        Column("word errors", precision=3),
        "heard",
        "exactly placed",
        Column("share", precision=3),
        "vanished",
    ]
    return Table.of(columns, rows, title="projection")


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kb", help="without it, only the projection is measured")
    parser.add_argument("--models", default="prior,tagme,tatian")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, help="only so many texts of each set")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    options = parser.parse_args(argv)
    folder = options.data / "mentions"
    try:
        sets = {
            name: spoken(read(str(folder / file), about="mention")[: options.limit], options.seed)
            for name, file in SETS.items()
        }
        print(projections(sets).render("markdown"))
        if options.kb is None:
            return
        base = open_base(options.kb)
        models = {name: detectors.create(name, kb=options.kb) for name in options.models.split(",")}
        for name, projected in sets.items():
            print(table(models, name, projected, base).render("markdown"), flush=True)
    except TatianError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
