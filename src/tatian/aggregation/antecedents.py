"""The inverse of aggregation: which entities a plural phrase such as "the politicians" speaks of.

TESA, thesis §2.2.2: coreference with several antecedents. Rules over types, numbers, lists and
recency decide, and facts where a knowledge base has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tatian.aggregation.background import Backgrounds
from tatian.aggregation.mining.lists import name_lists
from tatian.aggregation.mining.nouns import OTHER, TYPE_OF, noun_types, singular
from tatian.aggregation.mining.phrases import is_part, is_plural_noun, start_of
from tatian.aggregation.models.generating.lattice import known
from tatian.aggregation.models.generating.traits import traits_of
from tatian.aggregation.models.generating.wording import adjectives
from tatian.analysis.trees import Tree, trees
from tatian.knowledge import KnowledgeBase
from tatian.text import CHAINS, NAMES, Document, Span
from tatian.text.lexicon import NUMBER_WORDS

REACH = 3
"""Sentences before the phrase in which its antecedents are looked for."""
_POINTING = frozenset(("the", "these", "those", "both", "all"))
"""What a phrase begins with that speaks of something said before."""
_FREE = frozenset(("of", "in", "who", "that", "which", "from", "with"))
"""What comes after a noun that is described by what follows, not by what came before."""
_MOST = 6


class Antecedent(Struct, frozen=True):
    """One entity that a phrase speaks of."""

    name: str
    mention: Span
    """Its last mention before the phrase."""
    chain: str = ""
    """The id of its coreference chain, if the document has chains."""


class Plural(Struct, frozen=True):
    """A plural phrase and the entities that it speaks of together."""

    phrase: Span
    type: str
    antecedents: tuple[Antecedent, ...]
    """In the order of the text."""
    counted: bool = False
    """Whether the phrase says how many."""
    supported: bool = False
    """Whether facts say of every one of them what the phrase says."""


class _Entity(Struct, frozen=True):
    name: str
    type: str
    mentions: tuple[Span, ...]
    chain: str = ""


class Linker:
    """Links plural phrases to their antecedents, with a knowledge base if one is given."""

    def __init__(self, base: KnowledgeBase | None = None) -> None:
        self._base = base
        self._pages = Backgrounds(base) if base is not None else None

    def link(self, document: Document) -> Iterator[Plural]:
        """Every phrase of an analysed document that speaks of several entities named before it."""
        entities = list(_entities(document))
        lists = _lists(document)
        sentences = [Span(tree.tokens[0].start, tree.tokens[-1].end) for tree in trees(document)]
        for number, tree in enumerate(trees(document)):
            reach = sentences[max(0, number - REACH)].start
            for head in range(len(tree.words)):
                found = self._linked(document, tree, head, reach, entities, lists)
                if found is not None:
                    yield found

    def _linked(
        self,
        document: Document,
        tree: Tree,
        head: int,
        reach: int,
        entities: Sequence[_Entity],
        lists: Sequence[Span],
    ) -> Plural | None:
        if not is_plural_noun(tree, head) or not (types := noun_types(tree.text(head)) - {OTHER}):
            return None
        first = start_of(tree, head)
        words = [tree.text(place).lower() for place in range(first, head)]
        after = tree.text(head + 1).lower() if head + 1 < len(tree.words) else ""
        if not words or words[0] not in _POINTING or after in _FREE or _is_told(tree, first, head):
            return None
        phrase = Span(tree.tokens[first].start, tree.tokens[head].end)
        count = next((NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS), 0)
        count = 2 if words[0] == "both" else count
        for type in sorted(types):
            near: dict[str, Antecedent] = {}
            supported: set[str] = set()
            for one in entities:
                mention = _last(one.mentions, reach, phrase.start)
                if mention is None or not self._is(one, type):
                    continue
                fit = self._fit(one.name, type, tree.text(head), words, document.metadata.date)
                if fit is not False:
                    near[one.name] = Antecedent(one.name, mention, one.chain)
                    supported |= {one.name} if fit else set()
            if chosen := _chosen(list(near.values()), count, lists):
                sure = all(one.name in supported for one in chosen)
                return Plural(phrase, type, tuple(chosen), bool(count), sure)
        return None

    def _is(self, entity: _Entity, type: str) -> bool:
        """Whether an entity is of a type, by the text or, where the base knows better, by that."""
        if entity.type == type or self._pages is None:
            return entity.type == type
        as_read = self._pages.entity(entity.name, entity.type)
        return as_read is None and self._pages.entity(entity.name, type) is not None

    def _fit(
        self, name: str, type: str, noun: str, words: Sequence[str], at: str | None
    ) -> bool | None:
        """Whether facts speak for the noun or against it or the nationality; None if neither."""
        page = self._pages.entity(name, type) if self._pages else None
        if page is None or self._base is None:
            return None
        traits = traits_of(self._base.facts(page.id, at), self._base.entity, at or "")
        nouns = {value for slot, value in traits if slot == "noun"}
        nations = {value.lower() for slot, value in traits if slot == "nation"}
        said = {word for word in words if word.capitalize() in adjectives()}
        if nations and not said <= nations:
            return False
        one = _known_noun(noun, words)
        return one in nouns if nouns and one else None


def _is_told(tree: Tree, first: int, head: int) -> bool:
    """Whether the sentence itself says who is meant, or speaks of a part of them.

    "They are the two leaders", "the two rivers, the Dee and the Don", "one of the two leaders".
    """
    governor = tree.heads[head]
    predicated = governor >= 0 and tree.relation(head) == "nsubj" and tree.under(governor, "cop")
    return bool(
        tree.relation(head) == "appos"
        or tree.under(head, "cop", "appos", "acl")
        or (predicated and tree.tag(governor) in ("NOUN", "PROPN"))
        or is_part(tree, first)
    )


def link_plurals(document: Document, base: KnowledgeBase | None = None) -> tuple[Plural, ...]:
    """The plural phrases of an analysed document with the entities that each speaks of."""
    return tuple(Linker(base).link(document))


def _known_noun(noun: str, words: Sequence[str]) -> str:
    """The longest end of a phrase that the lattice has, in the singular: ``tennis player``."""
    for begin in range(len(words) + 1):
        one = " ".join([*words[begin:], singular(noun)])
        if known(one):
            return one
    return ""


def _entities(document: Document) -> Iterator[_Entity]:
    """What the document names: its chains, or else its names, each with all mentions."""
    names = document.get(NAMES)
    if document.has(CHAINS):
        for chain in document.get(CHAINS):
            called = [
                (mention.head or mention).of(document.text)
                for mention in chain.mentions
                if any((mention.head or mention).overlaps(name) for name in names)
            ]
            if called and (type := TYPE_OF.get(chain.type)):
                mentions = tuple(Span(one.start, one.end) for one in chain.mentions)
                yield _Entity(max(called, key=len), type, mentions, chain.id)
        return
    groups: dict[tuple[str, str], list[Span]] = {}
    for name in names:
        if type := TYPE_OF.get(name.type):
            key = type, _full_name(name.of(document.text), type, groups)
            groups.setdefault(key, []).append(Span(name.start, name.end))
    for (type, called_by), mentions_of in groups.items():
        yield _Entity(called_by, type, tuple(mentions_of))


def _full_name(name: str, type: str, before: Iterable[tuple[str, str]]) -> str:
    """The longer name of a person met before that ends with this one: "Blair" is Tony Blair."""
    if type == "person":
        for known_type, longer in before:
            if known_type == type and longer.endswith(f" {name}"):
                return longer
    return name


def _lists(document: Document) -> list[Span]:
    return [
        found.span
        for sentence in document.sentences
        for found in name_lists(document.text, document.get(NAMES), sentence)
    ]


def _last(mentions: Sequence[Span], reach: int, end: int) -> Span | None:
    """The last mention between two places of the text."""
    within = [one for one in mentions if reach <= one.start and one.end <= end]
    return max(within) if within else None


def _chosen(near: list[Antecedent], count: int, lists: Sequence[Span]) -> list[Antecedent]:
    """As many as the phrase says: those of the last list that fits, or else the last named.

    Without a number, all that are named near, unless a list has two or more of them.
    """
    if len(near) < max(2, count):
        return []
    ordered = sorted(near, key=lambda one: one.mention)
    for listed in sorted(lists, reverse=True):
        inside = [one for one in ordered if listed.contains(one.mention)]
        if len(inside) == count or (not count and len(inside) > 1):
            return inside
    chosen = ordered[-count:] if count else ordered
    return chosen if len(chosen) <= _MOST else []
