"""``tatian mentions convert``, ``stats``, ``project`` and ``simulate``: files of mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from tatian.cli import options
from tatian.cli.files import ending_of, keep_inputs
from tatian.cli.options import STREAM, command
from tatian.cli.output import print_by_file, say, writer
from tatian.errors import EmptyInput, InputError
from tatian.formats import find, list_formats, read, recognize
from tatian.formats.files import open_files
from tatian.formats.links import links_of
from tatian.formats.losses import find_losses
from tatian.formats.mentions_jsonl import encode
from tatian.formats.wiki import resolve_titles
from tatian.mentions.data import summarize
from tatian.mentions.projection import project_all
from tatian.mentions.speech import RecognitionRates
from tatian.mentions.speech import simulate as simulate_speech
from tatian.text import Document

if TYPE_CHECKING:
    from tatian.knowledge import KnowledgeBase


def read_texts(
    paths: Sequence[str], origin: str | None = None, base: KnowledgeBase | None = None
) -> list[Document]:
    """Read the texts of all files, directories and archives; with a base, resolve Wikidata ids."""
    texts = [text for path in paths for text in read(path, origin, "mention")]
    return resolve_titles(texts, base) if base else texts


def warn_of_ending(output: str) -> None:
    """Warn that a file whose name suggests another format will hold JSONL."""
    ending = ending_of(output)
    if ending not in ("", ".jsonl", ".ndjson"):
        say("warning", f"{output}: JSONL is written, though the name ends in '{ending}'")


def write_jsonl(texts: Iterable[Document], output: str = STREAM) -> None:
    """Write texts as Tatian's JSONL."""
    with writer(output) as put:
        for text in texts:
            put(encode(text) + "\n")


NAMES = tuple(format.name for format in list_formats("mention"))
"""Formats that can be read."""
WRITABLE = tuple(sorted(format.name for format in list_formats("mention") if format.writer))
"""Formats that can be written."""


def read_texts_or_lines(path: str, origin: str | None = None) -> list[Document]:
    """Read the texts of a file with linked mentions, or each line of plain text as a text."""
    source = open_files(path)
    if source.several:
        return read_texts([path], origin)
    ((name, text),) = source.files.items()
    try:
        format = find(origin, "mention") if origin else recognize(text, name, "mention")
    except InputError:
        if origin:
            raise
        return _texts_of_lines(text, name)
    return list(format.read(text, name))


def _texts_of_lines(text: str, name: str) -> list[Document]:
    lines = (line.strip() for line in text.removeprefix("\ufeff").split("\n"))
    documents = [Document(str(number), line) for number, line in enumerate(lines, 1) if line]
    if not documents:
        raise EmptyInput("the file contains no text", path=name)
    return documents


@command()
def convert(
    files: tuple[str, ...] = options.paths(),
    target: str = options.choice(WRITABLE, "Output format.", "--to", required=True),
    origin: str | None = options.input_format(NAMES),
    kb: str | None = options.kb,
    output: str = options.output,
) -> None:
    """Convert FILEs with linked mentions, directories or archives of them, to another format.

    Formats that can be read: Tatian's JSONL, NIF, AIDA-CoNLL, ELEVANT, AQUAINT, CoNLL-U with GUM's
    links and the CSV of term#link lines. With a knowledge base, Wikidata ids become pages. Losses
    are reported with their number and the first text concerned.
    """
    from tatian.knowledge import open_base

    keep_inputs(output, files)
    texts = read_texts(files, origin, open_base(kb) if kb else None)
    format = find(target, "mention")
    written = "".join(format.write(texts))
    for message in find_losses(texts, format, written).messages():
        say("warning", f"not in {target}: {message}")
    with writer(output) as put:
        put(written)


_FIGURES = tuple(
    "texts sentences tokens mentions places named general unsaid unlinked nested lower pages "
    "per_sentence sentence_length titles_per_mention coverage types tags".split()
)


@command()
def stats(
    files: tuple[str, ...] = options.paths(),
    origin: str | None = options.input_format(NAMES),
    kb: str | None = options.kb,
    form: str = options.format,
) -> None:
    """Count the mentions of each FILE: named and general, per sentence, by tag and type.

    A mention is a term, its place and one page, as in the paper: a term with two right pages counts
    as two mentions. If a file does not say which mentions are names, the knowledge base decides.
    """
    from tatian.knowledge import open_base

    kinds = open_base(kb).kind_of if kb else None
    summaries = {path: summarize(read_texts([path], origin), kinds) for path in files}
    figures = {
        path: {name: getattr(summary, name) for name in _FIGURES}
        for path, summary in summaries.items()
    }
    print_by_file(figures, form, alone=len(files) == 1)


@command()
def project(
    trans: str = options.path(),
    asr: str = options.path(),
    keep_all: bool = options.flag(
        "Keep mentions that were mostly misheard too, on the words in their place."
    ),
    origin: str | None = options.input_format(NAMES),
    output: str = options.output,
) -> None:
    """Project the mentions of TRANS onto ASR, a speech recogniser's output for the same words.

    Offsets of a transcript are mapped to the recognised text along a minimum edit distance
    alignment. TRANS is any file with linked mentions. ASR is such a file, whose own mentions are
    ignored, or plain text with a line for each transcript. Texts are paired by id, lines by order.
    Mentions that were mostly misheard are reported and left out; with --keep-all they are kept, as
    in the benchmark.
    """
    keep_inputs(output, (trans, asr))
    warn_of_ending(output)
    texts = read_texts([trans], origin)
    lost = 0

    def projected_texts() -> Iterator[Document]:
        nonlocal lost
        projected = project_all(texts, read_texts_or_lines(asr), keep_all=keep_all)
        for transcript, projection in zip(texts, projected, strict=True):
            lost += len(projection.vanished)
            for mention in projection.vanished:
                term = mention.of(transcript.text)
                say("warning", f"text '{projection.text.id}': '{term}' was mostly misheard")
            yield projection.text

    write_jsonl(projected_texts(), output)
    total = sum(len(links_of(text)) for text in texts)
    say("note", f"mentions projected: {total - lost} of {total}")


@command()
def simulate(
    file: str = options.path(),
    seed: int = options.seed,
    transcript: bool = options.flag(
        "Simulate a person's transcript: no capitals or numerals, with stops and commas."
    ),
    rates: tuple[str, ...] = options.option(
        "Rate of a kind of error, from 0 to 1; repeatable. "
        f"Names: {', '.join(RecognitionRates.__struct_fields__)}.",
        "--rate",
        multiple=True,
        metavar="NAME=RATE",
    ),
    origin: str | None = options.input_format(NAMES),
    output: str = options.output,
) -> None:
    """Simulate recognised speech from the texts of FILE, and move their mentions along.

    FILE has linked mentions, or is plain text, where each line is a text. Rates go from 0 (never)
    to 1 (always); the defaults are those of a recogniser of average quality.
    """
    keep_inputs(output, (file,))
    warn_of_ending(output)
    chosen = replace(
        RecognitionRates.transcript() if transcript else RecognitionRates(),
        **dict(map(_rate, rates)),
    )
    chosen.__post_init__()
    lost = 0

    def simulated_texts() -> Iterator[Document]:
        nonlocal lost
        for text in read_texts_or_lines(file, origin):
            simulation = simulate_speech(text, chosen, seed=seed)
            lost += len(simulation.vanished)
            yield simulation.text

    write_jsonl(simulated_texts(), output)
    if lost:
        say("note", f"mentions lost: {lost}")


def _rate(argument: str) -> tuple[str, float]:
    name, _, rate = argument.partition("=")
    try:
        if name in RecognitionRates.__struct_fields__:
            return name, float(rate)
    except ValueError:
        pass
    raise click.UsageError(f"--rate '{argument}': give a name and a number, such as dropped=0.1")
