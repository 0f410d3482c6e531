"""Roles (§5.4): who holds one, who does not, and to whom it passes.

A role that a text denies of somebody, or limits to another time, makes later phrases for it refer
to somebody else. A role passes on by a verb such as "succeed" or "sell".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tatian.analysis.trees import Tree
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.predicates import is_indefinite, predications
from tatian.text.lexicon import ROLE_HEADS, word_set

SECTION = "5.4"
_TAKING = word_set("buy purchase acquire inherit")
_GIVING = word_set("sell give leave bequeath transfer hand")
_OWNERS = word_set("owner proprietor landlord buyer purchaser")


def roles(outline: Outline) -> Iterator[Ruling]:
    """Yield links and refusals of phrases for a role."""
    by_lemma: dict[str, list[MarkablePhrase]] = {}
    for markable in outline.markables:
        if _is_definite(markable):
            by_lemma.setdefault(markable.lemma, []).append(markable)
    yield from _not_held(outline, by_lemma)
    yield from _passed_on(outline, by_lemma)
    yield from _titled(outline, by_lemma)


def _is_definite(markable: MarkablePhrase) -> bool:
    return (
        markable.pronoun is None
        and markable.phrase.word(markable.phrase.first) == "the"
        and markable.unit is None
    )


def _not_held(outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]) -> Iterator[Ruling]:
    """Forbid "the mayor" for Glenn after "Glenn is not the mayor", or later after "once was".

    An exception is made if the text elsewhere says that somebody of that name is.
    """
    stated = list(predications(outline))
    held = {
        (predication.predicate.lemma, predication.subject.word)
        for predication in stated
        if predication.asserted and not predication.former
    }
    for predication in stated:
        if not (predication.denied or predication.former) or is_indefinite(predication.predicate):
            continue
        if (predication.predicate.lemma, predication.subject.word) in held:
            continue
        for other in by_lemma.get(predication.predicate.lemma, ()):
            if predication.denied and other.order != predication.predicate.order:
                yield forbid("denied-role", SECTION, other, predication.subject)
            if predication.former and other.order > predication.predicate.order:
                yield forbid("former-role", SECTION, other, predication.subject)
                yield forbid("former-role", SECTION, other, predication.predicate)


class _Passing(NamedTuple):
    """The passing of a role, or a thing, from one person to another."""

    verb: int
    """Offset of the verb."""
    old: MarkablePhrase | None
    new: MarkablePhrase
    of_thing: bool


def _passed_on(outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]) -> Iterator[Ruling]:
    """Link "the chairman" after "Owen Pratt succeeded her", and "the owner" after a sale."""
    passings = [passing for tree in outline.trees for passing in _passings(outline, tree)]
    held = list(_held(outline)) if passings else []
    for passing in passings:
        lemmas = _OWNERS if passing.of_thing else _roles_of(passing, held)
        for lemma in sorted(lemmas):
            for phrase in by_lemma.get(lemma, ()):
                if phrase.mention.start < passing.verb or _is_said_of_another(phrase):
                    continue
                yield link("succession", SECTION, phrase, passing.new)
                if passing.old is not None:
                    yield forbid("succession", SECTION, phrase, passing.old)


def _passings(outline: Outline, tree: Tree) -> Iterator[_Passing]:
    for verb, word in enumerate(tree.words):
        lemma = word.lemma.lower()
        if word.tag != "VERB":
            continue
        passive = any(
            tree.words[c].relation in ("aux:pass", "nsubj:pass") for c in tree.children[verb]
        )
        subjects, objects = tree.under(verb, "nsubj"), tree.under(verb, "obj")
        old: int | None = None
        new: int | None = None
        thing = lemma in _TAKING or lemma in _GIVING
        if lemma in ("succeed", "replace"):
            old, new = (_first(objects), _first(subjects))
            if passive:
                old, new = _first(subjects), _after(tree, verb, "by")
        elif lemma == "take" and any(tree.text(c) == "over" for c in tree.children[verb]):
            old, new = _after(tree, verb, "from"), _first(subjects)
        elif lemma in _GIVING and not passive and objects:
            received = _after(tree, verb, "to")
            inside = _after(tree, objects[0], "to") if received is None else received
            old, new = _first(subjects), inside
        elif lemma in _TAKING and not passive and objects:
            old, new = _after(tree, verb, "from"), _first(subjects)
        taker, giver = outline.at(tree, new), outline.at(tree, old)
        if taker is not None and (thing or giver is not None):
            yield _Passing(tree.tokens[verb].start, giver, taker, thing)


def _first(places: list[int]) -> int | None:
    return places[0] if places else None


def _after(tree: Tree, place: int, preposition: str) -> int | None:
    """Return the child of a word after a preposition."""
    for child in tree.under(place, "obl", "nmod"):
        if any(tree.text(c).lower() == preposition for c in tree.under(child, "case")):
            return child
    return None


def _held(outline: Outline) -> Iterator[tuple[MarkablePhrase, MarkablePhrase]]:
    """Yield pairs of a person and a role that the text asserts."""
    for predication in predications(outline):
        if predication.asserted:
            yield predication.subject, predication.predicate
    for markable in outline.markables:
        if markable.relation == "appos" and markable.tree.tag(markable.head) == "NOUN":
            host = outline.at(markable.tree, markable.tree.heads[markable.head])
            if host is not None and host.order != markable.order:
                yield host, markable


def _roles_of(passing: _Passing, held: list[tuple[MarkablePhrase, MarkablePhrase]]) -> set[str]:
    """Return the roles of the predecessor; for a pronoun, those of the last holder of a role."""
    before = [(holder, role) for holder, role in held if role.mention.start < passing.verb]
    old = passing.old
    if old is not None and old.pronoun is None:
        before = [
            (holder, role) for holder, role in before if _last_word(holder) == _last_word(old)
        ]
    else:
        before = [(holder, role) for holder, role in before if holder.is_person][-1:]
    return {role.lemma for _, role in before}


def _last_word(markable: MarkablePhrase) -> str:
    span = markable.mention.head or markable.mention
    return markable.tree.text(markable.tree.place(span.end) - 1).lower()


def _is_said_of_another(phrase: MarkablePhrase) -> bool:
    """Return whether a name beside the phrase identifies it."""
    tree = phrase.tree
    return bool(tree.under(phrase.head, "appos", "flat", "cop")) or phrase.relation == "appos"


def _titled(outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]) -> Iterator[Ruling]:
    """Link "the senator" with the only person before it who is called "Senator"."""
    people: dict[str, list[MarkablePhrase]] = {}
    for person in outline.markables:
        if not (person.is_name and person.mention.type == "PER"):
            continue
        name = person.mention.head or person.mention
        first = person.tree.place(name.start)
        title = person.tree.text(first - 1).lower() if first else ""
        if title in ROLE_HEADS and title in by_lemma:
            people.setdefault(title, []).append(person)
    for title, called in people.items():
        if len({_last_word(person) for person in called}) > 1:
            continue
        for phrase in by_lemma[title]:
            before = [person for person in called if person.order < phrase.order]
            if before and not _is_said_of_another(phrase) and _is_short(phrase):
                yield link("title", SECTION, phrase, before[-1])


def _is_short(phrase: MarkablePhrase) -> bool:
    """Return whether it is the article and the noun alone."""
    return phrase.phrase.end - phrase.phrase.first == 2
