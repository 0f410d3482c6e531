"""Sets of entities with their phrases, stored as vectors and hashes instead of text.

Vectors are projected to fewer dimensions and stored as integers. The hashes are of entities' names,
of phrases, and of the head nouns of phrases.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from tatian.aggregation.data.records import Instance
from tatian.grouping import grouped
from tatian.text.content import stem

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Encode = Callable[[Sequence[str]], Floats]
"""Returns the sentence vectors of texts, a row each."""
DIMENSIONS = 128
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ARRAYS = "projection sets phrases entities phrase_keys head_keys entity_keys".split()
_LISTS = ("phrase_sets", "entity_sets", "set_phrases")


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text."""
    return [stem(word) for word in _WORD.findall(text.lower())]


def key(text: str) -> int:
    """Return a case-insensitive hash of a text."""
    digest = hashlib.blake2b(text.strip().lower().encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def head_key(phrase: str) -> int:
    """Return the key of a phrase's last word, stemmed."""
    return key("head " + (stems(phrase)[-1:] or [""])[0])


class Memory:
    """Phrases that named sets of entities in a training corpus."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        of_lists = (f"{name}_{part}" for name in _LISTS for part in ("ends", "items"))
        self._arrays = {name: arrays[name] for name in (*_ARRAYS, *of_lists)}
        self._projection: Floats = arrays["projection"].astype(np.float32)
        self.sets = _normalise(arrays["sets"].astype(np.float32))
        self.phrases = _normalise(arrays["phrases"].astype(np.float32))
        self.entities = _normalise(arrays["entities"].astype(np.float32))
        self.phrase_sets, self.entity_sets, self.set_phrases = (
            np.split(arrays[f"{name}_items"], arrays[f"{name}_ends"][1:-1]) for name in _LISTS
        )
        self._phrase = {int(hashed): index for index, hashed in enumerate(arrays["phrase_keys"])}
        self._entity = {int(hashed): index for index, hashed in enumerate(arrays["entity_keys"])}
        self._heads = grouped((int(key), index) for index, key in enumerate(arrays["head_keys"]))

    @classmethod
    def of(cls, instances: Sequence[Instance], encode: Encode) -> Memory:
        """Build the memory of a training corpus."""
        phrases = list(dict.fromkeys(phrase for item in instances for phrase in item.aggregations))
        spelled: dict[str, str] = {}
        for entity in (e for instance in instances for e in instance.entities):
            spelled.setdefault(entity.lower(), entity)
        entities = list(spelled)
        phrase_index = {phrase: index for index, phrase in enumerate(phrases)}
        sets_named_by: list[list[int]] = [[] for _ in phrases]
        sets_with_entity: list[list[int]] = [[] for _ in entities]
        entity_index = {entity: index for index, entity in enumerate(entities)}
        for index, item in enumerate(instances):
            for phrase in dict.fromkeys(item.aggregations):
                sets_named_by[phrase_index[phrase]].append(index)
            for entity in dict.fromkeys(e.lower() for e in item.entities):
                sets_with_entity[entity_index[entity]].append(index)
        set_vectors = encode([", ".join(instance.entities) for instance in instances])
        phrase_vectors = encode(phrases)
        entity_vectors = encode(list(spelled.values()))
        _, _, directions = np.linalg.svd(
            np.concatenate([set_vectors, phrase_vectors]), full_matrices=False
        )
        projection = directions[:DIMENSIONS].T.astype(np.float16)
        lists = {
            "phrase_sets": sets_named_by,
            "entity_sets": sets_with_entity,
            "set_phrases": [
                [phrase_index[a] for a in instance.aggregations] for instance in instances
            ],
        }
        arrays: dict[str, npt.NDArray[Any]] = {
            "projection": projection,
            "sets": _quantise(set_vectors @ projection.astype(np.float32)),
            "phrases": _quantise(phrase_vectors @ projection.astype(np.float32)),
            "entities": _quantise(entity_vectors @ projection.astype(np.float32)),
            "phrase_keys": np.array([key(phrase) for phrase in phrases], dtype=np.uint64),
            "head_keys": np.array([head_key(phrase) for phrase in phrases], dtype=np.uint64),
            "entity_keys": np.array([key(entity) for entity in entities], dtype=np.uint64),
        }
        for name, members in lists.items():
            arrays[f"{name}_ends"] = np.cumsum([0, *map(len, members)], dtype=np.int32)
            arrays[f"{name}_items"] = np.array([*chain.from_iterable(members)], dtype=np.int32)
        return cls(arrays)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all arrays to save."""
        return self._arrays

    def projected(self, vectors: Floats) -> Floats:
        """Return sentence vectors projected and rounded as those in the memory."""
        return _normalise(_quantise(vectors @ self._projection).astype(np.float32))

    def sets_named_by(self, phrase: str) -> Ints:
        """Return the numbers of the sets with this phrase."""
        index = self._phrase.get(key(phrase))
        return self.phrase_sets[index] if index is not None else np.zeros(0, dtype=np.int32)

    def sets_with_head(self, phrase: str) -> Ints:
        """Return the numbers of the sets of all phrases with the same head noun."""
        sets = [self.phrase_sets[index] for index in self._heads.get(head_key(phrase), ())]
        return np.concatenate(sets) if sets else np.zeros(0, dtype=np.int32)

    def sets_with_entity(self, entity: str) -> Ints:
        """Return the numbers of the sets that contain this entity."""
        index = self._entity.get(key(entity))
        return self.entity_sets[index] if index is not None else np.zeros(0, dtype=np.int32)


def _normalise(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    normalised: Floats = rows / np.maximum(lengths, 1e-9)
    return normalised


def _quantise(rows: Floats) -> npt.NDArray[np.int8]:
    largest = np.maximum(np.abs(rows).max(axis=-1, keepdims=True), 1e-9)
    steps: npt.NDArray[np.int8] = np.rint(rows * (127 / largest)).astype(np.int8)
    return steps
