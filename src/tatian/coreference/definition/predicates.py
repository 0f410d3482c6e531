"""Predicates (§5.4), which corefer with their subjects if the text asserts them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tatian.coreference import LISTS
from tatian.coreference.definition.clauses import (
    conjuncts_of,
    is_asserted,
    is_denied,
    is_former,
    share_modifiers,
    subject,
)
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.phrases import BEING, has_indefinite_wording, is_naming
from tatian.text.lexicon import INDEFINITE_PRONOUNS, NUMBER_WORDS, word_set

SECTION = "5.4"
_WORDS_BEFORE_AS = word_set("well such same soon long much far just known")
_ROLE_VERBS = LISTS["role verbs"]
"""Verbs after which "as" always gives a role."""
_NEGATIVE_SUBJECTS = word_set("neither no none nobody")
_EMPTY_SUBJECTS = word_set("it this that these those there")
Kind = Literal["copula", "implied", "as"]


class Predication(NamedTuple):
    """A subject and its predicate."""

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
        joined = [predication.predicate]
        for conjunct in conjuncts_of(outline, predication.predicate):
            begins_clause = conjunct.tree.under(conjunct.head, "nsubj", "cop")
            joined += [] if begins_clause else [conjunct]
        shared = share_modifiers([conjunct.phrase for conjunct in joined])
        is_refused = _is_not_one_thing(predication, joined)
        for predicate in joined:
            if is_refused:
                yield forbid("conjoined-predicate", "3.7", predicate, predication.subject)
            else:
                yield _predicate_ruling(predication, predicate, shared)


def predications(outline: Outline) -> Iterator[Predication]:
    """Yield every phrase that a copula, a verb of naming or "as" makes a predicate."""
    for predicate in outline.markables:
        if predicate.pronoun is None:
            predication = _predication_of(outline, predicate)
            if predication is not None and predication.subject.order != predicate.order:
                yield predication


def _predicate_ruling(predication: Predication, predicate: MarkablePhrase, shared: bool) -> Ruling:
    subject_phrase = predication.subject
    if not predication.asserted:
        return forbid("possible-identity", SECTION, predicate, subject_phrase)
    if is_indefinite(predicate):
        return forbid("indefinite-predicate", SECTION, predicate, subject_phrase)
    rules = {"copula": "predicate-nominal", "implied": "implied-copula", "as": "as-phrase"}
    rule, section = rules[predication.kind], SECTION
    if shared and predication.kind == "copula":
        rule, section = "shared-modifiers", "3.7"
    return link(
        rule,
        section,
        predicate,
        subject_phrase,
        optional=shared or predication.kind != "copula",
        certain=_is_certain_predicate(predication, predicate),
    )


def _is_certain_predicate(predication: Predication, predicate: MarkablePhrase) -> bool:
    """Return whether subject, predicate and verb are such that the link is certain."""
    subject_phrase = predication.subject
    may_be_substance = is_bare_singular(predicate) and _is_abstract(subject_phrase)
    if subject_phrase.word in _EMPTY_SUBJECTS or may_be_substance:
        return False
    verb = predicate.tree.heads[predicate.head]
    return predication.kind != "as" or predicate.tree.words[verb].lemma in _ROLE_VERBS


def _is_abstract(subject_phrase: MarkablePhrase) -> bool:
    """Return whether the subject may be a substance: no pronoun, name or object."""
    is_noun = subject_phrase.pronoun is None and not subject_phrase.is_name
    return is_noun and subject_phrase.relation != "obj"


def _is_not_one_thing(predication: Predication, joined: list[MarkablePhrase]) -> bool:
    """Return whether the conjuncts are alternatives, or describe the subject only together."""
    tree = predication.predicate.tree
    words = [tree.text(index).lower() for index in range(joined[0].head, joined[-1].head)]
    verbs = [tree.text(c).lower() for c in tree.under(predication.predicate.head, "cop")]
    if tree.under(predication.subject.head, "conj"):
        return True
    if len(joined) == 1:
        return False
    return "or" in words or bool({"are", "were", "'re", "’re"}.intersection(verbs))


def _predication_of(outline: Outline, predicate: MarkablePhrase) -> Predication | None:
    tree, head = predicate.tree, predicate.head
    governor = tree.heads[head]
    if _follows_as(predicate):
        return _as_predication(outline, predicate, governor)
    if tree.under(head, "case"):
        return None
    helpers = (tree.words[child].lemma for child in tree.under(head, "cop", "aux"))
    if tree.tag(head) != "VERB" and any(lemma in BEING for lemma in helpers):
        return _copular_predication(outline, predicate, head)
    if governor < 0 or tree.relation(head) not in ("xcomp", "obj"):
        return None
    if tree.words[governor].lemma in BEING:
        return _copular_predication(outline, predicate, governor)
    if is_naming(predicate.phrase, governor):
        return _naming_predication(outline, predicate, governor)
    return None


def _copular_predication(
    outline: Outline, predicate: MarkablePhrase, clause: int
) -> Predication | None:
    subject_phrase = outline.at(predicate.tree, subject(predicate.tree, clause))
    if subject_phrase is None:
        return None
    tree = predicate.tree
    first_word = subject_phrase.phrase.word(subject_phrase.phrase.first)
    denied = is_denied(tree, clause) or first_word in _NEGATIVE_SUBJECTS
    asserted = is_asserted(tree, clause) and not denied
    former = is_former(tree, clause)
    return Predication(subject_phrase, predicate, "copula", asserted, denied, former)


def _naming_predication(
    outline: Outline, predicate: MarkablePhrase, verb: int
) -> Predication | None:
    """Return the predication in "named her president" or "is considered the best"."""
    tree = predicate.tree
    objects = [c for c in tree.under(verb, "obj", "iobj") if c < predicate.head]
    passive = any(tree.words[c].relation == "aux:pass" for c in tree.children[verb])
    participle = tree.words[verb].relation == "acl" and tree.words[verb].fine == "VBN"
    if objects:
        subject_phrase = outline.at(tree, objects[0])
    elif passive or participle:
        subject_phrase = outline.at(tree, subject(tree, verb))
    else:
        return None
    if subject_phrase is None or subject_phrase.phrase.is_possessor:
        return None
    return Predication(subject_phrase, predicate, "implied", is_asserted(tree, verb))


def _follows_as(predicate: MarkablePhrase) -> bool:
    """Return whether "as" introduces the phrase as a role, unlike "as well as" and "as big as"."""
    phrase, before = predicate.phrase, predicate.phrase.first - 1
    if phrase.word(before) != "as" or phrase.tree.heads[before] != predicate.head:
        return False
    if phrase.tree.under(predicate.head, "nsubj", "cop"):
        return False
    earlier = [phrase.word(index) for index in range(max(0, before - 3), before)]
    return "as" not in earlier and not (earlier and earlier[-1] in _WORDS_BEFORE_AS)


def _as_predication(
    outline: Outline, predicate: MarkablePhrase, governor: int
) -> Predication | None:
    """Return the predication in "serve as president" or "hired her as president"."""
    tree = predicate.tree
    if governor < 0 or tree.tag(governor) != "VERB":
        return None
    objects = tree.under(governor, "obj")
    index = objects[0] if objects else subject(tree, governor)
    subject_phrase = outline.at(tree, index)
    if subject_phrase is None:
        return None
    return Predication(subject_phrase, predicate, "as", is_asserted(tree, governor))


_INDEFINITE = word_set("a an another some any several many few no both such more most")


def is_indefinite(marked: MarkablePhrase) -> bool:
    """Return whether a phrase is indefinite: "a", "some", "two", "nothing", or a bare plural."""
    if marked.is_value:
        return False
    if has_indefinite_wording(marked.phrase) or marked.word in INDEFINITE_PRONOUNS:
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
    """Return whether a singular common noun has no determiner or owner: office or substance."""
    if marked.is_plural or marked.tree.tag(marked.head) != "NOUN":
        return False
    return not marked.phrase.is_determined
