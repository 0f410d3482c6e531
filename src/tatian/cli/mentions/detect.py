"""``tatian mentions detect`` and ``serve``: entities in texts, linked to Wikipedia pages."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tatian.analysis import analysers
from tatian.cli import options
from tatian.cli.engine import SHARD_ENGINE, SHARD_OUTPUT, EngineOptions, run_shards
from tatian.cli.files import choose_format, keep_inputs
from tatian.cli.mentions.data import NAMES
from tatian.cli.options import STREAM, command
from tatian.cli.output import LanguageCheck, progress_bar, say, warn, write, writer
from tatian.corpora.decoding import peek
from tatian.corpora.reading import iterate
from tatian.formats import HEAD, find, list_formats, read
from tatian.mentions.models import detectors
from tatian.progress import Progress
from tatian.text import Document
from tatian.text.streams import open_stream, unreadable

if TYPE_CHECKING:
    from tatian.knowledge.base import KnowledgeBase
    from tatian.mentions.server import LinkSpans


FORMS = ("jsonl", "nif", "csv", "html")
MODEL = "tatian"
_FRACTION = click.FloatRange(0, 1)


@command()
def detect(
    files: tuple[str, ...] = options.paths("FILE..."),
    origin: str | None = options.input_format(NAMES),
    kb: str | None = options.option(
        "A knowledge base made by 'tatian kb build'; by default the starter base.",
        type=click.Path(),
        metavar="FILE|starter",
    ),
    topic: str = options.option("Topic of the texts that do not name one.", default=""),
    model: str = options.model("Mentions", MODEL),
    threshold: float | None = options.option(
        "Omit links with a lower confidence than this; by default what suits the model.",
        type=_FRACTION,
        metavar="X",
    ),
    titles: int = options.number(
        "List up to N pages per term: the best one and those nearly as likely.", default=1
    ),
    related: float | None = options.option(
        "Omit general terms less related to the topic than this; names are kept. "
        "By default 0.13 if the topic is a phrase or a sentence; 0 omits none.",
        type=_FRACTION,
        metavar="X",
    ),
    whole_names: bool = options.option(
        "Whether names include titles such as 'President'.",
        "--whole-names/--bare-names",
        default=False,
        show_default=True,
    ),
    repeats: bool = options.option(
        "Link every occurrence of a term that is linked with high confidence.",
        "--repeats/--no-repeats",
        default=True,
        show_default=True,
    ),
    guidelines: bool = options.flag(
        "Follow the mention benchmark: whole names, repeats, nothing unrelated to the topic."
    ),
    form: str | None = options.output_format(*FORMS),
    output: str = SHARD_OUTPUT,
    engine: EngineOptions = SHARD_ENGINE,
) -> int:
    """Find the entities that texts mention, and link each to its Wikipedia page.

    FILE is a text, an HTML page, JSONL with a text and perhaps a topic per line, or a directory of
    them. It may be a benchmark in a format of 'mentions convert', whose mentions are replaced.
    For shards, FILE cannot be a benchmark, and the exit status is 3 if documents failed.
    """
    from tatian.pipeline.corpus_steps import DetectionStep

    keep_inputs(output, files)
    sharded = engine.writes_shards(output)
    if sharded and (origin or form == "html"):
        raise click.UsageError("--from and --to html cannot be combined with --engine or -o DIR")
    form = form or "jsonl" if sharded else choose_format(form, output, FORMS)
    step = DetectionStep(
        model, kb, topic, threshold, titles, related, whole_names, repeats, guidelines, form
    )
    if sharded:
        step.detector()
        return run_shards(step, files, output, engine)
    inputs = check_inputs(files, read_inputs(files, origin))
    detector = step.detector()
    base: KnowledgeBase | None = getattr(detector, "base", None)
    if kb is None and base is not None:
        say(
            "note",
            f"linking to the starter base ({len(base):,} pages); one built from a dump of "
            "Wikipedia knows far more: 'tatian kb build DUMP -o wiki.kb', then '--kb wiki.kb'",
        )
    language_check = LanguageCheck()
    with progress_bar() as progress:
        texts = _check_language(inputs, progress, language_check)
        _write(step.detect(texts, detector), form, output, base)
    language_check.report()
    return 0


def _check_language(
    texts: Iterable[Document], progress: Progress, language_check: LanguageCheck
) -> Iterator[Document]:
    for done, (text, waiting) in enumerate(with_waiting(texts)):
        progress("texts", done, done + 1 + waiting)
        language_check.check(text if isinstance(text, Document) else Document(text.id, text.text))
        yield text


def _write(texts: Iterator[Document], form: str, output: str, base: KnowledgeBase | None) -> None:
    from tatian.mentions.views import mentions_page

    if form == "html":
        write(mentions_page(list(texts), base), output)
        return
    with writer(output) as put:
        for text in find(form, "mention").write(texts):
            put(text)


T = TypeVar("T")
_ARCHIVES = (".tar", ".tar.gz", ".tgz")
_BLANK = b"\xef\xbb\xbf \t\r\n"
_MENTIONS = re.compile(r'"mentions"\s*:\s*\[')
"""JSON field that distinguishes mention records from text records."""


def read_inputs(files: Iterable[str], origin: str | None) -> Iterator[Document]:
    """Yield the texts of all files; each file is opened only when its turn comes."""
    without_mentions: list[str] = []
    for path in files:
        if not (origin or _has_mentions(path)):
            without_mentions.append(path)
            continue
        yield from iterate(without_mentions, warn=warn)
        without_mentions = []
        yield from read(path, origin, "mention")
    yield from iterate(without_mentions, warn=warn)


def check_inputs(files: Iterable[str], texts: Iterator[T]) -> Iterator[T]:
    """Check that all files exist and read the first text, before a model is loaded."""
    for path in files:
        if path != STREAM:
            try:
                Path(path).stat()
            except OSError as error:
                raise unreadable(path, error) from error
    return chain(list(islice(texts, 1)), texts)


def _has_mentions(path: str) -> bool:
    """Return whether a file, directory or archive is in a format of mentions."""
    if path != STREAM and Path(path).is_dir():
        names = [path_inside.relative_to(path).as_posix() for path_inside in Path(path).rglob("*")]
        return any(
            format.files and format.files.recognizes(names) for format in list_formats("mention")
        )
    if path.lower().endswith(_ARCHIVES):
        return True
    head = _head(path).decode("utf-8", "replace").lstrip("\ufeff")
    names = [format.name for format in list_formats("mention") if format.recognizes(head)]
    if names == ["jsonl"]:
        return _MENTIONS.search(head) is not None
    return bool(names)


def _head(path: str) -> bytes:
    """Return the start of a file: for JSON, the first record. Standard input is only peeked at."""
    if path == STREAM:
        return peek(HEAD)
    with open_stream(path) as stream:
        lines = (line for _, line in stream.lines())
        head = next(lines, b"")
        if not head.lstrip(_BLANK).startswith(b"{"):
            for line in lines:
                head += line
                if len(head) > HEAD:
                    break
    return head


def with_waiting(items: Iterable[T], most: int = 1000) -> Iterator[tuple[T, int]]:
    """Yield each item with the number of items already buffered after it, at most `most`."""
    source = iter(items)
    waiting = deque(islice(source, most))
    while waiting:
        item = waiting.popleft()
        waiting.extend(islice(source, 1))
        yield item, len(waiting)


@command()
def serve(
    kb: str | None = options.kb,
    model: str | None = options.option(
        "Mentions model: a name from 'tatian models list'.", metavar="NAME"
    ),
    host: str = options.host,
    port: int = options.port(8080),
    public_url: str | None = options.public_url,
    limit: int = options.option(
        "Size limit of a request, in MiB.",
        type=click.IntRange(min=1),
        default=8,
        show_default=True,
        metavar="MIB",
    ),
) -> None:
    """Annotate NIF documents over HTTP, so that GERBIL can evaluate Tatian.

    POST a document in Turtle to /; the answer has its mentions, linked to DBpedia. If the document
    marks phrases, only these are linked. GET /health is a health check. Stop the server with
    Ctrl-C.
    """
    from tatian.mentions.server import NifServer

    detector = detectors.create(model, **({"kb": kb} if kb else {}))
    analyser, name = analysers.create(), model or detectors.default
    link: LinkSpans | None = getattr(detector, "link", None)

    def detect(document: Document) -> Document:
        return detector.detect(analyser.analyze(document))

    size = limit * 2**20
    with NifServer(
        (host, port), detect, link=link, name=name, limit=size, public_url=public_url
    ) as server:
        say("note", f"listening on {server.url} with '{name}': end with Ctrl-C")
        server.serve_forever()
