"""A phrase is marked once, as a whole: never its head alone (§3.5, §4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.content.rules import Breach, ContentRule, advice
from tatian.coreference.definition.markable import is_bare, is_markable
from tatian.coreference.definition.phrases import MarkedPhrase, MarkedText
from tatian.text import Span
from tatian.text.lexicon import ARTICLES

_LEFT = ("det", "amod", "nummod", "nmod:poss", "det:predet")
_BEFORE_HEAD = frozenset(("DET", "ADJ", "NUM", "NOUN", "PROPN", "ADV", "PRON", "PART"))


def find_inner_heads(page: MarkedText) -> Iterator[Breach]:
    """Heads that are marked inside a marked phrase of their own, or without their modifiers."""
    outer = _outermost(page)
    for phrase in page.phrases:
        whole = outer.get((id(phrase.tree), phrase.head))
        if whole is not None and _is_inside(page, phrase, whole):
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} is the head of {page.quote(whole.mark)}, which is "
                "marked as well",
                "take the inner mark away: a head is markable only as part of its whole phrase",
            )
        elif phrase.end - phrase.first == 1 and (left := _missing_left(page, phrase)):
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} is the head of {page.quote(left)}, marked alone",
                f"mark {page.quote(left)}, or take the mark away",
            )


def find_short(page: MarkedText) -> Iterator[Breach]:
    """Marked phrases that stop before an "of", a relative clause or an apposition of theirs."""
    for phrase in page.phrases:
        if phrase.is_pronoun or not is_markable(page, phrase):
            continue
        whole = _missing_right(page, phrase)
        if whole is None and phrase.end - phrase.first > 1:
            whole = _missing_left(page, phrase)
        if whole is not None:
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} is not the whole phrase",
                f"mark {page.quote(whole)} as the maximal noun phrase",
            )


def _outermost(page: MarkedText) -> dict[tuple[int, int], MarkedPhrase]:
    """For each head, the longest phrase marked around it."""
    found: dict[tuple[int, int], MarkedPhrase] = {}
    for phrase in page.phrases:
        key = id(phrase.tree), phrase.head
        if key not in found or len(phrase.mark) > len(found[key].mark):
            found[key] = phrase
    return found


def _is_inside(page: MarkedText, phrase: MarkedPhrase, whole: MarkedPhrase) -> bool:
    left = range(whole.first, phrase.first)
    return (
        whole.mark.contains(phrase.mark)
        and not page.is_same(whole.mark, phrase.mark)
        and all(whole.tag(place) in _BEFORE_HEAD for place in left)
        and not any(c in whole.places for c in whole.tree.under(whole.head, "conj"))
        and phrase.tag(phrase.head) != "VERB"
        and phrase.tag(phrase.end - 1) != "PART"
        and not is_bare(whole, phrase)
        and not (phrase.end < whole.end and whole.tag(phrase.end) in ("NOUN", "PROPN"))
    )


def _missing_left(page: MarkedText, phrase: MarkedPhrase) -> Span | None:
    """The phrase with the modifiers before it, where they are more than an article."""
    tree, head = phrase.tree, phrase.head
    if phrase.tag(head) != "NOUN" or page.unit_at(tree.tokens[head]) is not None:
        return None
    alone = phrase.end - phrase.first == 1
    modifiers = [
        child
        for child in tree.children[head]
        if child < phrase.first
        and tree.tag(child) != "VERB"
        and (tree.words[child].relation in _LEFT or (alone and tree.relation(child) == "compound"))
    ]
    places = sorted({place for one in modifiers for place in tree.subtree(one)})
    if not places or places[-1] != phrase.first - 1:
        return None
    if places != list(range(places[0], phrase.first)) or tree.tag(places[-1]) == "PUNCT":
        return None
    if all(phrase.word(place) in ARTICLES for place in places):
        return None
    whole = Span(tree.tokens[places[0]].start, phrase.mark.end)
    linked = (mark for mark in page.marks if mark.chain == phrase.mark.chain)
    return None if any(whole.contains(one) for one in linked if one != phrase.mark) else whole


def _missing_right(page: MarkedText, phrase: MarkedPhrase) -> Span | None:
    """The phrase with an "of" or a relative clause that follows it at once."""
    tree, head = phrase.tree, phrase.head
    unit = page.unit_at(tree.tokens[head])
    for child in tree.children[head]:
        if child < phrase.end:
            continue
        places = sorted(tree.subtree(child))
        whole = places == list(range(phrase.end, phrase.end + len(places)))
        is_of = tree.relation(child) == "nmod" and phrase.word(phrase.end) == "of"
        relative = tree.words[child].relation == "acl:relcl" and phrase.word(phrase.end) in (
            "who",
            "which",
            "whom",
            "whose",
        )
        if whole and (is_of or relative) and (unit is None or unit.end <= phrase.mark.end):
            return Span(phrase.mark.start, tree.tokens[places[-1]].end)
    return None


RULES = (
    ContentRule(
        advice("head-inside", "3.5", "A head is markable only as part of its whole phrase."),
        find_inner_heads,
    ),
    ContentRule(
        advice("not-maximal", "4.2", "The maximal phrase is marked, with all its modifiers."),
        find_short,
    ),
)
