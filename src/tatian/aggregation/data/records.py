"""Instances: sets of entities in context, with the phrases that name them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Literal

from msgspec import Struct

TYPES = ("person", "location", "organization")
"""Types of entities (TESA §3.1); all entities of a set have the same type."""
TYPE_OF_NAME = {"PER": "person", "LOC": "location", "ORG": "organization"}
"""Types of entities by the types of their names."""
MIN_ENTITIES, MAX_ENTITIES = 2, 6
"""Minimum and maximum number of entities of a set (TESA §3.1)."""
CANDIDATES = 24
"""TESA §4.2: number of phrases that a system ranks."""


class Instance(Struct, frozen=True, omit_defaults=True):
    """Entities of one type that a text mentions together, and the phrases that name them all.

    An instance of a dataset has `aggregations`; one of a task also has `candidates`, which include
    the gold phrases.
    """

    id: str
    entities: tuple[str, ...]
    type: str
    title: str = ""
    context: str = ""
    background: dict[str, str] = {}
    """Encyclopedic descriptions by entity; unknown entities are left out."""
    aggregations: tuple[str, ...] = ()
    """Gold phrases, in lower case, without determiner."""
    candidates: tuple[str, ...] = ()
    date: str = ""
    """ISO date of the text."""
    source: str = ""
    """Id of the document that it comes from."""
    mentions: dict[str, tuple[tuple[int, int], ...]] = {}
    """Mentions of each entity in the context: character offsets, end exclusive."""


Part = Literal["aggregations", "candidates", "background", "context"]
"""Optional parts of an instance, which some tasks need."""


def fold_phrase(phrase: str) -> str:
    """Return the phrase in folded case with single spaces, for comparison."""
    return " ".join(phrase.split()).casefold()


def check(instance: Instance, needs: Iterable[Part] = ()) -> Instance:
    """Return the instance unchanged; raise a ValueError that lists all its problems."""
    if reasons := "; ".join(problems(instance, needs)):
        raise ValueError(reasons)
    return instance


def problems(instance: Instance, needs: Iterable[Part] = ()) -> Iterator[str]:
    """Yield the problems of an instance, each with its field."""
    if not instance.id.strip():
        yield "id: empty"
    yield from _entities(instance.entities)
    if instance.type not in TYPES:
        yield f"type: '{instance.type}' is none of {', '.join(TYPES)}"
    yield from _phrases("aggregations", instance.aggregations)
    yield from _phrases("candidates", instance.candidates)
    if instance.candidates:
        yield from _unlisted(instance)
    for entity in instance.background:
        if entity not in instance.entities:
            yield f"background: of '{entity}', which is not among the entities"
    if instance.date and not _is_date(instance.date):
        yield f"date: '{instance.date}' is no ISO date, such as 2006-05-14"
    yield from _mentions(instance)
    for part in needs:
        yield from _find_missing(instance, part)


def _entities(entities: tuple[str, ...]) -> Iterator[str]:
    if not entities:
        yield "entities: none"
    elif len(entities) < MIN_ENTITIES:
        yield f"entities: only '{entities[0]}'; a set has at least {MIN_ENTITIES}"
    yield from _phrases("entities", entities)


def _phrases(field: str, phrases: tuple[str, ...]) -> Iterator[str]:
    seen: set[str] = set()
    for at, phrase in enumerate(phrases):
        folded = fold_phrase(phrase)
        if not folded:
            yield f"{field}[{at}]: empty"
        elif folded in seen:
            yield f"{field}[{at}]: '{phrase}' a second time"
        seen.add(folded)


def _unlisted(instance: Instance) -> Iterator[str]:
    listed = set(instance.candidates)
    for phrase in instance.aggregations:
        if phrase not in listed:
            yield f"aggregations: '{phrase}' is not among the candidates"


def _is_date(date: str) -> bool:
    """Return whether a text is a year, a month, a day or a moment in ISO 8601."""
    padded = date if len(date) > len("2006-05") else f"{date}-01-01"[: len("2006-05-14")]
    try:
        datetime.fromisoformat(padded)
    except ValueError:
        return False
    return True


def _mentions(instance: Instance) -> Iterator[str]:
    length = len(instance.context)
    for entity, spans in instance.mentions.items():
        if entity not in instance.entities:
            yield f"mentions: of '{entity}', which is not among the entities"
        for start, end in spans:
            if not 0 <= start < end <= length:
                yield f"mentions: {start} to {end} is not within the context's {length} characters"


def _find_missing(instance: Instance, part: Part) -> Iterator[str]:
    if part == "background":
        for entity in instance.entities:
            if not instance.background.get(entity, "").strip():
                yield f"background: nothing about '{entity}'"
    elif not getattr(instance, part):
        yield f"{part}: none"


MAX_ANSWERS = 2
"""Maximum number of phrases of an annotator's answer."""
_NO_ANSWER = frozenset({"n/a", "na"})


class AggregationAnswer(Struct, frozen=True):
    """One or two phrases for the set, or none when it cannot be named naturally (N/A)."""

    phrases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.phrases) > MAX_ANSWERS:
            raise ValueError(f"{len(self.phrases)} phrases: at most {MAX_ANSWERS} are asked for")
        if not all(phrase.strip() for phrase in self.phrases):
            raise ValueError("an empty phrase: leave it out")
        if any(phrase.strip().lower() in _NO_ANSWER for phrase in self.phrases):
            raise ValueError("N/A is given by having no phrases")
        if len({phrase.strip().lower() for phrase in self.phrases}) != len(self.phrases):
            raise ValueError("the same phrase twice")

    @property
    def not_applicable(self) -> bool:
        """True if the annotator found no natural phrase."""
        return not self.phrases


Input = Literal["background", "context", "entities"]
INPUTS: tuple[Input, ...] = ("background", "context", "entities")
"""Parts of the input; §6.1 leaves out one or two of them."""
INPUT_WORDS = 750
"""Number of last words of the input that the original code kept."""


def join_inputs(
    instance: Instance, inputs: Collection[Input] = INPUTS, *, words: int | None = INPUT_WORDS
) -> str:
    """Join background, ``title: excerpt`` and the names, as input of an encoder-decoder (§5.3).

    Entities without background add nothing. A long text keeps its last `words` words; None keeps
    all of them.
    """
    parts: list[str] = []
    if "background" in inputs:
        parts += [instance.background.get(entity, "") for entity in instance.entities]
    if "context" in inputs:
        parts.append(": ".join(part for part in (instance.title, instance.context) if part))
    if "entities" in inputs:
        parts.append(", ".join(instance.entities))
    tokens = " ".join(parts).split()
    return " ".join(tokens if words is None else tokens[max(0, len(tokens) - words) :])
