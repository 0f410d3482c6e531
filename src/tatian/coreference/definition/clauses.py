"""Subjects of clauses, whether a clause asserts its content, and conjunction (§3.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tatian.analysis.trees import Tree
from tatian.coreference import LISTS
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid
from tatian.coreference.definition.phrases import MarkedPhrase
from tatian.text.lexicon import word_set

_RELATIVE_TAGS = frozenset(("WP", "WDT", "WP$"))
_MODALS = word_set("may might could would can should must 'd ’d")
_HEDGES = LISTS["hedges"]
_NEGATIONS = word_set("not n't n’t never neither nor")
_DENYING_VERBS = word_set("deny doubt dispute refuse decline fail")
_FORMER_ADVERBS = word_set("formerly once previously")
_CONDITIONS = word_set("if whether unless lest")
_IRREALIS_WORDS = LISTS["irrealis words"]
"""Lemmas whose complements, such as "to be the mayor", are not asserted."""
_SUBJECT_SHARING_RELATIONS = frozenset(("conj", "advcl", "xcomp"))
_CONTROLLED_BY_SUBJECT = word_set("promise threaten vow")
_MAX_STEPS = 8


def later_first(
    first: MarkablePhrase, second: MarkablePhrase
) -> tuple[MarkablePhrase, MarkablePhrase]:
    """Return two phrases as a ruling has them, the later one first."""
    return (first, second) if first.order > second.order else (second, first)


def is_relative_word(tree: Tree, index: int) -> bool:
    """Return whether the word is "who", "which" or the "that" of a relative clause."""
    return tree.words[index].fine in _RELATIVE_TAGS


def subject(tree: Tree, verb: int, depth: int = _MAX_STEPS) -> int | None:
    """Return the position of the subject of a verb or predicate; for "who", that of its noun."""
    subjects = [c for c in tree.under(verb, "nsubj") if tree.words[c].relation != "nsubj:outer"]
    governor = tree.heads[verb]
    if subjects and not is_relative_word(tree, subjects[0]):
        return subjects[0]
    if governor < 0 or depth == 0:
        return None
    relation = tree.relation(verb)
    if relation == "acl":
        return governor
    if subjects or relation not in _SUBJECT_SHARING_RELATIONS:
        return None
    if relation == "xcomp":
        objects = tree.under(governor, "obj", "iobj")
        if objects and tree.words[governor].lemma not in _CONTROLLED_BY_SUBJECT:
            return objects[0]
    if relation == "conj" and tree.relation(governor) == "acl":
        return tree.heads[governor]
    return subject(tree, governor, depth - 1)


def is_asserted(tree: Tree, verb: int, depth: int = _MAX_STEPS) -> bool:
    """Return whether the text asserts a clause, of any time: no "may", "not" or "if" (§5.4)."""
    beside = [c for c in tree.under(verb, "aux", "advmod", "mark", "cc") if c != verb]
    words = {tree.text(index).lower() for index in beside}
    if words & (_MODALS | _HEDGES | _CONDITIONS):
        return False
    if words & _NEGATIONS and not _is_about_time(tree, verb):
        return False
    if tree.text(len(tree.words) - 1) == "?" or _is_until(tree, verb):
        return False
    return _is_asserted_by_governors(tree, verb, words, depth)


def _is_asserted_by_governors(tree: Tree, verb: int, words: set[str], depth: int) -> bool:
    """Return whether the clause is still asserted given its governors."""
    governor = tree.heads[verb]
    relation = tree.relation(verb)
    if governor < 0 or depth == 0 or relation not in ("xcomp", "ccomp", "acl", "advcl", "conj"):
        return True
    if _lemma_before_to(tree, verb) in _IRREALIS_WORDS:
        return False
    if relation == "conj":
        subject_or_auxiliary = tree.under(verb, "nsubj", "aux")
        return bool(subject_or_auxiliary) or is_asserted(tree, governor, depth - 1)
    if relation == "advcl":
        return True
    lemma = tree.words[governor].lemma.lower()
    if tree.words[verb].relation == "acl:relcl":
        return True
    if lemma in _IRREALIS_WORDS or (relation == "acl" and "to" in words):
        return False
    if relation == "ccomp" and tree.heads[verb] < verb:
        return not _is_negated(tree, governor)
    return relation != "xcomp" or is_asserted(tree, governor, depth - 1)


def is_denied(tree: Tree, verb: int) -> bool:
    """Return whether the text denies a clause or says it is over: "deny that", "was until May"."""
    words = {tree.text(index).lower() for index in tree.under(verb, "aux", "advmod", "cc")}
    if (words & _NEGATIONS and not _is_about_time(tree, verb)) or _is_until(tree, verb):
        return True
    governor = tree.heads[verb]
    if governor < 0 or tree.relation(verb) not in ("ccomp", "xcomp", "acl"):
        return False
    return tree.words[governor].lemma.lower() in _DENYING_VERBS or _is_negated(tree, governor)


def _is_negated(tree: Tree, verb: int) -> bool:
    """Return whether a verb has "not" or "no longer" beside it."""
    beside = tree.under(verb, "aux", "advmod")
    return any(tree.text(index).lower() in _NEGATIONS | {"longer"} for index in beside)


def is_former(tree: Tree, verb: int) -> bool:
    """Return whether a clause is about the past: "was once the mayor", "when Ann was the coach"."""
    words = {tree.text(index).lower() for index in tree.under(verb, "advmod", "mark")}
    past = any(tree.words[c].fine in ("VBD", "VBN") for c in tree.under(verb, "cop", "aux"))
    if words & _FORMER_ADVERBS or "longer" in words or _is_until(tree, verb):
        return True
    return past and tree.relation(verb) == "advcl" and not words.isdisjoint(("when", "while"))


def _is_until(tree: Tree, verb: int) -> bool:
    """Return whether the clause states an end: "was until May the chairman"."""
    return any(
        tree.text(child).lower() in ("until", "till")
        for index in tree.under(verb, "obl", "advcl", "nmod")
        for child in tree.under(index, "case", "mark")
    )


def _is_about_time(tree: Tree, verb: int) -> bool:
    """Return whether the negation is "no longer" or "not only", which assert past or present."""
    words = (index for c in tree.under(verb, "advmod") for index in tree.subtree(c))
    adverbs = {tree.text(index).lower() for index in words}
    return bool(adverbs & {"longer", "only", "just", "anymore"})


def _lemma_before_to(tree: Tree, verb: int) -> str:
    """Return the lemma of the word before "to": "bid" in "his bid to become mayor"."""
    begin = min([verb, *tree.under(verb, "aux", "cop", "mark")])
    at = begin if tree.text(begin).lower() == "to" else begin - 1
    if at < 1 or tree.text(at).lower() != "to":
        return ""
    return tree.words[at - 1].lemma.lower()


SECTION = "3.7"


def forbid_conjuncts(outline: Outline) -> Iterator[Ruling]:
    """Forbid links between conjuncts, and between a conjunct and "they" that means all of them."""
    for first in outline.markables:
        others = conjuncts_of(outline, first)
        is_predicate = first.relation in ("appos", "xcomp") or first.tree.under(first.head, "cop")
        if not others or is_predicate:  # Conjoined predicates can describe one thing.
            continue
        joined = [first, *others]
        for number, conjunct in enumerate(joined):
            for other in joined[:number]:
                yield forbid("conjuncts", SECTION, conjunct, other)
        number = outline.sentence(first)
        sentence = outline.by_sentence[number]
        pronouns = [phrase for phrase in sentence if _refers_to_all(first, phrase)]
        if first.relation == "nsubj" and not any(phrase.is_plural for phrase in joined):
            for following in outline.by_sentence[number + 1 : number + 2]:
                pronouns += filter(_is_they, following[:1])
        for pronoun in pronouns:
            for conjunct in joined:
                yield forbid("conjoined-phrase", SECTION, pronoun, conjunct)


def _is_they(markable: MarkablePhrase) -> bool:
    entry = markable.pronoun
    return entry is not None and entry.number == "plural" and entry.person == 3


def forbid_contrasts(outline: Outline) -> Iterator[Ruling]:
    """Forbid links of contrasted subjects: "the fans went home, but the drivers stayed"."""
    for markable in outline.markables:
        tree, verb = markable.tree, markable.tree.heads[markable.head]
        if markable.relation != "nsubj" or verb < 0 or tree.relation(verb) != "conj":
            continue
        if markable.pronoun is not None or not tree.under(verb, "cc"):
            continue
        for index in tree.under(tree.heads[verb], "nsubj"):
            other = outline.at(tree, index)
            if other is None or other.pronoun is not None or other.order == markable.order:
                continue
            if not (markable.is_name or other.is_name) and markable.lemma != other.lemma:
                yield forbid("contrast", SECTION, markable, other)


def conjuncts_of(outline: Outline, first: MarkablePhrase) -> list[MarkablePhrase]:
    """Return the other conjuncts if the phrase is the first of them, else none."""
    places = first.tree.under(first.head, "conj")
    markables = (outline.at(first.tree, index) for index in places if index > first.head)
    return [other for other in markables if other is not None and other.order != first.order]


def share_modifiers(joined: Sequence[MarkedPhrase]) -> bool:
    """Return whether conjuncts share a determiner before them or a complement after them."""
    if len(joined) < 2 or not all(_is_common(phrase) for phrase in joined):
        return False
    first, *middle, last = joined
    if any(phrase.is_determined for phrase in (*middle, last)):
        return False
    has_own = any(first.tag(index) == "ADP" for index in first.places)
    after = last.word(last.head + 1) in ("of", "at", "for", "in")
    return first.is_determined or (after and not has_own)


def _is_common(phrase: MarkedPhrase) -> bool:
    text = phrase.tree.text(phrase.head)
    return phrase.tag(phrase.head) == "NOUN" or (text.isupper() and len(text) < 5)


def _refers_to_all(first: MarkablePhrase, pronoun: MarkablePhrase) -> bool:
    """Return whether "they" is in a clause whose subject is the conjoined phrase."""
    if not _is_they(pronoun):
        return False
    index = pronoun.head
    while index >= 0:
        if subject(first.tree, index) == first.head:
            return True
        index = first.tree.heads[index]
    return False
