"""Antecedents of plural phrases such as "the politicians": the inverse of aggregation.

See TESA, thesis §2.2.2: coreference with several antecedents. Candidates are chosen by type,
number, enumeration, recency and the facts of a knowledge base.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tatian.aggregation.data.records import TYPE_OF_NAME
from tatian.aggregation.mining.patterns import name_lists
from tatian.aggregation.mining.phrases import (
    OTHER,
    is_part,
    is_plural_noun,
    noun_types,
    singular,
    start_of,
)
from tatian.aggregation.models.facts.traits import traits_of
from tatian.aggregation.models.facts.wording import adjectives, is_in_hierarchy
from tatian.analysis.trees import Tree, trees
from tatian.knowledge import KnowledgeBase
from tatian.text import CHAINS, NAMES, Document, Name, Span
from tatian.text.lexicon import NUMBER_WORDS

REACH = 3
"""Number of preceding sentences that are searched for antecedents."""
_REFERRING_WORDS = frozenset(("the", "these", "those", "both", "all"))
"""First words of phrases that refer to something mentioned before."""
_WORDS_BEFORE_DESCRIPTION = frozenset(("of", "in", "who", "that", "which", "from", "with"))
"""Words that begin a description after a noun, which then needs no antecedent."""
_MAX_ANTECEDENTS = 6
_NAMES_BEFORE = 8
"""Number of preceding names that are checked for overlap."""


class PluralPhrase(Struct, frozen=True):
    """A plural noun phrase that may refer to several entities."""

    span: Span
    noun: str
    words: tuple[str, ...]
    """Words before the noun, in lower case."""
    types: frozenset[str]
    """Types of the entities that it can refer to."""
    after: str
    """Word that follows the noun, in lower case; empty at the end of the sentence."""

    @property
    def is_described(self) -> bool:
        """True if a description may follow: "the countries in Africa"."""
        return self.after in _WORDS_BEFORE_DESCRIPTION

    @property
    def is_referring(self) -> bool:
        """True if it refers to something mentioned before."""
        return bool(self.words) and self.words[0] in _REFERRING_WORDS

    @property
    def count(self) -> int:
        """Number that the phrase states; 0 if none."""
        if self.words[:1] == ("both",):
            return 2
        return next((NUMBER_WORDS[word] for word in self.words if word in NUMBER_WORDS), 0)


class Antecedent(Struct, frozen=True):
    """An entity that a phrase refers to."""

    name: str
    mention: Span
    """Its last mention before the phrase."""
    chain: str = ""
    """The id of its coreference chain, if the document has chains."""


class LinkedPlural(Struct, frozen=True):
    """A plural phrase and the entities that it refers to together."""

    phrase: Span
    type: str
    antecedents: tuple[Antecedent, ...]
    """Antecedents in the order of the text."""
    counted: bool = False
    """True if the phrase states their number."""
    supported: bool = False
    """True if facts confirm the phrase for every antecedent."""


class _Entity(Struct, frozen=True):
    name: str
    type: str
    mentions: tuple[Span, ...]
    chain: str = ""


class Linker:
    """Linker of plural phrases to their antecedents, with a knowledge base if there is one."""

    def __init__(self, base: KnowledgeBase | None = None) -> None:
        self._base = base
        self._pages = None
        if base is not None:
            from tatian.aggregation.data.background import Backgrounds

            self._pages = Backgrounds(base)

    def link(self, document: Document) -> Iterator[LinkedPlural]:
        """Yield the phrases of an analysed document that refer to several earlier entities."""
        mentions_in_order = sorted(
            ((mention, entity) for entity in _entities(document) for mention in entity.mentions),
            key=lambda pair: pair[0],
        )
        lists = _find_lists(document)
        sentences = [Span(tree.tokens[0].start, tree.tokens[-1].end) for tree in trees(document)]
        for number, tree in enumerate(trees(document)):
            earliest = sentences[max(0, number - REACH)].start
            for phrase in plural_phrases(tree):
                if phrase.is_referring and not phrase.is_described:
                    begin = bisect_left(mentions_in_order, earliest, key=lambda pair: pair[0].start)
                    end = bisect_left(
                        mentions_in_order, phrase.span.start, key=lambda pair: pair[0].start
                    )
                    linked = self._link(document, phrase, mentions_in_order[begin:end], lists)
                    if linked is not None:
                        yield linked

    def _link(
        self,
        document: Document,
        phrase: PluralPhrase,
        before: Sequence[tuple[Span, _Entity]],
        lists: Sequence[Span],
    ) -> LinkedPlural | None:
        """Return the phrase with its antecedents among the entities before it; None if none."""
        nearer = (
            (mention, entity) for mention, entity in before if mention.end <= phrase.span.start
        )
        last = {id(entity): (entity, mention) for mention, entity in nearer}
        for type in sorted(phrase.types):
            candidates: dict[str, Antecedent] = {}
            supported: set[str] = set()
            for entity, mention in last.values():
                if not self._has_type(entity, type):
                    continue
                fit = self.fit(entity.name, type, phrase, document.metadata.date)
                if fit is not False:
                    candidates[entity.name] = Antecedent(entity.name, mention, entity.chain)
                    supported |= {entity.name} if fit else set()
            if chosen := _choose(list(candidates.values()), phrase.count, lists):
                is_supported = all(antecedent.name in supported for antecedent in chosen)
                counted = bool(phrase.count)
                return LinkedPlural(phrase.span, type, tuple(chosen), counted, is_supported)
        return None

    def _has_type(self, entity: _Entity, type: str) -> bool:
        """Return whether an entity is of a type, by its own type or else by the base."""
        if entity.type == type or self._pages is None:
            return entity.type == type
        own_type_page = self._pages.entity(entity.name, entity.type)
        return own_type_page is None and self._pages.entity(entity.name, type) is not None

    def fit(self, name: str, type: str, phrase: PluralPhrase, date: str | None) -> bool | None:
        """Return True if facts support the noun, False if they contradict the phrase, else None.

        Facts contradict it if they state other nationalities, or nouns but not this one.
        """
        page = self._pages.entity(name, type) if self._pages else None
        if page is None or self._base is None:
            return None
        traits = traits_of(self._base.facts(page.id, date), self._base.entity, date or "")
        nouns = {value for slot, value in traits if slot == "noun"}
        nations = {value.lower() for slot, value in traits if slot == "nation"}
        nationalities = {word for word in phrase.words if word.capitalize() in adjectives()}
        if nations and not nationalities <= nations:
            return False
        noun = _find_known_noun(phrase.noun, phrase.words)
        return noun in nouns if nouns and noun else None


def plural_phrases(tree: Tree) -> Iterator[PluralPhrase]:
    """Yield the plurals of a sentence that may refer to several entities named elsewhere."""
    for head in range(len(tree.words)):
        if not is_plural_noun(tree, head) or not (types := noun_types(tree.text(head)) - {OTHER}):
            continue
        first = start_of(tree, head)
        if _is_explained(tree, first, head):
            continue
        yield PluralPhrase(
            span=Span(tree.tokens[first].start, tree.tokens[head].end),
            noun=tree.text(head),
            words=tuple(tree.text(index).lower() for index in range(first, head)),
            types=types,
            after=tree.text(head + 1).lower() if head + 1 < len(tree.words) else "",
        )


def _is_explained(tree: Tree, first: int, head: int) -> bool:
    """Return whether the sentence itself explains the phrase, or the phrase is partitive.

    Examples: "They are the two leaders", "the two rivers, the Dee and the Don", "one of the two
    leaders".
    """
    governor = tree.heads[head]
    predicated = governor >= 0 and tree.relation(head) == "nsubj" and tree.under(governor, "cop")
    return bool(
        tree.relation(head) == "appos"
        or tree.under(head, "cop", "appos", "acl")
        or (predicated and tree.tag(governor) in ("NOUN", "PROPN"))
        or is_part(tree, first)
    )


def link_plurals(document: Document, base: KnowledgeBase | None = None) -> tuple[LinkedPlural, ...]:
    """Return the plural phrases of an analysed document with their antecedents."""
    return tuple(Linker(base).link(document))


def _find_known_noun(noun: str, words: Sequence[str]) -> str:
    """Return the longest known noun that ends a phrase, in the singular: ``tennis player``."""
    for begin in range(len(words) + 1):
        candidate = " ".join([*words[begin:], singular(noun)])
        if is_in_hierarchy(candidate):
            return candidate
    return ""


def _entities(document: Document) -> Iterator[_Entity]:
    """Yield the entities of a document with all mentions: its chains, or else its names."""
    names = sorted(document.get(NAMES))
    if document.has(CHAINS):
        for chain in document.get(CHAINS):
            names_in_chain = [
                (mention.head or mention).of(document.text)
                for mention in chain.mentions
                if _overlaps_name(mention.head or mention, names)
            ]
            if names_in_chain and (type := TYPE_OF_NAME.get(chain.type)):
                mentions = tuple(Span(mention.start, mention.end) for mention in chain.mentions)
                yield _Entity(max(names_in_chain, key=len), type, mentions, chain.id)
        return
    groups: dict[tuple[str, str], list[Span]] = {}
    for name in names:
        if type := TYPE_OF_NAME.get(name.type):
            key = type, _full_name(name.of(document.text), type, groups)
            groups.setdefault(key, []).append(Span(name.start, name.end))
    for (type, full_name), spans in groups.items():
        yield _Entity(full_name, type, tuple(spans))


def _overlaps_name(span: Span, names: Sequence[Name]) -> bool:
    """Return whether one of the names, which are in order, overlaps a span."""
    last = bisect_left(names, span.end, key=lambda name: name.start)
    return any(name.overlaps(span) for name in names[max(0, last - _NAMES_BEFORE) : last])


def _full_name(name: str, type: str, before: Iterable[tuple[str, str]]) -> str:
    """Return the longer name of an earlier person, if any: "Blair" is Tony Blair."""
    if type == "person":
        for known_type, longer in before:
            if known_type == type and longer.endswith(f" {name}"):
                return longer
    return name


def _find_lists(document: Document) -> list[Span]:
    return [
        names.span
        for sentence in document.sentences
        for names in name_lists(document.text, document.inside(NAMES, sentence), sentence)
    ]


def _choose(candidates: list[Antecedent], count: int, lists: Sequence[Span]) -> list[Antecedent]:
    """Choose the last enumeration of `count` candidates, else the `count` most recent."""
    if len(candidates) < max(2, count):
        return []
    ordered = sorted(candidates, key=lambda antecedent: antecedent.mention)
    for listed in sorted(lists, reverse=True):
        inside = [antecedent for antecedent in ordered if listed.contains(antecedent.mention)]
        if len(inside) == count or (not count and len(inside) > 1):
            return inside
    chosen = ordered[-count:] if count else ordered
    return chosen if len(chosen) <= _MAX_ANTECEDENTS else []
