"""Bundles: source documents of one event with their facts, for evaluation.

A bundle holds sources, their facts, noise sentences, conflicts, and the text of an editor. Each
fact has the sentences that state it, and keys by which a program recognises it in any text that
keeps the sources' words. `tatian.consolidation.metrics` scores texts by bundles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tatian.corpora.reading import heading
from tatian.errors import EmptyInput, InputError
from tatian.text import Document
from tatian.text.streams import STDIN, Stream, open_stream, unreadable

_BLANK = b"\xef\xbb\xbf \t\r\n"
_ENDINGS = (".json", ".jsonl", ".ndjson")

NonBlank = Annotated[str, Meta(pattern=r"\S")]
"""A string that is not blank."""
Place = str
"""A sentence of a source: ``A.3`` is the fourth sentence of the source A."""


class BundleSource(Struct, frozen=True):
    """One source, sentence by sentence."""

    id: NonBlank
    name: str
    sentences: Annotated[tuple[str, ...], Meta(min_length=1)]

    @property
    def text(self) -> str:
        """The text of the source, one sentence per paragraph."""
        return "\n\n".join(self.sentences)

    @property
    def words(self) -> int:
        """Number of words."""
        return len(self.text.split())


class BundleFact(Struct, frozen=True):
    """A fact that the sources state."""

    id: NonBlank
    text: NonBlank
    sources: Annotated[tuple[Place, ...], Meta(min_length=1)]
    keys: Annotated[
        tuple[Annotated[tuple[NonBlank, ...], Meta(min_length=1)], ...], Meta(min_length=1)
    ]
    """Groups of alternatives: a text that states the fact has one of each group."""
    importance: Literal[1, 2, 3]
    """3 for the event itself, 2 for a fact that a reader would miss, 1 for a detail."""

    @property
    def main(self) -> bool:
        """True if the fact is important: a reader would miss it."""
        return self.importance > 1


class BundleClaim(Struct, frozen=True):
    """A value that some sources state and others contradict."""

    value: str
    sources: tuple[Place, ...]


class BundleConflict(Struct, frozen=True):
    """A point on which the sources disagree."""

    about: str
    claims: tuple[BundleClaim, ...]
    resolved: str | None = None
    """Reason why one of them is right, if known."""


class ReferenceSentence(Struct, frozen=True):
    """A sentence of the editor's text, with its facts and their sources."""

    text: NonBlank
    facts: tuple[str, ...] = ()
    sources: tuple[Place, ...] = ()


class Bundle(Struct, frozen=True):
    """Sources of one event, their facts in the order of the editor's text, and that text."""

    id: NonBlank
    accounts: Annotated[tuple[BundleSource, ...], Meta(min_length=1)]
    facts: Annotated[tuple[BundleFact, ...], Meta(min_length=1)]
    reference: Annotated[tuple[ReferenceSentence, ...], Meta(min_length=1)]
    noise: tuple[Place, ...] = ()
    """Sentences that are no part of the story: bylines, dates, addresses, advertisements."""
    conflicts: tuple[BundleConflict, ...] = ()

    def documents(self) -> list[Document]:
        """Return the sources as documents, with noise and headlines."""
        sources = self.accounts
        return [Document(source.id, source.text, heading(source.text)) for source in sources]

    def sentences(self) -> dict[Place, str]:
        """Return every sentence of every source, by its place."""
        return {
            f"{source.id}.{index}": sentence
            for source in self.accounts
            for index, sentence in enumerate(source.sentences)
        }

    def reference_text(self) -> str:
        """Return the editor's text, one sentence per paragraph."""
        return "\n\n".join(sentence.text for sentence in self.reference)

    def stacked(self) -> str:
        """Return the sources one after the other."""
        return "\n\n".join(account.text for account in self.accounts)

    def longest(self) -> str:
        """Return the text of the longest source."""
        return max(self.accounts, key=lambda account: account.words).text


_DECODER = msgspec.json.Decoder(Bundle)


def read_bundles(paths: str | Iterable[str], *, checked: bool = True) -> list[Bundle]:
    """Read the bundles of files, directories of them, or ``-``: JSON, or JSONL with one per line.

    Unless `checked` is false, a bundle with dangling references is refused as well.
    """
    bundles: dict[str, Bundle] = {}
    for path in [paths] if isinstance(paths, str) else paths:
        for name in _files(path):
            for file_name, line, bundle in _read_records(name):
                faults = list(find_problems(bundle)) if checked else []
                if bundle.id in bundles:
                    faults.append(f"bundle {bundle.id}: a second bundle with this id")
                if faults:
                    raise InputError(faults[0], path=file_name, line=line)
                bundles[bundle.id] = bundle
    if not bundles:
        raise EmptyInput("no bundle was given")
    return list(bundles.values())


def find_problems(bundle: Bundle) -> Iterator[str]:
    """Yield a message for each id that is used twice, and each reference to nothing."""
    start = f"bundle {bundle.id}"
    places, facts = bundle.sentences(), [fact.id for fact in bundle.facts]
    for field, ids in (("accounts", [account.id for account in bundle.accounts]), ("facts", facts)):
        repeated = (id for index, id in enumerate(ids) if id in ids[:index])
        yield from (f"{start}, {field}: '{id}' is used twice" for id in repeated)
    referring: list[tuple[str, Sequence[Place]]] = [("noise", bundle.noise)]
    referring += [(f"fact {fact.id}, sources", fact.sources) for fact in bundle.facts]
    for number, sentence in enumerate(bundle.reference):
        field = f"reference sentence {number}"
        referring.append((f"{field}, sources", sentence.sources))
        unknown = (id for id in sentence.facts if id not in facts)
        yield from (f"{start}, {field}, facts: there is no fact '{id}'" for id in unknown)
    for number, conflict in enumerate(bundle.conflicts):
        referring += [(f"conflict {number}, sources", claim.sources) for claim in conflict.claims]
    for field, named in referring:
        missing = (place for place in named if place not in places)
        yield from (f"{start}, {field}: there is no sentence '{place}'" for place in missing)


def _files(path: str) -> list[str]:
    """Return the file itself, or the JSON files of a directory."""
    if path == STDIN or not Path(path).is_dir():
        return [path]
    try:
        inside = sorted(Path(path).iterdir())
    except OSError as error:
        raise unreadable(path, error) from error
    paths = [str(entry) for entry in inside if entry.name.removesuffix(".gz").endswith(_ENDINGS)]
    if not paths:
        raise EmptyInput("no .json or .jsonl file in this directory", path=path)
    return paths


def _read_records(path: str) -> Iterator[tuple[str, int | None, Bundle]]:
    """Yield each bundle of a file with the file's name and, in JSONL, its line."""
    with open_stream(path) as stream:
        records = _records(stream)
    if not records:
        raise EmptyInput("the file contains no bundle", path=stream.name)
    for number, data in records:
        line = number if len(records) > 1 else None
        try:
            yield stream.name, line, _DECODER.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            message = f"{_label(data)}{str(error).replace('`$', '').replace('`', '')}"
            raise InputError(message, path=stream.name, line=line) from error


def _records(stream: Stream) -> list[tuple[int, bytes]]:
    """Return the numbered records: the lines of JSONL, or the whole file."""
    data = stream.read()
    lines = [
        (number, line)
        for number, raw_line in enumerate(data.split(b"\n"), 1)
        if (line := raw_line.strip(_BLANK))
    ]
    has_lines = stream.name.removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    if has_lines or all(line.startswith(b"{") and line.endswith(b"}") for _, line in lines):
        return lines
    return [(1, data.strip(_BLANK))]


def _label(data: bytes) -> str:
    """Return the start of an error message: the bundle's id, if it can be read."""
    try:
        bundle_id = msgspec.json.decode(data, type=_Labelled).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
    return f"bundle {bundle_id}: "


class _Labelled(Struct, frozen=True):
    id: str
