"""Predicates (§5.4): phrases that the text asserts, of any time, to be coreferent."""

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
    """A phrase that is said to be what another one names."""

    subject: MarkablePhrase
    predicate: MarkablePhrase
    kind: Kind
    asserted: bool
    denied: bool = False
    """True if the text denies it."""
    former: bool = False
    """True if it is said to be over: "was formerly the director"."""


def predicate_nominals(outline: Outline) -> Iterator[Ruling]:
    """Link asserted definite predicates; forbid links of possible or indefinite ones.

    The link is optional where the verb implies the copula ("named her president"), where "as"
    replaces it, and where conjoined predicates share modifiers (§3.7).
    """
    for predication in predications(outline):
        if predication.predicate.is_value:
            continue
        joined = [predication.predicate, *conjuncts_of(outline, predication.predicate)]
        joined = [
            conjunct for conjunct in joined if not _is_clause(conjunct, predication.predicate)
        ]
        shared = share_modifiers([conjunct.phrase for conjunct in joined])
        apart = _are_several(predication, joined)
        for predicate in joined:
            if apart:
                yield forbid("conjoined-predicate", "3.7", predicate, predication.subject)
            else:
                yield _judged(predication, predicate, shared)


def predications(outline: Outline) -> Iterator[Predication]:
    """Yield every phrase that a copula, a verb of naming or "as" makes a predicate."""
    for predicate in outline.markables:
        if predicate.pronoun is None:
            predication = _said_of(outline, predicate)
            if predication is not None and predication.subject.order != predicate.order:
                yield predication


def _judged(predication: Predication, predicate: MarkablePhrase, shared: bool) -> Ruling:
    said_of = predication.subject
    if not predication.asserted:
        return forbid("possible-identity", SECTION, predicate, said_of)
    if is_indefinite(predicate):
        return forbid("indefinite-predicate", SECTION, predicate, said_of)
    rules = {"copula": "predicate-nominal", "implied": "implied-copula", "as": "as-phrase"}
    rule = (
        "shared-modifiers" if shared and predication.kind == "copula" else rules[predication.kind]
    )
    return link(
        rule,
        "3.7" if rule == "shared-modifiers" else SECTION,
        predicate,
        said_of,
        optional=shared or predication.kind != "copula",
        certain=_is_certain(predication, predicate),
    )


def _is_certain(predication: Predication, predicate: MarkablePhrase) -> bool:
    """Return whether a link is certain: no empty subject, no substance, no odd verb with "as"."""
    said_of = predication.subject
    if said_of.word in _EMPTY or (is_bare_singular(predicate) and _is_abstract(said_of)):
        return False
    verb = predicate.tree.heads[predicate.head]
    return predication.kind != "as" or predicate.tree.words[verb].lemma in _ROLE_VERBS


def _is_abstract(said_of: MarkablePhrase) -> bool:
    """Return whether it is a common noun without a name or owner, and so maybe a substance."""
    return said_of.pronoun is None and not said_of.is_name and said_of.relation != "obj"


def _are_several(predication: Predication, joined: list[MarkablePhrase]) -> bool:
    """Return whether the conjuncts are alternatives, or the subject is all of them together."""
    tree = predication.predicate.tree
    words = [tree.text(place).lower() for place in range(joined[0].head, joined[-1].head)]
    verbs = [tree.text(c).lower() for c in tree.under(predication.predicate.head, "cop")]
    if tree.under(predication.subject.head, "conj"):
        return True
    if len(joined) == 1:
        return False
    return "or" in words or bool({"are", "were", "'re", "’re"}.intersection(verbs))


def _is_clause(conjunct: MarkablePhrase, predicate: MarkablePhrase) -> bool:
    """Return whether a conjunct has its own subject, and so is no predicate of the first one's."""
    subjects = conjunct.tree.under(conjunct.head, "nsubj", "cop")
    return bool(subjects) and conjunct.order != predicate.order


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
    """Return whether "be" makes the noun a predicate, also if parsed as a passive's."""
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
    """Return whether the subject denies the predicate: "neither brother", "nobody"."""
    return said_of.phrase.word(said_of.phrase.first) in _NOBODY


def _named(outline: Outline, predicate: MarkablePhrase, verb: int) -> Predication | None:
    """Return who is meant in "named her president" and "is considered the best"."""
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
    """Return whether "as" makes the phrase a role; "as well as" and "as big as" do not."""
    phrase, before = predicate.phrase, predicate.phrase.first - 1
    if phrase.word(before) != "as" or phrase.tree.heads[before] != predicate.head:
        return False
    if phrase.tree.under(predicate.head, "nsubj", "cop"):
        return False
    earlier = [phrase.word(place) for place in range(max(0, before - 3), before)]
    return "as" not in earlier and not (earlier and earlier[-1] in _NO_ROLE)


def _equated(outline: Outline, predicate: MarkablePhrase, governor: int) -> Predication | None:
    """Return the subject of "serve as president", or the object of "hired her as president"."""
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
    """Return whether it has "a", "some", "one of", "two", "nothing", or is a bare plural."""
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
    """Return whether a lone common noun has no determiner or owner: an office, or a substance."""
    if marked.is_plural or marked.tree.tag(marked.head) != "NOUN":
        return False
    return not marked.phrase.is_determined
