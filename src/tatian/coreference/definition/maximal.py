"""Maximal noun phrases around marked heads (§4.2), by the trees of an analysed document."""

from __future__ import annotations

from bisect import bisect_left

from tatian.analysis.phrases import NounPhrase, noun_phrases
from tatian.analysis.trees import Forest, Tree
from tatian.coreference.definition.phrases import BEING
from tatian.text import Document, Span
from tatian.text.lexicon import MONTHS, RELATIVE_DATES, WEEKDAYS, word_set

_COMMON = frozenset(("NOUN", "SYM", "NUM"))
_NOT_OF_NOUNS = word_set("by as than because due until since after before during")
"""What begins a prepositional phrase that no reader would give to the noun before it."""
_TIMES = (
    frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | frozenset(word for word in RELATIVE_DATES if " " not in word)
    | word_set("day week month year time moment hour minute morning afternoon evening night")
)


class MaximalPhrases:
    """Finds the whole phrase that a head, or a part of a phrase with the head in it, stands for."""

    def __init__(self, document: Document, *, widest: bool = True) -> None:
        """`widest` adds the closing comma of an apposition, and what could be the verb's (§4.2)."""
        self._forest = Forest(document)
        self._phrases = {phrase.head: phrase for phrase in noun_phrases(document)}
        self._minima = sorted(self._phrases.values(), key=lambda phrase: phrase.minimum.start)
        self._widest = widest

    def around(self, head: Span) -> Span | None:
        """The maximal phrase; None where the tree sees no noun phrase with this head."""
        tree = self._forest.at(head.start)
        if tree is None:
            return None
        for top in tree.tops(tree.places(head)):
            if tree.tag(top) == "PUNCT":
                continue
            place = _name_head(tree, top)
            phrase = self._phrases.get(tree.words[place].token)
            if phrase is not None and (place == top or phrase.minimum.contains(head)):
                return Span(phrase.start, self._end(tree, place, phrase))
        return self._named(head)

    def _named(self, head: Span) -> Span | None:
        """The phrase of a name that the head is all of, whatever its tree looks like."""
        index = bisect_left(self._minima, head.start, key=lambda phrase: phrase.minimum.start)
        for phrase in self._minima[index : index + 1]:
            if phrase.minimum == Span(head.start, head.end):
                return Span(phrase.start, phrase.end)
        return None

    def _end(self, tree: Tree, head: int, phrase: NounPhrase) -> int:
        """Where the phrase ends, with what the definition adds to what the tree says.

        The comma that closes an apposition belongs to it (§5.3), and a prepositional phrase that
        may be the noun's or the verb's is the noun's (§4.2: "a joint venture with Sony").
        """
        if not self._widest:
            return phrase.end
        after = tree.place(phrase.end)
        if tree.relation(head) == "appos" and _is_set_off(tree, phrase, after):
            return tree.tokens[after].end
        became = _is_become(tree, head)
        if tree.tag(head) not in _COMMON or not (became or tree.relation(head) == "obj"):
            return phrase.end
        for other in tree.under(tree.heads[head], "obl"):
            places = sorted(tree.subtree(other))
            if places[0] == after and _may_modify_noun(tree, other, places, timed=became):
                return tree.tokens[places[-1]].end
        return phrase.end


def _name_head(tree: Tree, place: int) -> int:
    """The word that a name's other words hang on: the first, where people mark the last."""
    while tree.relation(place) == "flat" and tree.heads[place] >= 0:
        place = tree.heads[place]
    return place


def _is_set_off(tree: Tree, phrase: NounPhrase, after: int) -> bool:
    """Whether commas stand before and behind a phrase."""
    before = tree.place(phrase.start) - 1
    marks = [tree.text(at) if 0 <= at < len(tree.words) else "" for at in (before, after)]
    return marks == [",", ","]


def _is_become(tree: Tree, head: int) -> bool:
    """Whether the noun is what somebody became or remained."""
    verb = tree.heads[head]
    return tree.relation(head) in ("xcomp", "obj") and tree.words[verb].lemma.lower() in BEING


def _may_modify_noun(tree: Tree, other: int, places: list[int], *, timed: bool) -> bool:
    """Whether a verb's prepositional phrase could as well be said of the noun before it.

    A time can where the noun is `timed`, as an office is: "became director in 1990".
    """
    if tree.words[other].relation != "obl" or places != list(range(places[0], places[-1] + 1)):
        return False
    if tree.tag(places[0]) != "ADP" or tree.text(places[0]).lower() in _NOT_OF_NOUNS:
        return False
    is_time = tree.words[other].lemma.lower() in _TIMES or tree.text(other).isdigit()
    return tree.tag(other) != "PRON" and (timed or not is_time)
