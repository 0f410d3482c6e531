"""Readers of the training data: treebanks, names and entailment pairs in their own formats."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, structs

from tatian.errors import InputError
from tatian.formats.conllu import ConlluRow, blocks, value
from tatian.text.lexicon import word_set
from tatian.training.lists import LISTS
from tatian.union.data import read

ENTAILMENT = ("entailment", "neutral", "contradiction")
KINDS = ("PER", "LOC", "ORG", "MISC")
NAME_LABELS = ("O", *(f"{prefix}-{kind}" for kind in KINDS for prefix in "BI"))
IGNORED = "?"
"""Name label of words whose annotation is unknown."""

_KIND_OF = {
    "person": "PER",
    "location": "LOC",
    "corporation": "ORG",
    "group": "ORG",
    "product": "MISC",
    "creative-work": "MISC",
    "OTH": "MISC",
    **{kind: kind for kind in KINDS},
}


class TreebankWord(Struct, frozen=True):
    """A word of a treebank."""

    form: str
    lemma: str
    upos: str
    xpos: str
    features: str
    head: int
    relation: str
    entity: str = ""
    """The value of ``Entity=`` in the last column (CorefUD)."""


class LabelledSentence(Struct, frozen=True):
    """A sentence with a tree, names, or both."""

    id: str
    forms: tuple[str, ...]
    words: tuple[TreebankWord, ...] = ()
    """Words of the tree; empty without one."""
    names: tuple[str, ...] = ()
    """BIO labels; empty without annotation of names."""
    all_kinds: bool = True
    """True if MISC is annotated too, not only persons, places and organisations."""
    style: int = 0
    """Number of the treebank, for differences in annotation."""


class EntailmentPair(Struct, frozen=True):
    """A premise and a hypothesis with their label."""

    premise: str
    hypothesis: str
    label: str
    source: str


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a text file, which may be compressed."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file)


def read_treebank(path: Path) -> list[LabelledSentence]:
    """Read the sentences of a CoNLL-U file, without multiword and empty tokens."""
    sentences: list[LabelledSentence] = []
    for block in blocks(lines_of(path), str(path)):
        name = block.frame.comment("sent_id") or ""
        headless = next((row.form for row in block.rows if row.head is None), None)
        if headless is not None:
            raise InputError(f"sentence '{name}': '{headless}' has no head", path=str(path))
        words = tuple(_word(row) for row in block.rows)
        sentences.append(LabelledSentence(name, tuple(word.form for word in words), words))
    return sentences


def _word(row: ConlluRow) -> TreebankWord:
    entity, head = value(row.misc, "Entity="), row.head or 0
    return TreebankWord(
        row.form, row.lemma, row.tag, row.fine, row.features, head, row.relation, entity
    )


def read_names(path: Path, *, all_kinds: bool = True) -> list[LabelledSentence]:
    """Read the sentences of a file with a word and its name label per line.

    The file has the five columns of UNER or the two of CoNLL, in BIO or IOB1.
    """
    sentences: list[LabelledSentence] = []
    forms: list[str] = []
    labels: list[str] = []
    name = ""
    for line in [*lines_of(path), ""]:
        if line.startswith("# sent_id"):
            name = line.partition("=")[2].strip()
        elif line.startswith("# ") and "=" in line:
            continue
        elif line.strip():
            columns = line.split("\t") if "\t" in line else line.rsplit(" ", 1)
            form, label = columns[1:3] if len(columns) > 2 else columns
            forms.append(form)
            labels.append(_name_label(label))
        elif forms:
            identity = name or f"{path.name}-{len(sentences) + 1}"
            if forms != ["-DOCSTART-"]:
                bio = tuple(convert_to_bio(labels))
                sentences.append(LabelledSentence(identity, tuple(forms), (), bio, all_kinds))
            forms, labels = [], []
    return sentences


def _name_label(label: str) -> str:
    if label == "O":
        return label
    prefix, _, kind = label.partition("-")
    return f"{prefix}-{_KIND_OF[kind]}" if kind in _KIND_OF else IGNORED


def convert_to_bio(labels: list[str]) -> Iterator[str]:
    """Convert IOB1 or BIO to BIO, where every name begins with ``B-``."""
    previous = "O"
    for label in labels:
        if label.startswith("I-") and previous[1:] != label[1:]:
            yield f"B-{label[2:]}"
        else:
            yield label
        previous = label


def with_names(
    trees: list[LabelledSentence], named: list[LabelledSentence]
) -> list[LabelledSentence]:
    """Join trees and names of the same sentences; unmatched ones are kept as they are."""
    unmatched = {sentence.id: sentence for sentence in named}
    joined: list[LabelledSentence] = []
    for tree in trees:
        same = unmatched.get(tree.id)
        if same and same.forms == tree.forms:
            tree = structs.replace(tree, names=same.names, all_kinds=same.all_kinds)
            del unmatched[tree.id]
        joined.append(tree)
    return [*joined, *unmatched.values()]


def read_pairs(path: Path) -> list[EntailmentPair]:
    """Read entailment pairs from JSONL."""
    pairs: list[EntailmentPair] = []
    for number, line in enumerate(lines_of(path), start=1):
        pairs.append(msgspec.json.decode(line, type=EntailmentPair))
        if pairs[-1].label not in ENTAILMENT:
            raise InputError(f"label '{pairs[-1].label}'", path=str(path), line=number)
    return pairs


class SentenceUnion(Struct, frozen=True):
    """Two sentences and their union."""

    sources: tuple[str, ...]
    merged: str


def read_unions(path: Path) -> list[SentenceUnion]:
    """Read the Sentence Union data."""
    return [SentenceUnion(row.sentences, row.merged or "") for row in read(path)]


NON_COMMERCIAL_GENRES = frozenset("essay fiction letter podcast reddit whow".split())
PUBLIC_DOMAIN = frozenset(("GUM_fiction_moon", "GUM_fiction_time"))
"""Documents of `NON_COMMERCIAL_GENRES` that are in the public domain, by Lovecraft and Wells."""
NON_COMMERCIAL_PAIRS = frozenset(("sick",))
"""Sources of entailment pairs with a non-commercial licence."""


def has_free_licence(name: str) -> bool:
    """Return whether a document of GUM, or a sentence named after it, has a free licence."""
    document = name.partition("-")[0]
    genre = document.split("_")[1] if document.startswith("GUM_") else ""
    return genre not in NON_COMMERCIAL_GENRES or document in PUBLIC_DOMAIN


T = TypeVar("T")


def write_packed(data: Any, path: Path) -> None:
    """Write data as gzipped MessagePack; equal data give equal files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(msgspec.msgpack.encode(data), mtime=0))


def read_packed(path: Path, kind: type[T], what: str, command: str, schema: int | None = None) -> T:
    """Read a file of `write_packed`; errors name the expected content and the command for it."""
    try:
        data = msgspec.msgpack.decode(gzip.decompress(path.read_bytes()), type=kind)
    except (OSError, EOFError, zlib.error, msgspec.DecodeError) as error:
        raise InputError(
            f"not {what} ({error}): make it with 'python -m tatian.training {command}'",
            path=str(path),
        ) from error
    if (schema_found := getattr(data, "schema", None)) != schema:
        raise InputError(f"schema {schema_found} where {schema} is read", path=str(path))
    return data


_FUNCTION_WORDS = word_set(LISTS["function words"])
_EDGE_PUNCTUATION = re.compile(r"^\W+|\W+$")


def stem(word: str) -> str:
    """Return a word in lower case without surrounding punctuation and common endings."""
    lower = _EDGE_PUNCTUATION.sub("", word).lower().removesuffix("'s").removesuffix("’s")
    for ending in ("ing", "ed", "es", "s", "ly"):
        if len(lower) > len(ending) + 3 and lower.endswith(ending):
            return lower[: -len(ending)]
    return lower


def content_stems(text: str) -> set[str]:
    """Return the stems of the content words of a text."""
    return {stem(word) for word in text.split()} - _FUNCTION_WORDS - {""}


def read_config(path: Path, kind: type[T], missing: str = "no configuration") -> T:
    """Read settings from a JSON file; `missing` begins the error message."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{missing}: {reason}", path=str(path)) from error


def show(result: Any) -> None:
    """Print the result of a step as JSON."""
    print(msgspec.json.format(msgspec.json.encode(result), indent=2).decode())


def show_every(stage: str, done: int, total: int) -> None:
    """Print a line of progress for every 5000 sentences."""
    if done % 5000 == 0:
        print(f"{stage}: {done}", flush=True)
