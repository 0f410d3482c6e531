"""The formats there are, those that are easiest to tell apart first."""

from __future__ import annotations

import re

from tatian.mentions.data.formats import Format


def _looks_like(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE | re.IGNORECASE)


_DATA = "tatian.mentions.data"
_LABELS = _looks_like(r'"(?:labels|evaluation_span)"\s*:\s*\[')
_MENTIONS = _looks_like(r'"mentions"\s*:\s*\[')
_FOUND = _looks_like(r'"answer"\s*:\s*\{\s*"mentions"')
_JUDGED = _looks_like(r'"answer"\s*:\s*\{\s*"verdicts"')
_TURTLE = _looks_like(r"^\s*@?(?:prefix|base)\s+\S*\s*<|nif-core#|\bnif:(?:isString|Context)\b")
_WORD_ROW = _looks_like(r"^1(-\d+)?(\t[^\t\n]*){9}$")
_DOCSTART = _looks_like(r"^-DOCSTART-")
_PROBLEM = _looks_like(r"\A\s*<ReferenceProblem>")
_HEADER = _looks_like(r'\A"?id"?,')


def _is_json(head: str) -> bool:
    return head.lstrip().startswith("{")


EVERYTHING = frozenset(
    "topic title part_of evaluated unlinked pages overlaps places score named type tags ids "
    "names".split()
)
"""All features (`tatian.mentions.data.features`), by name."""

FORMATS: tuple[Format, ...] = (
    Format(
        "elevant",
        "ELEVANT: articles with Wikidata ids, one a line",
        (".benchmark.jsonl",),
        f"{_DATA}.elevant:read",
        f"{_DATA}.elevant:write",
        lambda head: _is_json(head) and bool(_LABELS.search(head)) and not _MENTIONS.search(head),
        frozenset("title evaluated unlinked overlaps type tags ids names pages".split()),
    ),
    Format(
        "detections",
        "labelers' records of the first round, with their texts",
        (".detections.jsonl",),
        f"{_DATA}.rounds:read_detections",
        f"{_DATA}.rounds:write_detections",
        lambda head: _is_json(head) and bool(_FOUND.search(head)),
        frozenset("topic pages overlaps".split()),
    ),
    Format(
        "confirmations",
        "labelers' records of the second round, with their texts",
        (".confirmations.jsonl",),
        f"{_DATA}.rounds:read_confirmations",
        f"{_DATA}.rounds:write_confirmations",
        lambda head: _is_json(head) and bool(_JUDGED.search(head)),
        frozenset("topic pages overlaps".split()),
    ),
    Format(
        "jsonl",
        "Tatian's mentions, a text a line",
        (".jsonl", ".json"),
        f"{_DATA}.jsonl:read",
        f"{_DATA}.jsonl:write",
        _is_json,
        EVERYTHING,
    ),
    Format(
        "nif",
        "NIF 2.0 in Turtle (GERBIL, VoxEL)",
        (".ttl", ".nif"),
        f"{_DATA}.nif:read",
        f"{_DATA}.nif_writing:write",
        lambda head: bool(_TURTLE.search(head)),
        frozenset("topic title part_of unlinked pages overlaps score named type tags ids".split()),
    ),
    Format(
        "aida",
        "AIDA-CoNLL: a token a line",
        (".tsv", ".aida"),
        f"{_DATA}.aida:read",
        f"{_DATA}.aida:write",
        lambda head: bool(_DOCSTART.search(head)),
        frozenset({"unlinked"}),
    ),
    Format(
        "gum",
        "CoNLL-U with pages in Entity= (GUM)",
        (".conllu",),
        f"{_DATA}.gum:read",
        f"{_DATA}.gum_writing:write",
        lambda head: bool(_WORD_ROW.search(head)),
        frozenset("title overlaps type named tags".split()),
    ),
    Format(
        "aquaint",
        "AQUAINT: a directory or archive of texts and problems",
        (".htm",),
        f"{_DATA}.aquaint:read",
        f"{_DATA}.aquaint:write",
        lambda head: bool(_PROBLEM.search(head)),
        frozenset("unlinked overlaps pages ids".split()),
        files=f"{_DATA}.aquaint",
    ),
    Format(
        "csv",
        "the mention benchmark's lines of term#link, a text a row",
        (".csv",),
        f"{_DATA}.lines:read",
        f"{_DATA}.lines:write",
        lambda head: bool(_HEADER.search(head)),
        frozenset("topic pages overlaps".split()),
    ),
)
