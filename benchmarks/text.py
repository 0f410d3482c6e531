"""Quality of the tokenizer, the splitter and the detokenizer on GUM and EWT, beside pysbd.

    python benchmarks/text.py [--data DIR] [--split dev|train] [--format text|markdown|json]

Each document's raw text is rebuilt from its `# text` comments: the sentences of a paragraph joined
by a blank, paragraphs by a blank line. All systems read that same text in the same run. Documents
whose words are masked (GUM's reddit part) are left out. A token counts if it is exactly a syntactic
word of the treebank ("do", "n't"); where syntactic words do not spell what was written ("its" for
"it is"), the written form counts. A sentence counts if its start and end are exactly right.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from data_folder import DATA
from tatian.formats.conllu import ConlluSentence, blocks
from tatian.statistics import Cell, Column, Score, Table, fingerprint, micro_f1, paired_bootstrap
from tatian.text import detokenize, tokenize
from tatian.text.splitter import split_tokens

CORPORA = {"GUM": "coreference/gum-{}.conllu.gz", "EWT": "syntax/en_ewt-{}.conllu.gz"}
MASKED = 0.25
"""Share of underscores from which a document counts as masked."""

Spans = list[tuple[int, int]]


class Gold(Struct, frozen=True):
    """A gold document with its tokens and sentences."""

    id: str
    text: str
    tokens: Spans
    sentences: Spans


def read(path: Path) -> Iterator[Gold]:
    """Yield the documents of a CoNLL-U file with the offsets of their words and sentences."""
    name, text = "", ""
    tokens: Spans = []
    sentences: Spans = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for block in blocks(file, str(path)):
            frame = block.frame
            if frame.opens("newdoc"):
                if text and text.count("_") < MASKED * len(text):
                    yield Gold(name, text, tokens, sentences)
                name, text, tokens, sentences = frame.comment("newdoc id") or "", "", [], []
            if text:
                text += "\n\n" if frame.opens("newpar") else " "
            offset = len(text)
            raw = frame.comment("text") or ""
            text += raw
            tokens += [(offset + start, offset + end) for start, end in _words(raw, block)]
            sentences.append((offset, len(text)))
    if text and text.count("_") < MASKED * len(text):
        yield Gold(name, text, tokens, sentences)


def _words(raw: str, block: ConlluSentence) -> Iterator[tuple[int, int]]:
    """Yield the position of each syntactic word in the sentence's text."""
    position = 0
    for form in _written(block):
        start = raw.index(form, position)
        position = start + len(form)
        yield start, position


def _written(block: ConlluSentence) -> Iterator[str]:
    """Yield the syntactic words, or the multiword token if they do not spell it."""
    ranges = {whole.first: whole for whole in block.frame.ranges}
    place = 1
    while place <= len(block.rows):
        whole = ranges.get(place)
        last = whole.last if whole else place
        forms = [row.form for row in block.rows[place - 1 : last]]
        yield from ([whole.form] if whole and "".join(forms) != whole.form else forms)
        place = last + 1


def by_tatian(text: str) -> tuple[Spans, Spans]:
    """Return tokens and sentences by our rules."""
    tokens = tokenize(text)
    sentences = split_tokens(text, tokens)
    return [(t.start, t.end) for t in tokens], [(s.start, s.end) for s in sentences]


def by_pysbd() -> Callable[[str], tuple[Spans, Spans]]:
    """Return a function that finds pysbd's sentences in the original text."""
    import pysbd

    segmenter = pysbd.Segmenter(language="en", clean=False)

    def segment(text: str) -> tuple[Spans, Spans]:
        spans: Spans = []
        position = 0
        for piece in segmenter.segment(text):
            stripped = piece.strip()
            start = text.find(stripped, position)
            if stripped and start >= 0:
                position = start + len(stripped)
                spans.append((start, position))
        return [], spans

    return segment


def score(
    name: str, documents: Sequence[Gold], gold: Sequence[Spans], answers: list[Spans]
) -> Score:
    """Return F1 over exact spans, with its error over documents."""
    counts = [
        (float(len(set(right) & set(ours))), float(len(ours)), float(len(right)))
        for right, ours in zip(gold, answers, strict=True)
    ]
    data = fingerprint(document.text for document in documents)
    return Score.of(name, counts, micro_f1, ids=[document.id for document in documents], data=data)


def segmentation(corpora: dict[str, list[Gold]]) -> tuple[Table, list[str]]:
    """Tabulate token and sentence F1 and speed, beside pysbd on the same texts."""
    systems = {"tatian": by_tatian, "pysbd": by_pysbd()}
    rows: list[Sequence[Cell]] = []
    notes: list[str] = []
    for corpus, documents in corpora.items():
        words = sum(len(document.tokens) for document in documents)
        scores = {}
        speeds = {}
        for system, run in systems.items():
            started = time.perf_counter()
            results = [run(document.text) for document in documents]
            speeds[system] = words / (time.perf_counter() - started)
            tokens: Cell = None
            if any(spans for spans, _ in results):
                gold = [document.tokens for document in documents]
                tokens = score("tokens", documents, gold, [spans for spans, _ in results])
            gold = [document.sentences for document in documents]
            scores[system] = score("sentences", documents, gold, [spans for _, spans in results])
            speed = speeds[system]
            ratio = speed / speeds["tatian"]
            rows.append((corpus, system, tokens, scores[system], round(speed), ratio))
        notes.append(f"{corpus} {paired_bootstrap(scores['tatian'], scores['pysbd'])}")
    columns: list[Column | str] = [
        "corpus",
        "system",
        Column("token F1", scale=100),
        Column("sentence F1", scale=100),
        "words/s",
        Column("speed, tatian = 1"),
    ]
    return Table.of(columns, rows, "Tokens and sentences"), notes


def spacing(corpora: dict[str, list[Gold]]) -> Table:
    """Tabulate how often the detokenizer puts or leaves a blank as the raw text does."""
    rows: list[Sequence[Cell]] = []
    for corpus, documents in corpora.items():
        for system in ("tatian", "a blank everywhere"):
            right: list[float] = []
            exact: list[float] = []
            for document in documents:
                for raw, words in _sentences(document):
                    forms = [raw[start:end] for start, end in words]
                    blanks = None if system == "tatian" else [True] * len(forms)
                    text, spans = detokenize(forms, blanks)
                    exact.append(float(text == raw))
                    right.extend(
                        float(
                            (words[i + 1][0] > words[i][1]) == (spans[i + 1].start > spans[i].end)
                        )
                        for i in range(len(words) - 1)
                    )
            rows.append((corpus, system, Score.of("gaps", right), Score.of("exact", exact)))
    columns: list[Column | str] = [
        "corpus",
        "system",
        Column("gaps right", scale=100),
        Column("sentences exact", scale=100),
    ]
    return Table.of(columns, rows, "Spacing of tokens")


def _sentences(document: Gold) -> Iterator[tuple[str, Spans]]:
    """Yield each sentence's text and the positions of its words in it."""
    index = 0
    for start, end in document.sentences:
        words: Spans = []
        while index < len(document.tokens) and document.tokens[index][1] <= end:
            first, last = document.tokens[index]
            words.append((first - start, last - start))
            index += 1
        yield document.text[start:end], words


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--split", choices=["dev", "train"], default="dev")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args()
    paths = {name: options.data / path.format(options.split) for name, path in CORPORA.items()}
    missing = [str(path) for path in paths.values() if not path.is_file()]
    if missing:
        sys.exit(f"not found: {', '.join(missing)}: give the data directory with --data")
    corpora = {name: list(read(path)) for name, path in paths.items()}
    segmented, notes = segmentation(corpora)
    spaced = spacing(corpora)
    if options.format == "json":
        figures = {"segmentation": segmented.to_json(), "spacing": spaced.to_json()}
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())
    else:
        print(segmented.render(options.format))
        print("\n".join(notes), end="\n\n")
        print(spaced.render(options.format), end="")


if __name__ == "__main__":
    main()
