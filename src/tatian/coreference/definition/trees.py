"""Mends what trees systematically get wrong where the definition depends on it.

Each construction is recognised by its form: an apposition's conjunct hung on the phrase before the
apposition, a predicate's conjunct hung on a noun inside it, the subject of "remained" hung on the
predicate, the object of "named" hung on what it was named, and a verb that ends its sentence hung
on its own subject.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from tatian.analysis.trees import Tree, trees
from tatian.coreference.definition.phrases import BEING, Mark, MarkedPhrase, is_naming
from tatian.coreference.definition.units import WholeUnit, units
from tatian.text import WORDS, Document
from tatian.text.lexicon import CLITICS

Change = tuple[int, int, str]
"""A place, the place it hangs on, and as what."""


def mended(document: Document) -> Document:
    """The analysed document with better trees; offsets and all other layers stay."""
    words = list(document.get(WORDS))
    index = {word.token: number for number, word in enumerate(words)}
    people = {unit.start: unit for unit in units(document) if unit.type == "PER"}
    changed = False
    for tree in trees(document):
        for place, head, relation in _changes(tree, people):
            old = tree.words[place]
            above = tree.words[head].token if head >= 0 else -1
            new = replace(old, head=above, relation=relation)
            words[index[old.token]] = new
            changed = True
    made = document.layers[WORDS.name].made
    return document.with_layer(WORDS, words, made) if changed else document


def _changes(tree: Tree, people: dict[int, WholeUnit]) -> Iterator[Change]:
    yield from _final_verb(tree)
    for place, word in enumerate(tree.words):
        if tree.relation(place) == "conj":
            yield from _joined_predicates(tree, place)
        elif word.tag == "NOUN" and _is_office_after_name(tree, place):
            yield place, tree.heads[tree.heads[place]], "xcomp"
        elif tree.relation(place) == "appos":
            yield from _joined_appositives(tree, place)
        elif tree.relation(place) == "xcomp" and _lemma(tree, tree.heads[place]) in BEING:
            yield from _subjects(tree, place)
        elif tree.relation(place) in ("xcomp", "obj") and word.tag == "NOUN":
            yield from _objects(tree, place, people)


def _joined_appositives(tree: Tree, appositive: int) -> Iterator[Change]:
    """Of "Ann Lee, founder and owner of the mill," the owner is a second apposition."""
    host = tree.heads[appositive]
    for other in tree.under(host, "conj"):
        joint = [c for c in tree.under(other, "cc") if c > appositive]
        comma = any(tree.text(place) == "," for place in range(appositive + 1, other))
        if other > appositive and joint and not comma and tree.tag(other) == "NOUN":
            yield other, appositive, "conj"


def _joined_predicates(tree: Tree, place: int) -> Iterator[Change]:
    """Of "is the head of the firm and the owner of the mill" the owner is a second predicate."""
    inner = tree.heads[place]
    predicate = tree.heads[inner]
    if predicate < 0 or tree.relation(inner) != "nmod" or tree.tag(place) != "NOUN":
        return
    said = bool(tree.under(predicate, "cop")) or tree.relation(predicate) in ("appos", "xcomp")
    alike = all(tree.under(one, "det") and _of(tree, one) for one in (predicate, place))
    if said and alike and not _of(tree, inner):
        yield place, predicate, "conj"


def _final_verb(tree: Tree) -> Iterator[Change]:
    """The verb of "Ann Lee, who once ran the mill, retired." is no part of its subject.

    Nor is that of "Acme named her president."
    """
    root = next((place for place, head in enumerate(tree.heads) if head < 0), -1)
    if root < 0 or tree.tag(root) in ("VERB", "AUX") or tree.under(root, "cop", "nsubj"):
        return
    verbs = [
        place
        for place in tree.under(root, "acl")
        if place > root and tree.words[place].fine in ("VBD", "VBN") and _is_main(tree, place)
    ]
    for verb in verbs[-1:]:
        for other in tree.under(verb, "nsubj"):
            if any(tree.text(c) == "of" for c in tree.under(other, "case")):
                yield other, root, "nmod"
        yield verb, -1, "root"
        yield root, verb, "nsubj"


def _is_main(tree: Tree, verb: int) -> bool:
    """Whether the verb follows a name or what a comma closes, or ends the sentence."""
    if tree.text(len(tree.words) - 1) != ".":
        return False
    if tree.words[verb].relation == "acl" and (
        tree.tag(tree.heads[verb]) == "PROPN" or tree.words[verb].fine == "VBD"
    ):
        return True
    ends = [tree.tag(place) for place in range(verb + 1, len(tree.words))] == ["PUNCT"]
    return ends or tree.text(verb - 1) == ","


def _of(tree: Tree, place: int) -> bool:
    """Whether an "of" follows a noun and belongs to it."""
    return any(
        tree.text(c) == "of"
        for other in tree.under(place, "nmod")
        for c in tree.under(other, "case")
    )


def _subjects(tree: Tree, predicate: int) -> Iterator[Change]:
    """The subject of "Ann Lee remained the mayor" is the verb's."""
    verb = tree.heads[predicate]
    if not tree.under(verb, "nsubj"):
        for place in tree.under(predicate, "nsubj"):
            if place < verb:
                yield place, verb, "nsubj"


def _objects(tree: Tree, predicate: int, people: dict[int, WholeUnit]) -> Iterator[Change]:
    """Of "named Ann Lee president" the name is the object, and no part of the office."""
    verb = tree.heads[predicate]
    if verb < 0 or not _is_naming(tree, verb) or verb + 1 >= predicate:
        return
    unit = people.get(tree.tokens[verb + 1].start)
    if unit is None or unit.end > tree.tokens[predicate].start:
        return
    inside = [p for p in range(verb + 1, predicate) if tree.tokens[p].end <= unit.end]
    if tree.text(inside[-1] + 1).lower() in CLITICS:
        return
    for place in inside:
        if tree.heads[place] not in inside and tree.heads[place] != verb:
            yield place, verb, "obj"
            yield predicate, verb, "xcomp"


def _is_office_after_name(tree: Tree, place: int) -> bool:
    """Whether a noun is what somebody was named, though it hangs on the name before it."""
    name = tree.heads[place]
    verb = tree.heads[name]
    if name < 0 or verb < 0 or tree.relation(place) not in ("flat", "appos", "nmod"):
        return False
    between = range(name + 1, place)
    return (
        tree.relation(name) == "obj"
        and tree.tag(name) == "PROPN"
        and _is_naming(tree, verb)
        and all(tree.tag(p) in ("PROPN", "DET", "ADJ", "NOUN") for p in between)
        and not tree.under(place, "case")
    )


def _is_naming(tree: Tree, verb: int) -> bool:
    return is_naming(MarkedPhrase(Mark(0, 0, "", ""), tree, verb, verb + 1, verb), verb)


def _lemma(tree: Tree, place: int) -> str:
    return tree.words[place].lemma if place >= 0 else ""
