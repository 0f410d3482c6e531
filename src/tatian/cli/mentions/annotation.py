"""``tatian mentions sample``, ``split`` and ``agree``: data to annotate, gold from answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from tatian.cli import options
from tatian.cli.files import keep_inputs
from tatian.cli.mentions.data import NAMES, read_texts, write_jsonl
from tatian.cli.options import STREAM, command
from tatian.cli.output import print_table, say, warn, write_json
from tatian.errors import InputError
from tatian.formats import find
from tatian.formats.files import open_files
from tatian.formats.labels import links_of_terms, read_confirmations, read_detections
from tatian.formats.links import links_of, replace_links
from tatian.mentions.annotation import LabelerAgreement, missed_repeats
from tatian.mentions.data import SourceArticle, split_in_halves
from tatian.mentions.data import sample as draw_sentences
from tatian.text import Document

if TYPE_CHECKING:
    from tatian.statistics import AverageKappa, Table


@command()
def sample(
    files: tuple[str, ...] = options.paths(required=False),
    count: int = options.option(
        "Number of sentences.",
        "-n",
        "--count",
        type=click.IntRange(min=1),
        default=1000,
        show_default=True,
        metavar="N",
    ),
    topics: tuple[str, ...] = options.several(
        "Only from articles on this topic.", "--topic", metavar="TOPIC"
    ),
    topic_file: str | None = options.file("File of topics, one per line.", "--topics"),
    kb: str | None = options.kb,
    seed: int = options.seed,
    output: str = options.output,
) -> None:
    """Choose sentences at random from the articles in FILEs, or from a knowledge base's pages.

    FILEs are texts, pages, directories or JSONL, as 'consolidate' reads them. From a knowledge
    base, the first paragraph of each page is used. An article is on a topic if the topic has all
    words of its title. The sentences are written in Tatian's JSONL for mentions, each with its
    topic.
    """
    keep_inputs(output, files)
    if not files and kb is None:
        raise click.UsageError("Name files with articles, or a knowledge base with --kb.")
    all_topics = (*topics, *(_read_lines(topic_file) if topic_file else ()))
    chosen = draw_sentences(_articles(files, kb), count, topics=all_topics, seed=seed)
    if len(chosen) < count:
        say("warning", f"there are only {len(chosen)} sentences to choose from, not {count}")
    write_jsonl(chosen, output)


def _read_lines(path: str) -> list[str]:
    (text,) = open_files(path).files.values()
    return [line.strip() for line in text.splitlines() if line.strip()]


def _articles(files: tuple[str, ...], kb: str | None) -> Iterator[SourceArticle]:
    if files:
        from tatian.corpora import iterate

        for document in iterate(files, warn=warn):
            yield SourceArticle(document.metadata.title or document.id, document.text)
    if kb is not None:
        from tatian.knowledge import open_base

        with open_base(kb) as base:
            for entity in base:
                if entity.role == "article" and entity.description:
                    yield SourceArticle(entity.title, entity.description)


@command()
def split(
    file: str = options.path(),
    dev: str = options.path(),
    test: str = options.path(),
    origin: str | None = options.input_format(NAMES),
    seed: int = options.seed,
) -> None:
    """Split the texts of FILE into halves: DEV for development, TEST for the test, as JSONL."""
    keep_inputs(dev, (file,))
    keep_inputs(test, (file, dev))
    texts = read_texts([file], origin)
    if len(texts) < 2:
        raise InputError("one text has no halves", path=file)
    first, second = split_in_halves(texts, seed)
    write_jsonl(first, dev)
    write_jsonl(second, test)


@command()
def agree(
    detections: str = options.path(),
    confirmations: str | None = options.path(required=False),
    texts: str | None = options.file("File of the texts, if the records lack them."),
    output: str | None = options.file(
        "Write the ground truth to this file, or without CONFIRMATIONS the union of DETECTIONS.",
        "-o",
        "--output",
    ),
    at_least: int | None = options.number(
        "Labelers who must confirm a mention; by default six in ten of those who judged it."
    ),
    repeats: bool = options.flag(
        "Also add every other occurrence of a linked term in the text to the union."
    ),
    form: str = options.format,
) -> None:
    """Compute the average pairwise kappa of labelers, and make the ground truth.

    DETECTIONS and CONFIRMATIONS are JSONL with the record of one labeler and one text per line.
    DETECTIONS may also be a CSV with the columns labeler, id, text and mentions, the last with
    lines of term#link. Two labelers are compared on the candidates (span and page) of the texts
    that both labelled; each pair is weighted by its number of candidates. The ground truth is what
    six in ten confirm.
    """
    from tatian.mentions import annotation as rounds

    inputs = tuple(path for path in (detections, confirmations, texts) if path is not None)
    keep_inputs(output or STREAM, inputs)
    files = open_files(detections).files
    detected = [record for name, text in files.items() for record in read_detections(text, name)]
    judged_files = {} if confirmations is None else open_files(confirmations).files
    judged = [
        record for name, text in judged_files.items() for record in read_confirmations(text, name)
    ]
    agreement = rounds.agreement(detected, judged)
    if output is not None:
        labelled = read_texts([texts]) if texts else _texts_of_records(files)
        by_id = {text.id: text for text in labelled}
        union = rounds.union(detected, by_id, repeats=repeats)
        if confirmations is None:
            gold_texts = [
                replace_links(by_id[item], links_of_terms(terms)) for item, terms in union.items()
            ]
        else:
            gold_texts = rounds.ground_truth(labelled, judged, at_least=at_least)
        write_jsonl(gold_texts, output)
        _report(gold_texts, confirmed=confirmations is not None)
    if form == "json":
        kappas = {"detection": agreement.detection, "confirmation": agreement.confirmation}
        write_json({name: _kappa_to_json(kappa) for name, kappa in kappas.items()})
    else:
        print_table(_table(agreement))


def _texts_of_records(files: Mapping[str, str]) -> list[Document]:
    """Return the texts that the records of the first round contain."""
    by_text_id: dict[str, Document] = {}
    for name, text in files.items():
        for document in find("detections").read(text, name):
            if by_text_id.setdefault(document.id, document).text != document.text:
                raise InputError(f"two records have different texts of '{document.id}'", path=name)
    return list(by_text_id.values())


def _report(texts: list[Document], *, confirmed: bool) -> None:
    mentions = sum(len(links_of(text)) for text in texts)
    what = "confirmed" if confirmed else "detected"
    say("note", f"mentions {what}: {mentions} in {len(texts)} texts")
    missed = [(text, repeat) for text in texts for repeat in missed_repeats(text)]
    if missed:
        text, place = missed[0]
        say(
            "warning",
            f"unlinked occurrences of linked terms: {len(missed)}; the first is "
            f"'{place.of(text.text)}' at {place.start}..{place.end} in '{text.id}'",
        )


def _kappa_to_json(kappa: AverageKappa | None) -> dict[str, Any] | None:
    """Return the agreement of one round as JSON data; NaN becomes null."""
    if kappa is None:
        return None
    import msgspec

    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(kappa))
    return {"kappa": fields["value"], "pairs": fields["pairs"]}


def _table(agreement: LabelerAgreement) -> Table:
    from tatian.statistics import Cell, Column, Table

    rounds = {"detection": agreement.detection, "confirmation": agreement.confirmation}
    rows: list[list[Cell]] = [
        [name, average.value, len(average.pairs), sum(pair.mentions for pair in average.pairs)]
        for name, average in rounds.items()
        if average is not None
    ]
    return Table.of(["round", Column("kappa", precision=4), "pairs", "candidates"], rows)
