"""§5.4: who holds a role, who does not, and to whom it passes.

What a text denies of somebody, or says of another time alone, makes later phrases for that role
somebody else's. A role passes on by a verb such as "succeed" or "sell".
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
    """Links and refusals of phrases for a role."""
    by_lemma: dict[str, list[MarkablePhrase]] = {}
    for one in outline.markables:
        if _is_definite(one):
            by_lemma.setdefault(one.lemma, []).append(one)
    yield from _not_held(outline, by_lemma)
    yield from _passed_on(outline, by_lemma)
    yield from _titled(outline, by_lemma)


def _is_definite(one: MarkablePhrase) -> bool:
    return one.pronoun is None and one.phrase.word(one.phrase.first) == "the" and one.unit is None


def _not_held(outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]) -> Iterator[Ruling]:
    """After "Glenn is not the mayor" no "the mayor" is Glenn; after "was the mayor once" no later.

    Unless the text says elsewhere that somebody of that name is.
    """
    said = list(predications(outline))
    held = {
        (one.predicate.lemma, one.subject.word) for one in said if one.asserted and not one.former
    }
    for one in said:
        if not (one.denied or one.former) or is_indefinite(one.predicate):
            continue
        if (one.predicate.lemma, one.subject.word) in held:
            continue
        for other in by_lemma.get(one.predicate.lemma, ()):
            if one.denied and other.order != one.predicate.order:
                yield forbid("denied-role", SECTION, other, one.subject)
            if one.former and other.order > one.predicate.order:
                yield forbid("former-role", SECTION, other, one.subject)
                yield forbid("former-role", SECTION, other, one.predicate)


class _Passing(NamedTuple):
    """That a role, or a thing, passes from one to another."""

    verb: int
    """Where the text says so, as an offset."""
    old: MarkablePhrase | None
    new: MarkablePhrase
    of_thing: bool


def _passed_on(outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]) -> Iterator[Ruling]:
    """After "Owen Pratt succeeded her" "the chairman" is Pratt; after a sale "the owner" buys."""
    passings = [one for tree in outline.trees for one in _passings(outline, tree)]
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
    """What stands below a word after a preposition."""
    for child in tree.under(place, "obl", "nmod"):
        if any(tree.text(c).lower() == preposition for c in tree.under(child, "case")):
            return child
    return None


def _held(outline: Outline) -> Iterator[tuple[MarkablePhrase, MarkablePhrase]]:
    """Pairs of somebody and a role that the text says is theirs."""
    for said in predications(outline):
        if said.asserted:
            yield said.subject, said.predicate
    for one in outline.markables:
        if one.relation == "appos" and one.tree.tag(one.head) == "NOUN":
            host = outline.at(one.tree, one.tree.heads[one.head])
            if host is not None and host.order != one.order:
                yield host, one


def _roles_of(passing: _Passing, held: list[tuple[MarkablePhrase, MarkablePhrase]]) -> set[str]:
    """What is known of whom somebody follows; of a pronoun, what the last holder of a role is."""
    before = [(one, role) for one, role in held if role.mention.start < passing.verb]
    old = passing.old
    if old is not None and old.pronoun is None:
        before = [(one, role) for one, role in before if _last_word(one) == _last_word(old)]
    else:
        before = [(one, role) for one, role in before if one.is_person][-1:]
    return {role.lemma for _, role in before}


def _last_word(one: MarkablePhrase) -> str:
    span = one.mention.head or one.mention
    return one.tree.text(one.tree.place(span.end) - 1).lower()


def _is_said_of_another(phrase: MarkablePhrase) -> bool:
    """Whether a name beside the phrase says who it is."""
    tree = phrase.tree
    return bool(tree.under(phrase.head, "appos", "flat", "cop")) or phrase.relation == "appos"


def _titled(outline: Outline, by_lemma: dict[str, list[MarkablePhrase]]) -> Iterator[Ruling]:
    """ "The senator" is the only person before it who is called "Senator"."""
    people: dict[str, list[MarkablePhrase]] = {}
    for one in outline.markables:
        if not (one.is_name and one.mention.type == "PER"):
            continue
        name = one.mention.head or one.mention
        first = one.tree.place(name.start)
        title = one.tree.text(first - 1).lower() if first else ""
        if title in ROLE_HEADS and title in by_lemma:
            people.setdefault(title, []).append(one)
    for title, called in people.items():
        if len({_last_word(one) for one in called}) > 1:
            continue
        for phrase in by_lemma[title]:
            before = [one for one in called if one.order < phrase.order]
            if before and not _is_said_of_another(phrase) and _is_short(phrase):
                yield link("title", SECTION, phrase, before[-1])


def _is_short(phrase: MarkablePhrase) -> bool:
    """Whether it is the article and the noun alone."""
    return phrase.phrase.end - phrase.phrase.first == 2
