"""The data of the edit model as one file: parsed sentences, real unions, joined sentences.

The file is gzip over one MessagePack map, the fields of `EditData` by name. A tree is an array
``[words, tags, heads, relations]`` of four arrays of the same length (universal tags and relations;
a head is the place of a word in the same sentence, -1 for the root). A union is an array of three
trees: first sentence, second sentence, their union; unions keep the order of the rows they come
from, because folds are told by it. A joined pair is an array of three arrays of words in the same
order. Synonyms map a word in lower case to words that stand near it in the embedding table. The
same input gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from tatian.training.packed import read_packed, write_packed

SCHEMA = 1


class Tree(Struct, frozen=True, array_like=True):
    """A parsed sentence."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    """-1 for the root."""
    relations: tuple[str, ...]


class Told(Struct, frozen=True, array_like=True):
    """Two sentences and their union, as words."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    union: tuple[str, ...]


class Union(Struct, frozen=True, array_like=True):
    """Two sentences and their union, as trees."""

    first: Tree
    second: Tree
    union: Tree

    @property
    def told(self) -> Told:
        """The words alone."""
        return Told(self.first.words, self.second.words, self.union.words)


class EditData(Struct, frozen=True):
    """Everything that the edit model is trained on, the ranker's texts excepted."""

    trees: list[Tree]
    """Sentences to cut down in two ways."""
    unions: list[Union]
    """Written by people."""
    joined: list[Told]
    """Sentences that people split in two."""
    synonyms: dict[str, tuple[str, ...]]
    analyser: str = ""
    """Which training of the encoder parsed them."""
    schema: int = SCHEMA


def write_data(data: EditData, path: Path) -> None:
    """Write the file; equal data make equal files."""
    write_packed(data, path)


def read_data(path: Path) -> EditData:
    """The opposite of `write_data`."""
    return read_packed(path, EditData, SCHEMA, what="the edit model", command="edit-data")
