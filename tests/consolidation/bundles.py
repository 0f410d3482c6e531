"""Small bundles of accounts, and what consolidation makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import tatian
from tatian.consolidation.result import Consolidation
from tatian.pipeline import Pipeline
from tatian.progress import Progress, silent
from tatian.text import Document, Metadata

PIPELINE = Pipeline(
    analyser="rules",
    detector="names",
    resolver="match",
    aggregator="heads",
)


def consolidate(
    accounts: Sequence[str | PathLike[str] | Document],
    *,
    pipeline: Pipeline = PIPELINE,
    progress: Progress = silent,
) -> Consolidation:
    """Consolidate by rules, whatever models are the default."""
    return tatian.consolidate(accounts, pipeline=pipeline, fast=True, progress=progress)


def account(id_: str, text: str, day: str | None = None, **metadata: str) -> Document:
    """An account as somebody gives it."""
    return Document(id_, text, Metadata(date=day, **metadata))


def bundle(*texts: str, days: Sequence[str | None] = ()) -> list[Document]:
    """Accounts a, b, c with these texts, and perhaps their days."""
    given = [*days, *[None] * (len(texts) - len(days))]
    return [
        account(chr(97 + number), text, day)
        for number, (text, day) in enumerate(zip(texts, given, strict=True))
    ]


def processed(*texts: str, days: Sequence[str | None] = ()) -> list[Document]:
    """The same with every layer filled."""
    return [PIPELINE.process(document) for document in bundle(*texts, days=days)]


def sentences(result: Consolidation) -> list[str]:
    """The sentences of a consolidated text."""
    return [result.text[one.start : one.end] for one in result.sentences]


def fates(result: Consolidation) -> dict[str, str]:
    """What became of each source sentence."""
    return {
        one.text[sentence.start : sentence.end]: sentence.fate
        for one in result.documents
        for sentence in one.sentences
    }
