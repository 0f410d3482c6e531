"""Extraction of aggregation instances from a corpus: sets of entities, contexts, background."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from tatian.aggregation.data.records import Instance
from tatian.corpora.news import sources
from tatian.pipeline.instances.extraction import Extractor
from tatian.pipeline.instances.running import Extraction

__all__ = ["Extractor", "extract"]


def extract(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    extractor: Extractor | None = None,
) -> Iterator[Instance]:
    """Yield the instances of a corpus; `extractor.counts` has the figures at the end.

    `paths` are archives or folders of the New York Times Annotated Corpus, or any texts that
    `tatian.read` takes.
    """
    names = [paths] if isinstance(paths, str | os.PathLike) else paths
    corpus = sources([os.fspath(path) for path in names])
    work = Extraction(corpus, extractor or Extractor())
    for step in work.steps():
        yield from step.instances
