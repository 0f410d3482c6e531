"""Clusters as JSON, the output of other resolvers: read to be scored, converted and built on.

A document is an object; a file holds one, a list of them, or one a line. Three ways to say it:

- ``text`` and ``clusters`` of ``[start, end]`` in characters, end exclusive (fastcoref);
- words, as ``tokens``, ``words``, ``document`` or lists of words in ``sentences``, and ``clusters``
  of ``[first, last]`` in words, last inclusive (AllenNLP and those that read its files);
- spaCy's ``Doc.to_json()``: ``text`` and ``spans`` whose names begin with ``coref_clusters``.

A document's name is its ``id``, ``doc_key`` or ``doc_id``; without, its file's, with a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tatian.coreference.data.composing import compose
from tatian.coreference.data.original import ORIGINAL, Original
from tatian.errors import EmptyInput, InputError
from tatian.text import CHAINS, SENTENCES, TOKENS, Authorship, Chain, Document, Mention
from tatian.text.formats import file_name

NAME = "clusters"
_MADE = Authorship(by=NAME)
_IDS = ("id", "doc_key", "doc_id")
_WORDS = ("tokens", "words", "document")
_CLUSTERS = ("clusters", "predicted_clusters", "clusters_token_offsets")
_SPACY = "coref_clusters"

Cluster = list[tuple[int, int]]


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """The documents of a file's whole text."""
    found = False
    for number, (line, source, data) in enumerate(_objects(text, path), start=1):
        found = True
        try:
            document = _document(data, f"{file_name(path)}-{number}")
        except InputError as error:
            raise InputError(f"not clusters: {error}", path=path, line=line) from error
        yield document.with_layer(ORIGINAL, [Original(NAME, source)], _MADE)
    if not found:
        raise EmptyInput("no document in it", path=path)


def _objects(text: str, path: str | None) -> Iterator[tuple[int, str, Any]]:
    """The objects of a file, each with its line and what to write it back as."""
    try:
        whole = _decoded(text)
    except (msgspec.DecodeError, RecursionError):
        yield from _lines(text, path)
        return
    if isinstance(whole, list):
        for data in whole:
            yield 1, msgspec.json.encode(data).decode() + "\n", data
    else:
        yield 1, text, whole


def _lines(text: str, path: str | None) -> Iterator[tuple[int, str, Any]]:
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip("\ufeff \t\r"):
            continue
        try:
            data = _decoded(line)
        except (msgspec.DecodeError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise InputError(f"not JSON: {reason}", path=path, line=number) from error
        yield number, line if number == len(lines) else f"{line}\n", data


def _decoded(text: str) -> Any:
    return msgspec.json.decode(text.removeprefix("\ufeff"))


def _document(data: Any, name: str) -> Document:
    if not isinstance(data, dict):
        raise InputError("a document is an object with text or words, and clusters")
    id = next((str(data[key]) for key in _IDS if data.get(key) not in (None, "")), name)
    text = data.get("text")
    if isinstance(text, str):
        document = Document(id, text)
        given = _spacy(data) if isinstance(data.get("spans"), dict) else _given(data)
        clusters = [[_within(one, len(text), "text") for one in cluster] for cluster in given]
    else:
        text, tokens, sentences = compose(_sentences(data))
        document = Document(id, text).with_layer(TOKENS, tokens, _MADE)
        if "sentences" in data:
            document = document.with_layer(SENTENCES, sentences, _MADE)
        clusters = []
        for cluster in _given(data):
            places = [_within((a, b + 1), len(tokens), "words") for a, b in cluster]
            clusters.append([(tokens[a].start, tokens[b - 1].end) for a, b in places])
    chains = [
        Chain(f"{id}#{number}", tuple(Mention(*one) for one in sorted(set(cluster))))
        for number, cluster in enumerate(clusters, start=1)
        if cluster
    ]
    return document.with_layer(CHAINS, chains, _MADE)


def _given(data: dict[str, Any]) -> list[Cluster]:
    """The clusters as they were given; raises where there are none, or they are something else."""
    key = next((key for key in _CLUSTERS if key in data), None)
    if key is None:
        raise InputError("it has no 'clusters'")
    return [_cluster(one, key) for one in _listed(data[key], key)]


def _spacy(data: dict[str, Any]) -> list[Cluster]:
    groups = {name: one for name, one in data["spans"].items() if name.startswith(_SPACY)}
    return [_cluster(one, name) for name, one in sorted(groups.items(), key=_numbered)]


def _numbered(group: tuple[str, Any]) -> tuple[int, str]:
    number = group[0].rpartition("_")[2]
    return (int(number) if number.isdigit() else 0), group[0]


def _cluster(given: Any, key: str) -> Cluster:
    found: Cluster = []
    for one in _listed(given, key):
        pair = [one.get("start"), one.get("end")] if isinstance(one, dict) else one
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(n) is int for n in pair):
            raise InputError(f"a mention in '{key}' is {one!r}, not two whole numbers")
        found.append((pair[0], pair[1]))
    return found


def _listed(given: Any, key: str) -> list[Any]:
    if not isinstance(given, list):
        raise InputError(f"'{key}' is {given!r}, not a list")
    return given


def _sentences(data: dict[str, Any]) -> list[Sequence[str]]:
    words = next((data[key] for key in _WORDS if key in data), None)
    given = data.get("sentences", [words])
    if words is None and "sentences" not in data:
        raise InputError("it has neither 'text' nor words ('tokens', 'words' or 'sentences')")
    for sentence in _listed(given, "sentences"):
        for word in _listed(sentence, "words"):
            if not isinstance(word, str) or not word.strip():
                raise InputError(f"a word is {word!r}")
    return [sentence for sentence in given if sentence]


def _within(span: tuple[int, int], length: int, what: str) -> tuple[int, int]:
    if not 0 <= span[0] < span[1] <= length:
        raise InputError(f"a mention from {span[0]} to {span[1]} in a document of {length} {what}")
    return span
