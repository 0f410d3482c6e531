"""The markables of a document with their trees, and rulings on pairs of them.

Systematic errors of the parser that matter to the definition are corrected first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.trees import Forest, Tree, trees
from tatian.coreference.definition.extents import Extent, extents
from tatian.coreference.definition.phrases import BEING, Mark, MarkedPhrase, MarkedText, is_naming
from tatian.coreference.definition.units import WholeUnit, units
from tatian.text import WORDS, Document, Mention, Span
from tatian.text.lexicon import CLITICS, MONTHS, PRONOUNS, Pronoun

Correction = tuple[int, int, str]
"""A word's position, its new head, and its new relation."""


def correct_trees(document: Document) -> Document:
    """Return the analysed document with corrected trees."""
    words = list(document.get(WORDS))
    index = {word.token: number for number, word in enumerate(words)}
    people = {unit.start: unit for unit in units(document) if unit.type == "PER"}
    changed = False
    common = {document.tokens[word.token].text.lower() for word in words if word.fine == "NNS"}
    for tree in trees(document):
        first = tree.words[0]
        is_single = len(tree.words) > 1 and tree.tag(1) != "PROPN"
        if first.fine == "NNPS" and is_single and tree.text(0).lower() in common:
            words[index[first.token]] = replace(first, tag="NOUN", fine="NNS")
            changed = True
        for position, head, relation in _find_corrections(tree, people):
            old = words[index[tree.words[position].token]]
            above = tree.words[head].token if head >= 0 else -1
            new = replace(old, head=above, relation=relation)
            words[index[old.token]] = new
            changed = True
    author = document.layers[WORDS.name].made
    return document.with_layer(WORDS, words, author) if changed else document


def _find_corrections(tree: Tree, people: dict[int, WholeUnit]) -> Iterator[Correction]:
    yield from _detach_final_verb(tree)
    for index, word in enumerate(tree.words):
        governor = tree.words[tree.heads[index]] if tree.heads[index] >= 0 else word
        if tree.relation(index) == "conj":
            yield from _attach_predicate_conjuncts(tree, index)
        elif word.tag == "NOUN" and _is_office_after_name(tree, index):
            yield index, tree.heads[tree.heads[index]], "xcomp"
        elif word.relation == "nmod:unmarked" and _is_set_off_name(tree, index):
            yield index, tree.heads[index], "appos"
        elif tree.relation(index) == "appos":
            yield from _attach_appositive_conjuncts(tree, index)
        elif tree.relation(index) == "xcomp" and governor is not word and governor.lemma in BEING:
            yield from _attach_subjects(tree, index)
        elif tree.relation(index) in ("xcomp", "obj") and word.tag == "NOUN":
            yield from _attach_objects(tree, index, people)


def _attach_appositive_conjuncts(tree: Tree, appositive: int) -> Iterator[Correction]:
    """Attach "owner" in "Ann Lee, founder and owner of the mill," to the first apposition."""
    host = tree.heads[appositive]
    for other in tree.under(host, "conj"):
        joint = [c for c in tree.under(other, "cc") if c > appositive]
        comma = any(tree.text(index) == "," for index in range(appositive + 1, other))
        if other > appositive and joint and not comma and tree.tag(other) == "NOUN":
            yield other, appositive, "conj"


def _is_set_off_name(tree: Tree, index: int) -> bool:
    """Return whether a name follows its head, also a name, after a comma: "Turin, Italy"."""
    names = tree.tag(index) == tree.tag(tree.heads[index]) == "PROPN"
    if tree.text(index).lower() in MONTHS:
        return False
    begin = min(tree.subtree(index))
    return names and tree.heads[index] < begin and "," in (tree.text(begin), tree.text(begin - 1))


def _attach_predicate_conjuncts(tree: Tree, index: int) -> Iterator[Correction]:
    """Attach "owner" in "is the head of the firm and the owner of the mill" to the predicate."""
    inner = tree.heads[index]
    predicate = tree.heads[inner]
    if predicate < 0 or tree.relation(inner) != "nmod" or tree.tag(index) != "NOUN":
        return
    is_stated = bool(tree.under(predicate, "cop")) or tree.relation(predicate) in ("appos", "xcomp")
    nouns = (predicate, index)
    are_parallel = all(tree.under(noun, "det") and _has_of_phrase(tree, noun) for noun in nouns)
    if is_stated and are_parallel and not _has_of_phrase(tree, inner):
        yield index, predicate, "conj"


def _detach_final_verb(tree: Tree) -> Iterator[Correction]:
    """Detach the main verb of "Ann Lee, who once ran the mill, retired." from its subject."""
    root = next((index for index, head in enumerate(tree.heads) if head < 0), -1)
    if root < 0 or tree.tag(root) in ("VERB", "AUX") or tree.under(root, "cop", "nsubj"):
        return
    verbs = [
        index
        for index in tree.under(root, "acl")
        if index > root and tree.words[index].fine in ("VBD", "VBN") and _is_main_verb(tree, index)
    ]
    for verb in verbs[-1:]:
        for other in tree.under(verb, "nsubj"):
            if any(tree.text(c) == "of" for c in tree.under(other, "case")):
                yield other, root, "nmod"
        yield verb, -1, "root"
        yield root, verb, "nsubj"


def _is_main_verb(tree: Tree, verb: int) -> bool:
    """Return whether a verb is the main verb, by its form, its place or the comma before it."""
    if tree.text(len(tree.words) - 1) != ".":
        return False
    if tree.words[verb].relation == "acl" and (
        tree.tag(tree.heads[verb]) == "PROPN" or tree.words[verb].fine == "VBD"
    ):
        return True
    ends = [tree.tag(index) for index in range(verb + 1, len(tree.words))] == ["PUNCT"]
    return ends or tree.text(verb - 1) == ","


def _has_of_phrase(tree: Tree, index: int) -> bool:
    """Return whether a noun has a complement with "of"."""
    cases = (c for other in tree.under(index, "nmod") for c in tree.under(other, "case"))
    return any(tree.text(case) == "of" for case in cases)


def _attach_subjects(tree: Tree, predicate: int) -> Iterator[Correction]:
    """Attach the subject of "Ann Lee remained the mayor" to the verb."""
    verb = tree.heads[predicate]
    if not tree.under(verb, "nsubj"):
        for index in tree.under(predicate, "nsubj"):
            if index < verb:
                yield index, verb, "nsubj"


def _attach_objects(
    tree: Tree, predicate: int, people: dict[int, WholeUnit]
) -> Iterator[Correction]:
    """Attach the name in "named Ann Lee president" as the object, not as part of the office."""
    verb = tree.heads[predicate]
    if verb < 0 or not _is_naming(tree, verb) or verb + 1 >= predicate:
        return
    unit = people.get(tree.tokens[verb + 1].start)
    if unit is None or unit.end > tree.tokens[predicate].start:
        return
    inside = [p for p in range(verb + 1, predicate) if tree.tokens[p].end <= unit.end]
    if tree.text(inside[-1] + 1).lower() in CLITICS:
        return
    for index in inside:
        if tree.heads[index] not in inside and tree.heads[index] != verb:
            yield index, verb, "obj"
            yield predicate, verb, "xcomp"


def _is_office_after_name(tree: Tree, index: int) -> bool:
    """Return whether "president" in "named Ann Lee president" is attached to the name."""
    name = tree.heads[index]
    verb = tree.heads[name]
    if name < 0 or verb < 0 or tree.relation(index) not in ("flat", "appos", "nmod"):
        return False
    between = range(name + 1, index)
    return (
        tree.relation(name) in ("obj", "iobj")
        and tree.tag(name) == "PROPN"
        and _is_naming(tree, verb)
        and all(tree.tag(p) in ("PROPN", "DET", "ADJ", "NOUN") for p in between)
        and not tree.under(index, "case")
    )


def _is_naming(tree: Tree, verb: int) -> bool:
    return is_naming(MarkedPhrase(Mark(0, 0, "", ""), tree, verb, verb + 1, verb), verb)


TYPES = {"date": "DATE", "amount": "MONEY", "percentage": "PERCENT"}
"""Types of mentions of dates and numbers, after the MUC-6 Named Entity task."""


class MarkablePhrase(NamedTuple):
    """A markable and its phrase, in the tree of its sentence."""

    mention: Mention
    phrase: MarkedPhrase
    unit: WholeUnit | None
    """Name, date, amount or percentage that is its head."""
    order: int
    """Its number in the document."""

    @property
    def tree(self) -> Tree:
        """Tree of its sentence."""
        return self.phrase.tree

    @property
    def head(self) -> int:
        """Index of its head in the sentence."""
        return self.phrase.head

    @property
    def word(self) -> str:
        """Its head in lower case."""
        return self.phrase.word(self.phrase.head)

    @property
    def lemma(self) -> str:
        """Its head's lemma in lower case."""
        return self.phrase.lemma(self.phrase.head)

    @property
    def relation(self) -> str:
        """Relation of its head to the governor, without the subtype."""
        return self.tree.relation(self.head)

    @property
    def pronoun(self) -> Pronoun | None:
        """Lexicon entry of a personal pronoun; None for other phrases."""
        if self.phrase.end - self.phrase.first != 1:
            return None
        return PRONOUNS.get(self.phrase.word(self.phrase.first))

    @property
    def is_possessive(self) -> bool:
        """True if it is a possessive pronoun: "her" may or may not be."""
        pronoun = self.pronoun
        if pronoun is None:
            return False
        return pronoun.possessive or self.tree.words[self.head].relation == "nmod:poss"

    @property
    def is_name(self) -> bool:
        """True if its head is a name."""
        return self.unit is not None and self.unit.kind == "name"

    @property
    def is_value(self) -> bool:
        """True if it is an amount, a percentage or a bare number."""
        if self.unit is not None:
            return self.unit.kind in ("amount", "percentage")
        return self.tree.tag(self.head) == "NUM" and self.phrase.end - self.phrase.first == 1

    @property
    def is_person(self) -> bool:
        """True if it certainly refers to a person."""
        pronoun = self.pronoun
        if pronoun is not None:
            return pronoun.person < 3 or pronoun.gender in ("male", "female")
        return self.mention.type == "PER"

    @property
    def is_plural(self) -> bool:
        """True if it is plural."""
        if self.pronoun is not None:
            return self.pronoun.number == "plural"
        if self.is_name:
            return False
        return self.tree.words[self.head].fine in ("NNS", "NNPS")


class Outline:
    """All markables of an analysed document, indexed by position."""

    def __init__(self, document: Document) -> None:
        self.document = document = correct_trees(document)
        self.page = MarkedText(document, (), markup=True)
        self.forest = Forest(document)
        self.trees = self.forest.trees
        self.numbers = {id(tree): number for number, tree in enumerate(self.trees)}
        numbered = enumerate(extents(self.forest, self.page))
        self.markables = tuple(self._markable(order, extent) for order, extent in numbered)

    def _markable(self, order: int, extent: Extent) -> MarkablePhrase:
        unit = extent.unit
        type_ = "" if unit is None else TYPES.get(unit.kind, unit.type)
        minimum = extent.minimum
        head = None if minimum == extent.span else minimum
        mention = Mention(extent.span.start, extent.span.end, type_, head=head)
        return MarkablePhrase(mention, extent.phrase, unit, order)

    @cached_property
    def _by_mention(self) -> dict[Mention, MarkablePhrase]:
        return {markable.mention: markable for markable in self.markables}

    def of(self, mention: Mention) -> MarkablePhrase:
        """Return the markable of a mention of this outline."""
        return self._by_mention[mention]

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], MarkablePhrase]:
        by_place: dict[tuple[int, int], MarkablePhrase] = {}
        for markable in self.markables:
            least = markable.mention.head or markable.mention
            for index in range(markable.tree.place(least.start), markable.tree.place(least.end)):
                by_place.setdefault((id(markable.tree), index), markable)
        for markable in self.markables:
            by_place[id(markable.tree), markable.head] = markable
        return by_place

    def at(self, tree: Tree, index: int | None) -> MarkablePhrase | None:
        """Return the markable whose head or name contains the word at a position of a tree."""
        return None if index is None else self._by_place.get((id(tree), index))

    def with_head(self, span: Span) -> MarkablePhrase | None:
        """Return the markable with the head of a phrase that another system found."""
        tree = self.forest.at(span.start)
        if tree is None:
            return None
        inner = tree.places(span)
        for index in [*tree.tops(inner), *reversed(inner)]:
            markable = self.at(tree, index)
            if markable is not None and markable.mention.start <= span.start:
                return markable
        return None

    def sentence(self, marked: MarkablePhrase) -> int:
        """Return the number of its sentence."""
        return self.numbers[id(marked.tree)]

    @cached_property
    def by_sentence(self) -> list[list[MarkablePhrase]]:
        """Markables of each sentence, in order, outer before inner."""
        grouped: list[list[MarkablePhrase]] = [[] for _ in self.trees]
        for markable in self.markables:
            grouped[self.sentence(markable)].append(markable)
        return grouped

    def nested(self) -> Iterator[tuple[MarkablePhrase, MarkablePhrase]]:
        """Yield pairs of markables, the second inside the first."""
        for sentence in self.by_sentence:
            around: list[MarkablePhrase] = []
            for inner in sentence:
                around = [outer for outer in around if outer.mention.end > inner.mention.start]
                for outer in around:
                    yield outer, inner
                around.append(inner)


def markables(document: Document) -> list[Mention]:
    """Return all markables of an analysed document by §3 and §4, each with its MIN as head.

    Outer phrases come before inner ones. The head is None if it is the whole phrase.
    """
    return [markable.mention for markable in Outline(document).markables]


Verdict = Literal["link", "forbid"]


class Ruling(Struct, frozen=True):
    """A ruling of the definition that two markables corefer or must not."""

    anaphor: Mention
    antecedent: Mention
    rule: str
    section: str
    verdict: Verdict = "link"
    optional: bool = False
    """True if the definition marks the link STATUS="OPT"."""
    certain: bool = True
    """False if the link is made only where nothing better is known."""


Finder = Callable[[Outline], Iterator[Ruling]]


def link(
    rule: str,
    section: str,
    anaphor: MarkablePhrase,
    antecedent: MarkablePhrase,
    *,
    optional: bool = False,
    certain: bool = True,
) -> Ruling:
    """Return the ruling that two markables corefer."""
    return Ruling(anaphor.mention, antecedent.mention, rule, section, "link", optional, certain)


def forbid(rule: str, section: str, anaphor: MarkablePhrase, antecedent: MarkablePhrase) -> Ruling:
    """Return the ruling that two markables do not corefer."""
    return Ruling(anaphor.mention, antecedent.mention, rule, section, "forbid")
