"""A response with some of its errors put right."""

from __future__ import annotations

from collections.abc import Iterable

from tatian.coreference.diff.result import KINDS, ChainError, DocumentDiff, Kind
from tatian.text import Chain, Mention


def mended(compared: DocumentDiff, kinds: Iterable[Kind] = tuple(KINDS)) -> tuple[Chain, ...]:
    """The chains of the response after the steps of these kinds.

    After all steps they are those of the key, without optional mentions that were not found.
    """
    work = _Work(compared)
    chosen = set(kinds)
    for error in compared.errors:
        if error.kind in chosen:
            work.step(error)
    return work.chains()


class _Work:
    """The mentions of the response while they move between numbered chains."""

    def __init__(self, compared: DocumentDiff) -> None:
        self._key = compared.key
        self._response = compared.response
        self._number = len(compared.response.chains)
        self._chain = {index: one.chain for index, one in enumerate(compared.response.mentions)}
        self._mention = {index: one.mention for index, one in enumerate(compared.response.mentions)}
        self._added: list[tuple[int, Mention]] = []

    def step(self, error: ChainError) -> None:
        """Take one step towards the key."""
        if error.kind == "span":
            self._mention[error.response[0]] = self._key.mentions[error.key[0]].mention
        elif error.kind in ("extra-entity", "extra-mention"):
            for index in error.response:
                del self._chain[index]
        else:
            chain = self._new() if error.target is None else self._chain[error.target]
            for index in error.response:
                self._chain[index] = chain
            if not error.response:
                self._added += [(chain, self._key.mentions[index].mention) for index in error.key]

    def _new(self) -> int:
        self._number += 1
        return self._number - 1

    def chains(self) -> tuple[Chain, ...]:
        """What there is now, in the order of the text."""
        groups: dict[int, list[Mention]] = {}
        for index, chain in self._chain.items():
            groups.setdefault(chain, []).append(self._mention[index])
        for chain, mention in self._added:
            groups.setdefault(chain, []).append(mention)
        return tuple(
            Chain(self._name(number), tuple(sorted(mentions, key=_place)))
            for number, mentions in sorted(groups.items(), key=lambda g: min(map(_place, g[1])))
        )

    def _name(self, number: int) -> str:
        known = self._response.chains
        return known[number].id if number < len(known) else f"mended-{number - len(known) + 1}"


def _place(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end
