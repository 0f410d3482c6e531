"""Hooks by which later steps choose the words for entities: one by one, or several at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import NAMES, Source, WovenToken, tokenize
from tatian.union.models import Passage


class Entity(Struct, frozen=True):
    """What a place in an account names, and how its name is written."""

    id: str
    start: int
    end: int
    """The extent of the name in that account."""
    full: str
    short: str


Namer = Callable[[Source], Entity | None]
"""Coreference, asked about one word: the entity it names, if it belongs to a name."""
Lister = Callable[[tuple[str, ...]], str | None]
"""Aggregation, asked about a list of names: what names them all, or None to leave the list."""


def renamed(tokens: Sequence[WovenToken], namer: Namer) -> tuple[WovenToken, ...]:
    """Every entity by its full name where it stands first, by its short name after that.

    What stands in quotation marks is left alone.
    """
    result: list[WovenToken] = []
    seen: set[str] = set()
    index = 0
    while index < len(tokens):
        entity = _entity(tokens[index], namer)
        end = index + 1
        while entity and end < len(tokens) and _entity(tokens[end], namer) == entity:
            end += 1
        run = list(tokens[index:end])
        if entity and not any(token.quoted for token in run):
            run = _written(run, entity.short if entity.id in seen else entity.full)
        if entity:
            seen.add(entity.id)
        result += run
        index = end
    return tuple(result)


def _entity(token: WovenToken, namer: Namer) -> Entity | None:
    return namer(token.sources[0]) if token.sources else None


def _written(run: Sequence[WovenToken], name: str) -> list[WovenToken]:
    """The run in other words, all of them standing for the same places."""
    words = [token.text for token in tokenize(name)]
    if words == [token.text for token in run]:
        return list(run)
    behind = tuple(replace(s, kind="substituted") for token in run for s in token.sources)
    kept = {token.text: token for token in run}
    first = run[0].space
    return [
        replace(kept[word], space=index > 0 or first)
        if word in kept
        else WovenToken(word, behind, index > 0 or first)
        for index, word in enumerate(words)
    ]


def listed(
    tokens: Sequence[WovenToken], told: Sequence[Passage], lister: Lister
) -> tuple[WovenToken, ...]:
    """A list of names by one phrase, where the lister knows one: "Ann, Bob and Cy"."""
    names = {
        (p.document.id, token.start): (name.start, name.end)
        for p in told
        if p.document.has(NAMES)
        for name in p.document.inside(NAMES, p.span)
        for token in p.document.tokens_in(name)
    }
    result = list(tokens)
    for start, end, found in reversed(list(_lists(tokens, names))):
        phrase = lister(found)
        if phrase is None or any(token.quoted for token in tokens[start:end]):
            continue
        behind = tuple(
            replace(source, kind="aggregated")
            for token in tokens[start:end]
            for source in token.sources
        )
        written = [WovenToken(token.text, behind) for token in tokenize(phrase)]
        result[start:end] = [replace(written[0], space=tokens[start].space), *written[1:]]
    return tuple(result)


def _lists(
    tokens: Sequence[WovenToken], names: dict[tuple[str, int], tuple[int, int]]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Stretches of names with only commas and "and" between them, two names at least."""
    runs = _runs(tokens, names)
    index = 0
    while index < len(runs):
        last = index
        while last + 1 < len(runs) and _linked(tokens[runs[last][1] : runs[last + 1][0]]):
            last += 1
        if last > index:
            found = tuple(" ".join(t.text for t in tokens[a:b]) for a, b in runs[index : last + 1])
            yield runs[index][0], runs[last][1], found
        index = last + 1


def _runs(
    tokens: Sequence[WovenToken], names: dict[tuple[str, int], tuple[int, int]]
) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    held: tuple[int, int] | None = None
    for index, token in enumerate(tokens):
        source = token.sources[0] if token.sources else None
        name = names.get((source.document, source.start)) if source else None
        if name is not None and name == held and runs and runs[-1][1] == index:
            runs[-1] = (runs[-1][0], index + 1)
        elif name is not None:
            runs.append((index, index + 1))
        held = name
    return runs


def _linked(between: Sequence[WovenToken]) -> bool:
    words = [token.text.lower() for token in between]
    return words in ([","], ["and"], [",", "and"])
