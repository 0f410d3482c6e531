"""What ``itsrdf:taClassRef`` says of a mention: its type, and VoxEL's form and overlap."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, unquote

VOXEL = "el:"
"""VoxEL never declares this prefix; its file has it as it is."""
DBPEDIA = "http://dbpedia.org/ontology/"
_VOXEL_TYPES = "mnt:"
TYPES = {"Person": "PER", "Place": "LOC", "Location": "LOC", "Organisation": "ORG"}
TYPES |= {"Organization": "ORG", "Miscellany": "MISC"}
_TYPE_PLACES = (DBPEDIA, "http://schema.org/", "http://nerd.eurecom.fr/ontology#", _VOXEL_TYPES)
ONTOLOGY = {"PER": "Person", "LOC": "Place", "ORG": "Organisation"}
TAGS = {
    "Mnt-Full": "form:full",
    "Mnt-Short": "form:short",
    "Mnt-Alias": "form:alias",
    "Mnt-CommonForm": "form:common",
    "Mnt-ProForm": "form:pronoun",
    "Mnt-NumericTemporal": "form:numeric",
    "Olp-None": "overlap:none",
    "Olp-Minimal": "overlap:min",
    "Olp-Intermediate": "overlap:mid",
    "Olp-Maximal": "overlap:max",
}
CLASSES = {tag: VOXEL + name for name, tag in TAGS.items()}
_NAMES = {"form:full", "form:short", "form:alias"}
_KINDS = {"PoS-": "pos:", "Ref-": "ref:"}
_CLASS = "class:"
_ANSWERS = {"yes": True, "no": False, "unknown": None}
_OURS = "https://tatian.invalid/class/"
"""For what no ontology has a class for."""


def described(classes: Iterable[str]) -> tuple[str, bool | None, tuple[str, ...]]:
    """The type, whether it is a name (None where no class says so), and the tags."""
    type = ""
    named = ""
    tags: list[str] = []
    for one in classes:
        kind, _, value = unquote(one.removeprefix(_OURS)).partition("/")
        known = value if one.startswith(_OURS) and kind == "type" else _type(one)
        if one.startswith(_OURS) and kind == "named":
            named = value
        elif known:
            type = type or known
        else:
            tags.append(value if one.startswith(_OURS) else _tag(one))
    forms = {tag for tag in tags if tag in CLASSES and tag.startswith("form:")}
    said = bool(forms & _NAMES) if forms else None
    return type, _ANSWERS.get(named, said), tuple(dict.fromkeys(tags))


def _type(uri: str) -> str:
    for start in _TYPE_PLACES:
        if uri.startswith(start):
            return TYPES.get(uri.removeprefix(start), "")
    return ""


def _tag(uri: str) -> str:
    name = uri.rpartition("#")[2] if "#" in uri else uri.removeprefix(VOXEL)
    if name in TAGS:
        return TAGS[name]
    for start, kind in _KINDS.items():
        if name.startswith(start):
            return kind + name.removeprefix(start)
    return _CLASS + uri


def classes(type: str, named: bool | None, tags: Iterable[str]) -> list[str]:
    """The classes that `described` reads as that type, that answer and those tags."""
    found = [_class_of(tag) for tag in tags]
    if type:
        found.insert(0, DBPEDIA + ONTOLOGY[type] if type in ONTOLOGY else _ours("type", type))
    if named != described(found)[1]:
        found.append(_ours("named", next(one for one, is_so in _ANSWERS.items() if is_so is named)))
    return found


def _class_of(tag: str) -> str:
    if tag in CLASSES:
        return CLASSES[tag]
    if tag.startswith(_CLASS) and _tag(tag.removeprefix(_CLASS)) == tag:
        return tag.removeprefix(_CLASS)
    for start, kind in _KINDS.items():
        rest = tag.removeprefix(kind)
        if tag.startswith(kind) and rest.isidentifier():
            return VOXEL + start + rest
    return _ours("tag", tag)


def _ours(kind: str, value: str) -> str:
    return f"{_OURS}{kind}/{quote(value, safe='')}"
