"""What annotators of coreference answer: marked phrases and links back to their antecedents.

The markup of the MUC-6 definition (§1.3 to §1.5) as the answer of a
`tatian.text.records.Record`: ``Record[Markup]``.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tatian.errors import InputError
from tatian.text import Chain, LayerKey, Mention, Span


class Markable(Span, frozen=True, order=True, omit_defaults=True):
    """A phrase marked by an annotator (COREF)."""

    id: str
    antecedent: str | None = None
    """The id of an earlier phrase for the same thing (REF)."""
    head: Span | None = None
    """The shortest string that still counts (MIN); None when it is the whole phrase."""
    optional: bool = False
    """Whether the annotator is not certain (STATUS="OPT")."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.end > self.start:
            raise ValueError(f"markable '{self.id}' is empty")
        if self.head is not None and not (len(self.head) and self.contains(self.head)):
            raise ValueError(f"the MIN of markable '{self.id}' does not lie inside it")
        if self.antecedent == self.id:
            raise ValueError(f"markable '{self.id}' refers to itself")
        if self.optional and self.antecedent is None:
            raise ValueError(f"markable '{self.id}' is OPT without REF: only an anaphor can be")


MARKABLES: LayerKey[Markable] = LayerKey("coreference.markables", Markable)
"""What was marked, with ids and links as the file has them."""


class Markup(Struct, frozen=True):
    """All that one annotator marked in one document."""

    markables: tuple[Markable, ...] = ()

    def __post_init__(self) -> None:
        ids = {markable.id for markable in self.markables}
        if len(ids) != len(self.markables):
            raise ValueError("two markables of one id")
        if len({(one.start, one.end) for one in self.markables}) != len(self.markables):
            raise ValueError("two markables on one string (§1.1 allows one)")
        for markable in self.markables:
            if markable.antecedent is not None and markable.antecedent not in ids:
                raise ValueError(
                    f"markable '{markable.id}' refers to '{markable.antecedent}', "
                    "which is not marked"
                )

    def check(self, text: str) -> None:
        """Refuse an answer that does not fit the text it is about."""
        for markable in self.markables:
            if markable.end > len(text):
                raise InputError(f"markable '{markable.id}' lies outside the text ({len(text)})")

    def chains(self) -> tuple[Chain, ...]:
        """What the links imply: they are symmetric and transitive (§1.1).

        Phrases without any link are left out. A chain's id is that of its first phrase.
        """
        return tuple(chain for chain in chains_of(self.markables) if len(chain.mentions) > 1)


def chains_of(markables: Iterable[Markable]) -> tuple[Chain, ...]:
    """The chains that links between markables imply; a markable without links is one of its own.

    Every antecedent must be among the markables. A chain's id is that of its first markable.
    """
    ordered = sorted(markables, key=lambda one: (one.start, one.end))
    root = {markable.id: markable.id for markable in ordered}

    def find(id: str) -> str:
        while root[id] != id:
            root[id] = root[root[id]]
            id = root[id]
        return id

    for markable in ordered:
        if markable.antecedent is not None:
            root[find(markable.id)] = find(markable.antecedent)
    groups: dict[str, list[Markable]] = {}
    for markable in ordered:
        groups.setdefault(find(markable.id), []).append(markable)
    return tuple(
        Chain(group[0].id, tuple(_mention(markable) for markable in group))
        for group in groups.values()
    )


def _mention(markable: Markable) -> Mention:
    return Mention(markable.start, markable.end, head=markable.head, optional=markable.optional)
