"""§3.7: phrases joined by "and" have a head each, and are marked apart if at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tatian.coreference.definition.clauses import subject
from tatian.coreference.definition.outline import Marked, Outline
from tatian.coreference.definition.rulings import Ruling, forbid
from tatian.text.lexicon import DETERMINERS

SECTION = "3.7"


def conjoined(outline: Outline) -> Iterator[Ruling]:
    """Conjuncts are not each other, and "they" for all of them is none of them."""
    for first in outline.markables:
        others = conjuncts_of(outline, first)
        if not others or _is_predicate(first):
            continue
        joined = [first, *others]
        for number, one in enumerate(joined):
            for other in joined[:number]:
                yield forbid("conjuncts", SECTION, one, other)
        for pronoun in outline.by_sentence[outline.sentence(first)]:
            if _is_for_all(first, pronoun):
                for one in joined:
                    yield forbid("conjoined-phrase", SECTION, pronoun, one)


def conjuncts_of(outline: Outline, first: Marked) -> list[Marked]:
    """The phrases that a phrase is joined with, itself left out; none for a later one of them."""
    places = first.tree.under(first.head, "conj")
    found = (outline.at(first.tree, place) for place in places if place > first.head)
    return [one for one in found if one is not None and one.order != first.order]


def share_modifiers(joined: Sequence[Marked]) -> bool:
    """Whether conjuncts have a determiner before, or an "of" after, for all of them."""
    if len(joined) < 2 or not all(_is_common(one) for one in joined):
        return False
    first, *middle, last = joined
    if any(_has_own_determiner(one) for one in (*middle, last)):
        return False
    has_own = any(first.phrase.tag(place) == "ADP" for place in first.phrase.places)
    after = last.phrase.word(last.head + 1) in ("of", "at", "for", "in")
    return _has_own_determiner(first) or (after and not has_own)


def _is_predicate(marked: Marked) -> bool:
    """Whether it says what something is: two such phrases can be said of one thing."""
    role = marked.relation in ("appos", "xcomp")
    return role or bool(marked.tree.under(marked.head, "cop"))


def _is_common(marked: Marked) -> bool:
    text = marked.tree.text(marked.head)
    return marked.tree.tag(marked.head) == "NOUN" or (text.isupper() and len(text) < 5)


def _has_own_determiner(marked: Marked) -> bool:
    tree = marked.tree
    owned = any(tree.words[c].relation == "nmod:poss" for c in tree.children[marked.head])
    return owned or marked.phrase.word(marked.phrase.first) in DETERMINERS


def _is_for_all(first: Marked, pronoun: Marked) -> bool:
    """Whether a plural pronoun stands in a clause whose subject the conjoined phrase is."""
    meaning = pronoun.pronoun
    if meaning is None or meaning.number != "plural" or meaning.person != 3:
        return False
    place = pronoun.head
    while place >= 0:
        if subject(first.tree, place) == first.head:
            return True
        place = first.tree.heads[place]
    return False
