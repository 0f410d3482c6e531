"""Properties of a phrase: markability (§3), MIN (§4.1), apposition, extent (§4.2)."""

from __future__ import annotations

from bisect import bisect_left

from tatian.analysis.phrases import NounPhrase, minimum, noun_phrases
from tatian.analysis.trees import Forest, Tree
from tatian.coreference import LISTS
from tatian.coreference.definition.phrases import BEING, MarkedPhrase, MarkedText, is_naming
from tatian.coreference.definition.units import is_office, is_title
from tatian.text import Document, Span
from tatian.text.lexicon import (
    ARTICLES,
    MONTHS,
    NUMBER_WORDS,
    POSSESSIVE_DETERMINERS,
    RELATIVE_DATES,
    WEEKDAYS,
    word_set,
)

_NOUNS = frozenset(("NOUN", "PROPN", "PRON"))
_RELATIVE = word_set("who whom whose which that")
_FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
_NOT_GERUNDS = LISTS["not gerunds"]
_OBJECTS = ARTICLES | POSSESSIVE_DETERMINERS - {"whose"} | word_set("this these those")


def is_markable(page: MarkedText, phrase: MarkedPhrase) -> bool:
    """Return whether a phrase may be marked: no coordination, gerund, clause or verb."""
    return not (
        len(conjoined_heads(page, phrase)) > 1
        or is_gerund(phrase)
        or is_clause(phrase)
        or phrase.tag(phrase.head) in ("VERB", "AUX")
    )


def conjoined_heads(page: MarkedText, phrase: MarkedPhrase) -> list[int]:
    """Return the heads of a conjoined phrase; "&" in the name of a company does not conjoin."""
    tree, head = phrase.tree, phrase.head
    if tree.tag(head) not in _NOUNS:
        return [head]
    unit = page.unit_at(tree.tokens[head])
    heads = [head]
    siblings = tree.under(tree.heads[head], "conj") if tree.relation(head) == "conj" else []
    for other in [*tree.under(head, "conj"), *(sibling for sibling in siblings if sibling > head)]:
        joined = [tree.text(c) for c in tree.under(other, "cc")]
        if (
            other in phrase.places
            and tree.tag(other) in _NOUNS
            and not tree.under(other, "nsubj", "cop")
            and not (unit is not None and unit.contains(tree.tokens[other]))
            and "&" not in joined
            and _is_joined(phrase, head, other)
        ):
            heads.append(other)
    return heads


def _is_joined(phrase: MarkedPhrase, head: int, other: int) -> bool:
    """Return whether "and" or "or" is written between the heads, and no bracket."""
    words = [phrase.word(index) for index in range(head, other)]
    words_after = [phrase.word(index) for index in range(other, phrase.end)]
    return "(" not in words and any(word in ("and", "or", "nor") for word in words + words_after)


def participle(phrase: MarkedPhrase) -> int:
    """Return the word that decides whether a phrase is a gerund."""
    first, word = phrase.first, phrase.word(phrase.first)
    is_form = word.endswith("ing") and len(word) > 4 and word not in _NOT_GERUNDS
    if is_form and phrase.word(first + 1) in _OBJECTS and phrase.end - first > 2:
        return first
    return phrase.head


def is_gerund(phrase: MarkedPhrase) -> bool:
    """Return whether a present participle that is still a verb heads the phrase."""
    index = participle(phrase)
    word = phrase.tree.words[index]
    if not phrase.word(index).endswith("ing") or phrase.word(index) in _NOT_GERUNDS:
        return False
    if index == phrase.first and index != phrase.head:
        return True
    tree = phrase.tree
    before = [c for c in tree.children[index] if phrase.first <= c < index]
    if any(tree.relation(c) in ("amod", "compound", "det", "nmod") for c in before):
        return False
    if phrase.word(index + 1) == "of":
        return False
    takes = [c for c in tree.children[index] if c > index and c in phrase.places]
    verbal = any(tree.relation(c) in ("obj", "iobj") for c in takes)
    if index == phrase.first and phrase.word(index + 1) in _OBJECTS and len(phrase.places) > 2:
        return True
    return (word.tag == "VERB" and word.fine == "VBG") or verbal


def is_relative(phrase: MarkedPhrase) -> bool:
    """Return whether the phrase begins with a relative pronoun."""
    index = phrase.first
    if phrase.word(index) not in _RELATIVE or phrase.tree.text(index).isupper():
        return False
    tree = phrase.tree
    if tree.tag(index) == "SCONJ":
        clause = tree.heads[index]
        return clause >= 0 and tree.words[clause].relation == "acl:relcl"
    if tree.words[index].features.get("PronType") == "Rel":
        return True
    clause = tree.heads[index]
    while clause >= 0 and tree.words[clause].relation != "acl:relcl":
        clause = tree.heads[clause]
    return clause >= 0 and tree.heads[clause] < index and phrase.word(index) != "that"


def is_clause(phrase: MarkedPhrase) -> bool:
    """Return whether the phrase is a verb, or a verb with its subject or "to"."""
    tree, head = phrase.tree, phrase.head
    inside = [c for c in tree.children[head] if c in phrase.places and tree.tag(c) != "PUNCT"]
    relations = {tree.relation(c) for c in inside}
    if all(tree.text(index)[0].isupper() for index in phrase.places):
        return False
    if "cop" in relations:
        return tree.relation(min(inside)) == "nsubj" and phrase.word(min(inside)) not in _RELATIVE
    if tree.tag(head) != "VERB" or relations & {"det", "amod"}:
        return False
    if any(phrase.word(index) in _RELATIVE for index in range(phrase.first + 1, head)):
        return False
    if phrase.word(head).endswith("ing"):
        return False
    if len(phrase.places) == 1:
        return tree.words[head].fine in _FINITE
    has_to = any(tree.relation(c) == "mark" and c == phrase.first for c in inside)
    return bool(relations & {"nsubj", "csubj", "aux", "expl"}) or has_to


_HEADS = frozenset(("NOUN", "PROPN", "PRON", "SYM", "X"))
_BEFORE_HEAD = frozenset(("DET", "NUM", "ADJ", "ADV"))


def expected_minimum(page: MarkedText, phrase: MarkedPhrase) -> Span:
    """Return the head, or the whole name, date, amount or percentage that contains it."""
    headless = headless_minimum(page, phrase)
    if headless is not None:
        return headless
    tree = phrase.tree
    unit = page.unit_at(tree.tokens[phrase.head])
    within = unit is not None and unit.contains(page.strip_edges(phrase.mark))
    if within or _is_company(phrase) or _is_unknown_name(page, phrase):
        return phrase.mark
    if unit is not None and unit.start >= phrase.mark.start and unit.end <= phrase.mark.end + 1:
        end = tree.place(unit.end)
        return Span(unit.start, tree.tokens[_end_with_flat(phrase, end) - 1].end)
    first, end = minimum(tree, phrase.head, [])
    return page.span(phrase, max(first, phrase.first), _end_with_flat(phrase, end))


def _is_company(phrase: MarkedPhrase) -> bool:
    """Return whether the phrase is a firm named after its partners: "Simon & Schuster"."""
    words = [phrase.tree.text(index) for index in range(phrase.content, phrase.end)]
    return "&" in words and all(word[0].isupper() or word == "&" for word in words)


def _is_unknown_name(page: MarkedText, phrase: MarkedPhrase) -> bool:
    """Return whether all words are capitalised, but none is of a known name, title or office."""
    words = [phrase.tree.text(index) for index in range(phrase.content, phrase.end)]
    return (
        len(words) > 1
        and all(word[0].isupper() for word in words)
        and not page.units_in(phrase.mark)
        and not any(is_title(word) or is_office(word) for word in words)
    )


def _end_with_flat(phrase: MarkedPhrase, end: int) -> int:
    """Extend the end over words of a name that the encoder left out: "Century 21"."""
    while end < phrase.end and end in phrase.tree.under(phrase.head, "flat"):
        end += 1
    return min(end, phrase.end)


def headless_minimum(page: MarkedText, phrase: MarkedPhrase) -> Span | None:
    """Return the MIN of a phrase without a noun: "the six youngest", "seven of the best".

    None if the phrase has a noun as head, or is a date, amount or percentage.
    """
    end = phrase.first
    while end < phrase.end and phrase.tag(end) in _BEFORE_HEAD:
        end += 1
    if end == phrase.first or page.unit_at(phrase.tree.tokens[end - 1]) is not None:
        return None
    following = phrase.tag(end) if end < phrase.end else ""
    if following in _HEADS and phrase.word(end) not in _RELATIVE:
        return None
    last = end - 1
    if not following and not _can_head(phrase, last):
        return None
    if following == "PUNCT" and (phrase.word(end) not in (",", "(") or phrase.head != last):
        return None
    if following and following not in ("ADP", "PRON", "PUNCT", "SCONJ", "PART", "VERB"):
        return None
    return page.span(phrase, last, end) if _can_head(phrase, last) else None


def _can_head(phrase: MarkedPhrase, index: int) -> bool:
    """Return whether a number, adjective or determiner can be the head in place of a noun."""
    if phrase.tag(index) == "NUM" or phrase.word(index) in NUMBER_WORDS:
        return True
    degree = phrase.tree.words[index].features.get("Degree")
    return phrase.tag(index) in ("ADJ", "DET") and (degree == "Sup" or phrase.head == index)


_MARKS_BEFORE_APPOSITION = word_set(", -- - – — ( :")
_NAMING_NOUNS = frozenset(("NOUN", "PROPN"))
_BREAKING_TAGS = frozenset(("ADP", "VERB", "AUX", "PUNCT"))
_NOUNS_WITH_OF = LISTS["nouns with of"]
"""Nouns whose "of" introduces an apposition: "the job of manager"."""


def is_punctuated_apposition(host: MarkedPhrase, other: MarkedPhrase) -> bool:
    """Return whether the second phrase is an apposition to the first, after punctuation."""
    if other.is_pronoun or other.is_possessor or host.is_pronoun:
        return False
    if other.word(other.first - 1) not in _MARKS_BEFORE_APPOSITION:
        return False
    if other.first >= host.end:
        return other.first - host.end <= 1
    inside = host.head < other.first and other.end <= host.end
    verbs = (host.tag(index) in ("VERB", "AUX") for index in range(host.first, other.first))
    return inside and not any(verbs)


def is_unpunctuated_apposition(host: MarkedPhrase, other: MarkedPhrase) -> bool:
    """Return whether the two are an apposition without punctuation."""
    if other.is_pronoun or host.is_pronoun or other.is_possessor:
        return False
    if [*map(host.word, host.places)] == [*map(other.word, other.places)]:
        return False
    if other.first >= host.end:
        stops = host.tree.text(host.end - 1).endswith((".", "-"))
        beside = other.first == host.end and not stops and not is_naming(host, host.first - 1)
        return beside and _is_naming_pair(host, other)
    if other.end > host.end or (_last_word(host) != other.end and other.first != host.first):
        return False
    if other.first == host.first:
        return _is_followed_by_name(host, other)
    if is_title(host.tree.text(other.first - 1)):
        return False
    before = host.tag(other.first - 1)
    left = range(host.first, other.first)
    if host.word(other.first - 1) == "of":
        return host.word(other.first - 2) in _NOUNS_WITH_OF
    return before in _NAMING_NOUNS and not any(host.tag(index) in _BREAKING_TAGS for index in left)


def _is_naming_pair(host: MarkedPhrase, other: MarkedPhrase) -> bool:
    """Return whether one of two phrases names the other, by a name or by the tree."""
    tags = (host.tag(host.head), other.tag(other.head))
    return "PROPN" in tags or (
        host.tree.relation(other.head) == "appos" and host.tree.heads[other.head] == host.head
    )


def _is_followed_by_name(host: MarkedPhrase, other: MarkedPhrase) -> bool:
    """Return whether a name follows an inner phrase up to the end of the outer one."""
    following = range(other.end, _last_word(host))
    names = all(host.tag(index) in ("PROPN", "NUM") for index in following)
    is_common = other.tag(other.end - 1) == "NOUN"
    return bool(following) and names and host.tag(following[0]) == "PROPN" and is_common


def _last_word(phrase: MarkedPhrase) -> int:
    """Return the position after the last word that is not punctuation."""
    end = phrase.end
    while end - 1 > phrase.first and phrase.tag(end - 1) == "PUNCT":
        end -= 1
    return end


_COMMON_TAGS = frozenset(("NOUN", "SYM", "NUM"))
_VERB_PREPOSITIONS = word_set("by as than because due until since after before during")
"""Prepositions whose phrase never modifies the noun before it."""
_TIME_WORDS = (
    frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | frozenset(word for word in RELATIVE_DATES if " " not in word)
    | word_set("day week month year time moment hour minute morning afternoon evening night")
)


class MaximalPhrases:
    """Index of maximal noun phrases by their heads."""

    def __init__(self, document: Document, *, widest: bool = True) -> None:
        """Build the index; `widest` adds closing commas and ambiguous modifiers (§4.2)."""
        self._forest = Forest(document)
        self._phrases = {phrase.head: phrase for phrase in noun_phrases(document)}
        self._minima = sorted(self._phrases.values(), key=lambda phrase: phrase.minimum.start)
        self._widest = widest

    def around(self, head: Span) -> Span | None:
        """Return the maximal phrase; None if the tree has no noun phrase with this head."""
        tree = self._forest.at(head.start)
        if tree is None:
            return None
        for top in tree.tops(tree.places(head)):
            if tree.tag(top) == "PUNCT":
                continue
            index = _name_head(tree, top)
            phrase = self._phrases.get(tree.words[index].token)
            if phrase is not None and (index == top or phrase.minimum.contains(head)):
                return Span(phrase.start, self._end(tree, index, phrase))
        return self._phrase_of_name(head)

    def _phrase_of_name(self, head: Span) -> Span | None:
        """Return the phrase of a name that equals the head, independent of its tree."""
        index = bisect_left(self._minima, head.start, key=lambda phrase: phrase.minimum.start)
        for phrase in self._minima[index : index + 1]:
            if phrase.minimum == Span(head.start, head.end):
                return Span(phrase.start, phrase.end)
        return None

    def _end(self, tree: Tree, head: int, phrase: NounPhrase) -> int:
        """Return the end of the phrase, with the definition's additions to the tree.

        The comma that closes an apposition belongs to it (§5.3). A prepositional phrase that may
        modify the noun or the verb goes to the noun (§4.2: "a joint venture with Sony").
        """
        if not self._widest:
            return phrase.end
        after = tree.place(phrase.end)
        if tree.relation(head) == "appos" and _is_set_off(tree, phrase, after):
            return tree.tokens[after].end
        became = _is_object_of_being(tree, head)
        if tree.tag(head) not in _COMMON_TAGS or not (became or tree.relation(head) == "obj"):
            return phrase.end
        for other in tree.under(tree.heads[head], "obl"):
            places = sorted(tree.subtree(other))
            if places[0] == after and _may_modify_noun(tree, other, places, timed=became):
                return tree.tokens[places[-1]].end
        return phrase.end


def _name_head(tree: Tree, index: int) -> int:
    """Return the word of a name that its other words depend on."""
    while tree.relation(index) == "flat" and tree.heads[index] >= 0:
        index = tree.heads[index]
    return index


def _is_set_off(tree: Tree, phrase: NounPhrase, after: int) -> bool:
    """Return whether commas stand before and after a phrase."""
    before = tree.place(phrase.start) - 1
    marks = [tree.text(at) if 0 <= at < len(tree.words) else "" for at in (before, after)]
    return marks == [",", ","]


def _is_object_of_being(tree: Tree, head: int) -> bool:
    """Return whether the noun is the complement of "become" or "remain"."""
    verb = tree.heads[head]
    return tree.relation(head) in ("xcomp", "obj") and tree.words[verb].lemma.lower() in BEING


def _may_modify_noun(tree: Tree, other: int, places: list[int], *, timed: bool) -> bool:
    """Return whether a verb's phrase could modify the noun before it; times need `timed`."""
    if tree.words[other].relation != "obl" or places != list(range(places[0], places[-1] + 1)):
        return False
    if tree.tag(places[0]) != "ADP" or tree.text(places[0]).lower() in _VERB_PREPOSITIONS:
        return False
    is_time = tree.words[other].lemma.lower() in _TIME_WORDS or tree.text(other).isdigit()
    return tree.tag(other) != "PRON" and (timed or not is_time)
