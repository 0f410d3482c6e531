"""§5.4: what the text asserts, of any time, to be what another phrase names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tatian.analysis.trees import Tree
from tatian.coreference.definition.clauses import (
    conjuncts_of,
    is_asserted,
    is_denied,
    is_former,
    share_modifiers,
    subject,
)
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.phrases import BEING, is_naming
from tatian.coreference.definition.phrases import is_indefinite as is_worded_indefinite
from tatian.text.lexicon import (
    INDEFINITE_PRONOUNS,
    NUMBER_WORDS,
    word_set,
)

SECTION = "5.4"
_NO_ROLE = word_set("well such same soon long much far just known")
_ROLE_VERBS = word_set(
    "serve act work function appoint name elect choose hire see regard view know describe treat "
    "portray recognize recognise use cast begin resign retire return emerge succeed replace label "
    "nominate select pick install reinstate confirm perceive define consider remain"
)
"""Verbs after which "as" surely gives a role."""
_NOBODY = word_set("neither no none nobody")
_EMPTY = word_set("it this that these those there")
Kind = Literal["copula", "implied", "as"]


class Predication(NamedTuple):
    """That a phrase is said to be what another one names."""

    subject: MarkablePhrase
    predicate: MarkablePhrase
    kind: Kind
    asserted: bool
    denied: bool = False
    """Whether the text says that it is not so."""
    former: bool = False
    """Whether it is said to be over: "was formerly the director"."""


def predicate_nominals(outline: Outline) -> Iterator[Ruling]:
    """Links of asserted definite predicates; none where it is only possible, or indefinite.

    Where the copula is implied by the verb ("named her president"), where "as" stands for it, and
    where conjoined predicates share modifiers (§3.7), the link is optional.
    """
    for one in predications(outline):
        if one.predicate.is_value:
            continue
        joined = [one.predicate, *conjuncts_of(outline, one.predicate)]
        joined = [each for each in joined if not _is_clause(each, one.predicate)]
        shared = share_modifiers([each.phrase for each in joined])
        apart = _are_several(one, joined)
        for predicate in joined:
            if apart:
                yield forbid("conjoined-predicate", "3.7", predicate, one.subject)
            else:
                yield _judged(one, predicate, shared)


def predications(outline: Outline) -> Iterator[Predication]:
    """Every phrase that a copula, a verb of naming or "as" makes a predicate."""
    for predicate in outline.markables:
        if predicate.pronoun is None:
            found = _said_of(outline, predicate)
            if found is not None and found.subject.order != predicate.order:
                yield found


def _judged(found: Predication, predicate: MarkablePhrase, shared: bool) -> Ruling:
    said_of = found.subject
    if not found.asserted:
        return forbid("possible-identity", SECTION, predicate, said_of)
    if is_indefinite(predicate):
        return forbid("indefinite-predicate", SECTION, predicate, said_of)
    rules = {"copula": "predicate-nominal", "implied": "implied-copula", "as": "as-phrase"}
    rule = "shared-modifiers" if shared and found.kind == "copula" else rules[found.kind]
    return link(
        rule,
        "3.7" if rule == "shared-modifiers" else SECTION,
        predicate,
        said_of,
        optional=shared or found.kind != "copula",
        certain=_is_certain(found, predicate),
    )


def _is_certain(found: Predication, predicate: MarkablePhrase) -> bool:
    """Not of an empty subject, not of what may be a substance, not of any verb with "as"."""
    said_of = found.subject
    if said_of.word in _EMPTY or (is_bare_singular(predicate) and _is_abstract(said_of)):
        return False
    verb = predicate.tree.heads[predicate.head]
    return found.kind != "as" or predicate.tree.words[verb].lemma in _ROLE_VERBS


def _is_abstract(said_of: MarkablePhrase) -> bool:
    """Whether it is a common noun without a name or owner: what it is may be a substance."""
    return said_of.pronoun is None and not said_of.is_name and said_of.relation != "obj"


def _are_several(found: Predication, joined: list[MarkablePhrase]) -> bool:
    """Whether the conjuncts are alternatives, or the subject is all of them together."""
    tree = found.predicate.tree
    words = [tree.text(place).lower() for place in range(joined[0].head, joined[-1].head)]
    verbs = [tree.text(c).lower() for c in tree.under(found.predicate.head, "cop")]
    if tree.under(found.subject.head, "conj"):
        return True
    if len(joined) == 1:
        return False
    return "or" in words or bool({"are", "were", "'re", "’re"}.intersection(verbs))


def _is_clause(conjunct: MarkablePhrase, predicate: MarkablePhrase) -> bool:
    """Whether a conjunct has a subject of its own, and so is no predicate of the first one's."""
    own = conjunct.tree.under(conjunct.head, "nsubj", "cop")
    return bool(own) and conjunct.order != predicate.order


def _said_of(outline: Outline, predicate: MarkablePhrase) -> Predication | None:
    tree, head = predicate.tree, predicate.head
    governor = tree.heads[head]
    if _follows_as(predicate):
        return _equated(outline, predicate, governor)
    if tree.under(head, "case"):
        return None
    if _has_copula(tree, head):
        return _predication(outline, predicate, head, "copula")
    if governor < 0 or tree.relation(head) not in ("xcomp", "obj"):
        return None
    if tree.words[governor].lemma in BEING:
        return _predication(outline, predicate, governor, "copula")
    if is_naming(predicate.phrase, governor):
        return _named(outline, predicate, governor)
    return None


def _has_copula(tree: Tree, head: int) -> bool:
    """Whether "be" makes the noun a predicate; a tree may call it a passive's ("to be chair")."""
    helpers = tree.under(head, "cop", "aux")
    return any(tree.words[c].lemma in BEING for c in helpers) and tree.tag(head) != "VERB"


def _predication(
    outline: Outline, predicate: MarkablePhrase, clause: int, kind: Kind
) -> Predication | None:
    said_of = outline.at(predicate.tree, subject(predicate.tree, clause))
    if said_of is None:
        return None
    tree = predicate.tree
    denied = is_denied(tree, clause) or _is_nobody(said_of)
    asserted = is_asserted(tree, clause) and not denied
    return Predication(said_of, predicate, kind, asserted, denied, is_former(tree, clause))


def _is_nobody(said_of: MarkablePhrase) -> bool:
    """Whether the subject denies what is said of it: "neither brother", "nobody"."""
    return said_of.phrase.word(said_of.phrase.first) in _NOBODY


def _named(outline: Outline, predicate: MarkablePhrase, verb: int) -> Predication | None:
    """Of "named her president" and "is considered the best": who is meant."""
    tree = predicate.tree
    objects = [c for c in tree.under(verb, "obj", "iobj") if c < predicate.head]
    passive = any(tree.words[c].relation == "aux:pass" for c in tree.children[verb])
    participle = tree.words[verb].relation == "acl" and tree.words[verb].fine == "VBN"
    if objects:
        said_of = outline.at(tree, objects[0])
    elif passive or participle:
        said_of = outline.at(tree, subject(tree, verb))
    else:
        return None
    if said_of is None or said_of.phrase.is_possessor:
        return None
    return Predication(said_of, predicate, "implied", is_asserted(tree, verb))


def _follows_as(predicate: MarkablePhrase) -> bool:
    """Whether "as" makes the phrase a role; "as well as" and "as big as" do not."""
    phrase, before = predicate.phrase, predicate.phrase.first - 1
    if phrase.word(before) != "as" or phrase.tree.heads[before] != predicate.head:
        return False
    if phrase.tree.under(predicate.head, "nsubj", "cop"):
        return False
    earlier = [phrase.word(place) for place in range(max(0, before - 3), before)]
    return "as" not in earlier and not (earlier and earlier[-1] in _NO_ROLE)


def _equated(outline: Outline, predicate: MarkablePhrase, governor: int) -> Predication | None:
    """Of "serve as president" the subject, of "hired her as president" the object."""
    tree = predicate.tree
    if governor < 0 or tree.tag(governor) != "VERB":
        return None
    objects = tree.under(governor, "obj")
    place = objects[0] if objects else subject(tree, governor)
    said_of = outline.at(tree, place)
    if said_of is None:
        return None
    return Predication(said_of, predicate, "as", is_asserted(tree, governor))


_INDEFINITE = word_set("a an another some any several many few no both such more most")


def is_indefinite(marked: MarkablePhrase) -> bool:
    """Whether the phrase says "a", "some", "one of", "two", "nothing", or is a bare plural."""
    if marked.is_value:
        return False
    if is_worded_indefinite(marked.phrase) or marked.word in INDEFINITE_PRONOUNS:
        return True
    phrase = marked.phrase
    first = phrase.first
    while first < marked.head and phrase.tag(first) == "ADV":
        first += 1
    word = phrase.word(first)
    if word in _INDEFINITE:
        return True
    return first < marked.head and (word in NUMBER_WORDS or phrase.tag(first) == "NUM")


def is_bare_singular(marked: MarkablePhrase) -> bool:
    """Whether a lone common noun has no determiner or owner: an office, or a substance."""
    if marked.is_plural or marked.tree.tag(marked.head) != "NOUN":
        return False
    return not marked.phrase.is_determined
