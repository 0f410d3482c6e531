"""Rulings on roles such as "the mayor" (§5.4).

If the text denies that somebody holds a role, or says that it is over, later phrases for the role
refer to somebody else. Verbs such as "succeed" or "sell" pass a role on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tatian.analysis.trees import Tree
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.predicates import is_indefinite, predications
from tatian.grouping import grouped
from tatian.text.lexicon import ROLE_HEADS, word_set

SECTION = "5.4"
_TAKING_VERBS = word_set("buy purchase acquire inherit")
_GIVING_VERBS = word_set("sell give leave bequeath transfer hand")
_OWNER_NOUNS = word_set("owner proprietor landlord buyer purchaser")


def roles(outline: Outline) -> Iterator[Ruling]:
    """Link and forbid phrases for a role."""
    definite = filter(_is_definite, outline.markables)
    by_lemma = grouped((markable.lemma, markable) for markable in definite)
    yield from _forbid_unheld_roles(outline, by_lemma)
    yield from _link_successors(outline, by_lemma)
    yield from _link_titles(outline, by_lemma)


def _is_definite(markable: MarkablePhrase) -> bool:
    return (
        markable.pronoun is None
        and markable.phrase.word(markable.phrase.first) == "the"
        and markable.unit is None
    )


def _forbid_unheld_roles(
    outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]
) -> Iterator[Ruling]:
    """Forbid "the mayor" for Glenn if the text says "Glenn is not the mayor".

    After "Glenn once was the mayor", only later phrases are forbidden. The rule does not apply if
    the text elsewhere asserts the role of somebody with that name.
    """
    stated = list(predications(outline))
    asserted = {
        (predication.predicate.lemma, predication.subject.word)
        for predication in stated
        if predication.asserted and not predication.former
    }
    for predication in stated:
        if not (predication.denied or predication.former) or is_indefinite(predication.predicate):
            continue
        if (predication.predicate.lemma, predication.subject.word) in asserted:
            continue
        for phrase in by_lemma.get(predication.predicate.lemma, ()):
            if predication.denied and phrase.order != predication.predicate.order:
                yield forbid("denied-role", SECTION, phrase, predication.subject)
            if predication.former and phrase.order > predication.predicate.order:
                yield forbid("former-role", SECTION, phrase, predication.subject)
                yield forbid("former-role", SECTION, phrase, predication.predicate)


class _Transfer(NamedTuple):
    """The transfer of a role or a thing from one person to another."""

    verb: int
    """Character offset of the verb."""
    giver: MarkablePhrase | None
    taker: MarkablePhrase
    is_of_thing: bool


def _link_successors(
    outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]
) -> Iterator[Ruling]:
    """Link "the chairman" after "Owen Pratt succeeded her", and "the owner" after a sale."""
    transfers = [transfer for tree in outline.trees for transfer in _transfers(outline, tree)]
    holders = list(_role_holders(outline)) if transfers else []
    for transfer in transfers:
        lemmas = _OWNER_NOUNS if transfer.is_of_thing else _roles_passed(transfer, holders)
        for lemma in sorted(lemmas):
            for phrase in by_lemma.get(lemma, ()):
                if phrase.mention.start < transfer.verb or _is_identified_by_name(phrase):
                    continue
                yield link("succession", SECTION, phrase, transfer.taker)
                if transfer.giver is not None:
                    yield forbid("succession", SECTION, phrase, transfer.giver)


def _transfers(outline: Outline, tree: Tree) -> Iterator[_Transfer]:
    for verb, word in enumerate(tree.words):
        lemma = word.lemma.lower()
        if word.tag != "VERB":
            continue
        relations = {tree.words[child].relation for child in tree.children[verb]}
        passive = not relations.isdisjoint(("aux:pass", "nsubj:pass"))
        subjects, objects = tree.under(verb, "nsubj"), tree.under(verb, "obj")
        giver_place: int | None = None
        taker_place: int | None = None
        is_of_thing = lemma in _TAKING_VERBS or lemma in _GIVING_VERBS
        if lemma in ("succeed", "replace"):
            giver_place, taker_place = _first(objects), _first(subjects)
            if passive:
                giver_place, taker_place = _first(subjects), _child_after(tree, verb, "by")
        elif lemma == "take" and any(tree.text(c) == "over" for c in tree.children[verb]):
            giver_place, taker_place = _child_after(tree, verb, "from"), _first(subjects)
        elif lemma in _GIVING_VERBS and not passive and objects:
            giver_place, taker_place = _first(subjects), _child_after(tree, verb, "to")
            if taker_place is None:
                taker_place = _child_after(tree, objects[0], "to")
        elif lemma in _TAKING_VERBS and not passive and objects:
            giver_place, taker_place = _child_after(tree, verb, "from"), _first(subjects)
        taker, giver = outline.at(tree, taker_place), outline.at(tree, giver_place)
        if taker is not None and (is_of_thing or giver is not None):
            yield _Transfer(tree.tokens[verb].start, giver, taker, is_of_thing)


def _first(places: list[int]) -> int | None:
    return places[0] if places else None


def _child_after(tree: Tree, index: int, preposition: str) -> int | None:
    """Return a word's child with the given preposition."""
    for child in tree.under(index, "obl", "nmod"):
        if any(tree.text(c).lower() == preposition for c in tree.under(child, "case")):
            return child
    return None


def _role_holders(outline: Outline) -> Iterator[tuple[MarkablePhrase, MarkablePhrase]]:
    """Yield pairs of a person and a role that the text asserts."""
    for predication in predications(outline):
        if predication.asserted:
            yield predication.subject, predication.predicate
    for markable in outline.markables:
        if markable.relation == "appos" and markable.tree.tag(markable.head) == "NOUN":
            host = outline.at(markable.tree, markable.tree.heads[markable.head])
            if host is not None and host.order != markable.order:
                yield host, markable


def _roles_passed(
    transfer: _Transfer, holders: list[tuple[MarkablePhrase, MarkablePhrase]]
) -> set[str]:
    """Return the lemmas of the giver's roles; for a pronoun, that of the last holder of a role."""
    before = [pair for pair in holders if pair[1].mention.start < transfer.verb]
    giver = transfer.giver
    if giver is not None and giver.pronoun is None:
        before = [pair for pair in before if _last_word(pair[0]) == _last_word(giver)]
    else:
        before = [pair for pair in before if pair[0].is_person][-1:]
    return {role.lemma for _, role in before}


def _last_word(markable: MarkablePhrase) -> str:
    span = markable.mention.head or markable.mention
    return markable.tree.text(markable.tree.place(span.end) - 1).lower()


def _is_identified_by_name(phrase: MarkablePhrase) -> bool:
    """Return whether a name beside the phrase identifies it."""
    tree = phrase.tree
    return bool(tree.under(phrase.head, "appos", "flat", "cop")) or phrase.relation == "appos"


def _link_titles(outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]) -> Iterator[Ruling]:
    """Link "the senator" with the only earlier person titled "Senator"."""
    people: dict[str, list[MarkablePhrase]] = {}
    for person in outline.markables:
        if not (person.is_name and person.mention.type == "PER"):
            continue
        name = person.mention.head or person.mention
        first = person.tree.place(name.start)
        title = person.tree.text(first - 1).lower() if first else ""
        if title in ROLE_HEADS and title in by_lemma:
            people.setdefault(title, []).append(person)
    for title, titled in people.items():
        if len({_last_word(person) for person in titled}) > 1:
            continue
        for phrase in by_lemma[title]:
            before = [person for person in titled if person.order < phrase.order]
            is_bare = phrase.phrase.end - phrase.phrase.first == 2
            if before and is_bare and not _is_identified_by_name(phrase):
                yield link("title", SECTION, phrase, before[-1])
