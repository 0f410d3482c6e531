"""The singular of a term, so that "students" finds Student without a dictionary of plurals."""

from __future__ import annotations

_IRREGULAR = {
    "children": "child",
    "feet": "foot",
    "geese": "goose",
    "leaves": "leaf",
    "lives": "life",
    "men": "man",
    "mice": "mouse",
    "people": "person",
    "teeth": "tooth",
    "wives": "wife",
    "wolves": "wolf",
    "women": "woman",
}
_NEVER = ("ss", "us", "is")
"""Endings of words that are no plurals: class, virus, analysis."""
_HISSES = ("ches", "shes", "sses", "xes", "zes")


def singulars(term: str) -> tuple[str, ...]:
    """What `term` may be the plural of, the likeliest first; `term` is in normal form."""
    before, space, last = term.rpartition(" ")
    return tuple(before + space + word for word in _words(last))


def _words(word: str) -> tuple[str, ...]:
    if word in _IRREGULAR:
        return (_IRREGULAR[word],)
    for plural in ("women", "men"):
        if word.endswith(plural) and len(word) > len(plural) + 2:
            return (word.removesuffix("en") + "an",)
    if not word.endswith("s") or len(word) < 4 or word.endswith(_NEVER):
        return ()
    if word.endswith("ies"):
        return (word[:-3] + "y", word[:-1])
    if word.endswith(_HISSES):
        return (word[:-2], word[:-1])
    if word.endswith("oes"):
        return (word[:-2], word[:-1])
    if word.endswith("yses"):
        return (word[:-2] + "is", word[:-1])
    return (word[:-1],)
