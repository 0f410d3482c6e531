"""A small bundle with its facts, invented for these tests."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from tatian.corpora.bundles import Bundle

MILL: dict[str, Any] = {
    "id": "mill",
    "accounts": [
        {
            "id": "A",
            "name": "evening-post",
            "sentences": [
                "Posted at noon today",
                "A fire destroyed the old mill in Dunby on Monday.",
                "Nobody was hurt, said Mr. Pell, the fire chief.",
                '"We came too late," he said.',
            ],
        },
        {
            "id": "B",
            "name": "valley-radio",
            "sentences": [
                "The old mill of Dunby burned down in a fire.",
                "It was built in 1820; its owner, Ada Finch, wants to build it again.",
            ],
        },
    ],
    "noise": ["A.0"],
    "facts": [
        {
            "id": "f1",
            "text": "A fire destroyed the old mill in Dunby.",
            "sources": ["A.1", "B.0"],
            "keys": [["mill"], ["Dunby"], ["fire"]],
            "importance": 3,
        },
        {
            "id": "f2",
            "text": "It was on Monday.",
            "sources": ["A.1"],
            "keys": [["fire"], ["Monday"]],
            "importance": 1,
        },
        {
            "id": "f3",
            "text": "Nobody was hurt.",
            "sources": ["A.2"],
            "keys": [["nobody", "no one"], ["hurt"]],
            "importance": 2,
        },
        {
            "id": "f4",
            "text": "The fire chief said that they came too late.",
            "sources": ["A.3"],
            "keys": [["“We came too late"]],
            "importance": 1,
        },
        {
            "id": "f5",
            "text": "It was built in 1820.",
            "sources": ["B.1"],
            "keys": [["built in 1820"]],
            "importance": 1,
        },
    ],
    "conflicts": [
        {"about": "nothing", "claims": [{"value": "much", "sources": ["A.1"]}], "resolved": None}
    ],
    "reference": [
        {
            "text": "A fire destroyed the old mill of Dunby, built in 1820, on Monday.",
            "facts": ["f1", "f2"],
            "sources": ["A.1", "B.1"],
        },
        {"text": "Nobody was hurt.", "facts": ["f3"], "sources": ["A.2"]},
        {"text": '"We came too late," said Pell.', "facts": ["f4"], "sources": ["A.3"]},
    ],
}


def mill(**changes: Any) -> dict[str, Any]:
    """The bundle as plain data, with other values in these fields."""
    return deepcopy(MILL) | changes


def bundle(**changes: Any) -> Bundle:
    """The same as a bundle."""
    return msgspec.convert(mill(**changes), Bundle)


def written(path: Path, *records: dict[str, Any], lines: bool = False) -> str:
    """The file with these records in it: one on each line, or one alone over many lines."""
    texts = [json.dumps(one, indent=None if lines else 1) for one in records]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return str(path)
