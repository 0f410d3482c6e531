"""``tatian aggregate extract`` and ``mine``: sets of entities in a corpus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from tatian.aggregation.data import Instance
from tatian.aggregation.data.records import TYPES
from tatian.analysis.installed import unavailable
from tatian.cli import options
from tatian.cli.aggregate.reading import write_instances
from tatian.cli.engine import ENGINE, EngineOptions, report_failures
from tatian.cli.files import keep_inputs
from tatian.cli.options import STREAM, command
from tatian.cli.output import print_by_file, print_table, progress_bar, say, write_json
from tatian.corpora.articles import ArticleSource, Years, parse_years
from tatian.corpora.news import sources
from tatian.engine import Failed
from tatian.errors import AssetError, InputError
from tatian.formats import Losses
from tatian.progress import Progress
from tatian.text import Document
from tatian.views.wording import format_count

if TYPE_CHECKING:
    from tatian.aggregation.mining.phrases import MinedPhrase
    from tatian.pipeline.article_job import ArticleResult, FailedArticles
    from tatian.pipeline.instances.extraction import ExtractionCounts
    from tatian.pipeline.instances.running import Extraction, Sample


BACKGROUND_LENGTH = 600
_FAILURES = ".failed.jsonl"
"""Suffix of the file of articles that failed, after the output's name."""


@command()
def extract(
    corpus: tuple[str, ...] = options.paths("CORPUS..."),
    years: str | None = options.option(
        "Only articles of this year, or of these years.", metavar="Y[-Y]"
    ),
    kb: str | None = options.kb,
    corrections: str | None = options.file(
        "Corrected links: on each line an entity, a tab, and its page (empty for none)."
    ),
    background: int = options.number(
        "Length of the background that is kept of each entity's page.", default=BACKGROUND_LENGTH
    ),
    unit: Literal["characters", "tokens"] = options.choice(
        ["characters", "tokens"], "Unit of --background.", default="characters"
    ),
    window: int | None = options.number(
        "Sentences that a set may be spread over; by default as many as it has entities.", most=20
    ),
    size: int | None = options.number("Keep N instances, drawn at random.", "--sample"),
    seed: int = options.seed,
    link: bool = options.flag("Link names to pages by their context, in texts without an index."),
    fast: bool = options.flag("Use rules instead of the encoder: faster, less accurate."),
    resume: bool = options.flag("Continue an interrupted run that had the same options."),
    form: str = options.format,
    output: str = options.output,
    engine: EngineOptions = ENGINE,
) -> int:
    """Find sets of entities that texts mention together, with their contexts.

    CORPUS is the New York Times Annotated Corpus (its folders, month archives or single articles),
    whose index names the entities. It may also be any texts, pages or JSONL; their entities are
    found by name and coreference. With -o, the counts of what each rule excludes are printed. With
    --engine, failed articles are listed in a file beside the output, and the exit status is then 3.
    """
    from tatian.pipeline.instances.running import EngineRun, Extraction, ExtractionTask, Run, Sample

    keep_inputs(output, corpus)
    try:
        wanted = parse_years(years) if years else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--years'") from error
    streamed = output == STREAM or output.lower().endswith(".gz")
    if resume and streamed:
        raise click.UsageError("--resume needs -o with a file that is not .gz")
    if corrections and not kb:
        raise click.UsageError("--corrections needs a knowledge base: give --kb")
    if link and (fast or not kb):
        raise click.UsageError("--link needs --kb and the encoder")
    task = ExtractionTask(kb, corrections, background, unit, window, link, fast)
    failures = _failed_articles(output if engine.is_given else STREAM, resume)
    sample = Sample(size, seed) if size else None
    chosen = (corpus, years, kb, corrections, background, unit, window, size, seed)
    with progress_bar() as progress:
        work = Extraction(
            _sources(corpus, wanted, engine),
            task.extractor(),
            wanted,
            progress=progress,
            engine_run=EngineRun(engine.open(), task, failures) if engine.is_given else None,
        )
        if streamed:
            _write_stream(work, sample, output)
        elif Path(output).is_dir():
            raise InputError("is a directory: name a file", path=output)
        else:
            settings = json.dumps([*chosen, link, fast])
            Run(output, settings=settings, sample=sample, resume=resume).write(work)
    for message in work.defects.messages():
        say("warning", message)
    _report_extracted(work.extractor.counts, form, output)
    return report_failures(failures.count, f"{output}{_FAILURES}")


def _sources(
    corpus: tuple[str, ...], years: Years | None, engine: EngineOptions
) -> Sequence[ArticleSource]:
    from tatian.pipeline.article_job import shared_sources

    if engine.is_given:
        return shared_sources(corpus, years=years)
    return sources(corpus, years=years)


def _failed_articles(output: str, resume: bool = False) -> FailedArticles:
    from tatian.pipeline.article_job import FailedArticles

    return FailedArticles(Path(f"{output}{_FAILURES}") if output != STREAM else None, resume=resume)


def _write_stream(work: Extraction, sample: Sample | None, output: str) -> None:
    instances = (instance for step in work.steps() for instance in step.instances)
    if sample is None:
        write_instances(instances, output)
        return
    for instance in instances:
        sample.add(instance)
    for instance in sample:
        work.extractor.counts.add("sampled", type=instance.type)
    write_instances(sample, output)


def _report_extracted(counts: ExtractionCounts, form: str, output: str) -> None:
    from tatian.statistics import Table

    if output == STREAM:
        counted = format_count(counts["instances"], "instance")
        read = format_count(counts["articles"], "article")
        say("note", f"{counted} in {read}; -o FILE prints all figures")
        return
    if form == "json":
        write_json(_to_json(counts))
        return
    rows = [(name, total, *by_type, what) for name, total, by_type, what in counts.rows()]
    print_table(Table.of(["figure", "all", *TYPES, "what"], rows))


def _to_json(counts: ExtractionCounts) -> dict[str, Any]:
    return {
        "figures": {
            name: {"all": total, **{t: n for t, n in zip(TYPES, by, strict=True) if n is not None}}
            for name, total, by, _ in counts.rows()
        },
        "sizes": {str(size): count for size, count in counts.sizes().items()},
        "mean_size": counts.mean_size,
    }


PATTERNS = ("hearst", "such-as", "other", "apposition", "numbered", "close", "of", "plural")


@command()
def mine(
    corpus: tuple[str, ...] = options.paths("CORPUS..."),
    patterns: tuple[str, ...] = options.choice(
        PATTERNS, "Keep only sets that are worded this way. Repeatable.", "--pattern", multiple=True
    ),
    kb: str | None = options.kb,
    form: str = options.format,
    output: str = options.output,
    engine: EngineOptions = ENGINE,
) -> int:
    """Find sets of entities that a text both lists and names, as instances with gold.

    "Countries such as Peru and Chile" gives the set Peru and Chile, the phrase "countries", and the
    sentence without the phrase. With --kb, "the two countries" also gives the countries named
    before it. CORPUS is the same as for 'extract'. With -o, the counts of each wording are printed.
    """
    from tatian.aggregation.mining import mine_all, pool_phrases
    from tatian.analysis import analyze_all
    from tatian.knowledge.base import open_base
    from tatian.pipeline.article_job import ArticleJob, MiningTask, run_articles

    keep_inputs(output, corpus)
    if "plural" in patterns and not kb:
        raise click.UsageError("--pattern plural needs a knowledge base: give --kb")
    base = open_base(kb) if kb else None
    if problem := unavailable():
        raise AssetError(f"mining needs syntax and names: {problem}")
    article_sources = _sources(corpus, None, engine)
    defects = Losses()
    failures = _failed_articles(output if engine.is_given else STREAM)
    counts: Counter[str] = Counter()
    with progress_bar() as progress:
        if engine.is_given:
            job = ArticleJob(MiningTask(kb), tuple(article_sources))
            results = run_articles(job, engine.open(), defects)
            mined = _take_mined(results, progress, counts, failures)
        else:
            texts = _read_texts(article_sources, defects, progress, counts)
            mined = mine_all(texts, analyze_all, base)
        instances = _keep_patterns(mined, patterns, counts)
        write_instances(pool_phrases(instances), output)
    for message in defects.messages():
        say("warning", message)
    _report_mined(counts, form, output)
    return report_failures(failures.count, f"{output}{_FAILURES}")


def _take_mined(
    articles: Iterable[ArticleResult],
    progress: Progress,
    counts: Counter[str],
    failures: FailedArticles,
) -> Iterator[MinedPhrase]:
    for article in articles:
        counts["texts"] += 1
        progress("texts", counts["texts"], counts["texts"])
        if isinstance(article.result, Failed):
            failures.add(article.article, article.result)
        else:
            yield from article.result


def _read_texts(
    sources: Iterable[ArticleSource], defects: Losses, progress: Progress, counts: Counter[str]
) -> Iterator[Document]:
    for source in sources:
        for article in source.articles(None, defects, lambda done: None):
            counts["texts"] += 1
            progress("texts", counts["texts"] - 1, counts["texts"])
            yield article.as_document()


def _keep_patterns(
    mined: Iterable[MinedPhrase], patterns: tuple[str, ...], counts: Counter[str]
) -> Iterator[Instance]:
    for phrase in mined:
        if not patterns or phrase.pattern in patterns:
            counts[phrase.pattern] += 1
            counts["instances"] += 1
            yield phrase.instance


def _report_mined(counts: Counter[str], form: str, output: str) -> None:
    if output == STREAM:
        counted = format_count(counts["instances"], "instance")
        say("note", f"{counted} in {format_count(counts['texts'], 'text')}")
        return
    figures = {name: counts[name] for name in ("texts", "instances", *PATTERNS)}
    print_by_file({"count": figures}, form, alone=True)
