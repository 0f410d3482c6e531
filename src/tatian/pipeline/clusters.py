"""Clusters of reports of one event, from ECB+ or from any files and directories."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace

from tatian.corpora.reading import AnyPath, iterate
from tatian.formats.ecbplus import by_subtopic, read_ecbplus
from tatian.text import Document

_ARCHIVE = re.compile(r"\.(tar|tgz|tar\.(gz|bz2|xz))$", re.IGNORECASE)
_ECBPLUS = re.compile(r"\d+_\d+ecb(plus)?\.xml")
_RECORDS = re.compile(r"\.(jsonl?|ndjson)(\.gz)?$", re.IGNORECASE)

Warn = Callable[[str], None]


def read_clusters(
    paths: AnyPath | Iterable[AnyPath], *, warn: Warn | None = None
) -> Iterator[list[Document]]:
    """The documents of each cluster in turn.

    ECB+, packed or unpacked, has a cluster for each of its events. A directory is a cluster, and so
    is a JSON or JSONL file; records with a topic are kept apart from those of other topics, which
    must not lie between them. All other files together are one cluster. Documents of several
    directories or record files carry that name before their own.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    options = {} if warn is None else {"warn": warn}
    files: list[str] = []
    for name in [os.fspath(path) for path in given]:
        if is_ecbplus(name):
            yield from _events(read_ecbplus(name, header=False))
        elif _RECORDS.search(name) or Path(name).is_dir():
            room = f"{Path(name).name}/" if len(given) > 1 else ""
            documents = (replace(one, id=room + one.id) for one in iterate(name, **options))
            for _, together in groupby(documents, key=lambda one: one.metadata.topic):
                yield list(together)
        else:
            files.append(name)
    if files:
        yield list(iterate(files, **options))


def is_ecbplus(path: str) -> bool:
    """Whether a path is an archive, or a directory that holds files named as ECB+ names them."""
    if _ARCHIVE.search(path):
        return True
    place = Path(path)
    return place.is_dir() and any(_ECBPLUS.fullmatch(file.name) for file in place.rglob("*.xml"))


def _events(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Topic by topic, so that only one is held; each topic has two events."""
    for _, topic in groupby(documents, key=lambda one: one.metadata.topic):
        yield from by_subtopic(topic).values()
