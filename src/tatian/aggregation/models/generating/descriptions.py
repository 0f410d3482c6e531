"""What the first sentence of a description says an entity is, for pages that have no facts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tatian.aggregation.models.generating import tables
from tatian.aggregation.models.generating.lattice import ancestors, nouns
from tatian.aggregation.models.generating.trait import Key, Trait
from tatian.aggregation.models.generating.wording import adjective, adjectives

_DEFINITION = re.compile(r"\b(?:is|was|are|were)\s+(?:(?:an?|the|one\s+of\s+the)\s+)?(.+)", re.S)
_END = re.compile(r"[.;:(]|\s(?:who|which|that|whose|known|born|best|based|located)\s")
_BY_PLACE = re.compile(r"\b(?:of|in|from)\s+(?:the\s+)?((?:[A-Z][\w.]*\s?)+)")
_WORD = re.compile(r"[\w'.-]+")
_PREPOSITION = re.compile(r"\s(?:in|of|from|for|at|to|with|by|on|under|during)\s")
_LONGEST = 3
_REACH = 200


def traits_in(text: str) -> dict[Key, Trait]:
    """Nouns of the lattice and nationalities in the sentence that says what something is."""
    defined = _DEFINITION.search(text[:_REACH])
    said = _END.split(defined[1] if defined else text[:_REACH])[0]
    found: dict[Key, Trait] = {}
    for trait in (*_before(said), *_places(said)):
        found.setdefault(trait.key, trait)
    return found


def _before(said: str) -> Iterator[Trait]:
    """What stands before the first preposition: ``French politician and lawyer``."""
    words = _WORD.findall(_PREPOSITION.split(said)[0])
    start = 0
    while start < len(words):
        for length in range(min(_LONGEST, len(words) - start), 0, -1):
            words_here = " ".join(words[start : start + length])
            noun = tables.SAME.get(words_here.lower(), words_here.lower())
            noun = noun if noun in nouns() else words_here
            if noun in nouns():
                for above, depth in ancestors(noun).items():
                    yield Trait("noun", above, f"described as “{words_here}”", depth=depth)
                break
            if words_here in adjectives():
                yield Trait("nation", words_here, f"described as “{words_here}”")
                break
        else:
            length = 1
        start += length


def _places(said: str) -> Iterator[Trait]:
    for place in _BY_PLACE.findall(said):
        name = place.strip().removesuffix(" of America")
        if adjective(name):
            yield Trait("nation", adjective(name), f"described as of {name}")
