"""Links made into groups, the likeliest first, so that different people stay apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

Pair = tuple[int, int, float]
"""Anaphor and antecedent, by their head words, and the probability of the link."""
PersonName = frozenset[str]
"""The telling words of a person's name."""
Options = tuple[int, Sequence[tuple[int, float]]]
"""An anaphor and its antecedents with their probabilities, the likeliest first."""


class _Group(Struct):
    """What is known of those in a group."""

    names: set[PersonName]
    genders: set[int]


class Clusters:
    """Words in groups that grow by links."""

    def __init__(
        self,
        people: Mapping[int, PersonName] | None = None,
        gender: Mapping[int, int] | None = None,
    ) -> None:
        """`people` are words that stand for persons by name, each with that name.

        `gender` says which words are of a man, and which of a woman.
        """
        self._people = people or {}
        self._gender = gender or {}
        self._above: dict[int, int] = {}
        self._known: dict[int, _Group] = {}

    def add(self, word: int) -> int:
        """Make sure a word is in a group; the first word of that group, for now."""
        if word not in self._above:
            self._above[word] = word
            self._known[word] = _Group(
                {self._people[word]} if word in self._people else set(),
                {self._gender[word]} if word in self._gender else set(),
            )
        while self._above[word] != word:
            self._above[word] = self._above[self._above[word]]
            word = self._above[word]
        return word

    def join(self, one: int, other: int) -> bool:
        """Make the groups of two words one; False where they cannot be the same person."""
        first, second = sorted((self.add(one), self.add(other)))
        if first == second:
            return True
        kept, gone = self._known[first], self._known[second]
        if _differ(kept.names, gone.names) or len(kept.genders | gone.genders) > 1:
            return False
        self._above[second] = first
        kept.names.update(gone.names)
        kept.genders.update(gone.genders)
        del self._known[second]
        return True

    def groups(self) -> list[list[int]]:
        """The groups by their first words, each in order."""
        found: dict[int, list[int]] = {}
        for word in sorted(self._above):
            found.setdefault(self.add(word), []).append(word)
        return list(found.values())


def compatible(options: Iterable[Options], clusters: Clusters) -> list[Pair]:
    """For each anaphor the likeliest antecedent that it can be joined with, in order.

    The anaphors that the model is surest of come first.
    """
    found: list[Pair] = []
    for anaphor, antecedents in sorted(options, key=lambda one: (-one[1][0][1], one[0])):
        for antecedent, probability in antecedents:
            if clusters.join(anaphor, antecedent):
                found.append((anaphor, antecedent, probability))
                break
    return sorted(found)


def _differ(some: Collection[PersonName], others: Collection[PersonName]) -> bool:
    """Whether any two names have no word in common."""
    return any(one.isdisjoint(other) for one in some for other in others)
