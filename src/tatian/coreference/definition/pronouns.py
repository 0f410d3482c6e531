"""Rulings on pronouns from grammar, and on "I" in quotations (§5.2, §3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tatian.analysis.trees import Tree
from tatian.coreference import LISTS
from tatian.coreference.definition.clauses import is_relative_word, later_first, subject
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.phrases import BEING
from tatian.text.documents import quoted_tokens
from tatian.text.lexicon import REPORTING_VERBS, Pronoun, word_set

_QUANTIFIERS = word_set("every each most no all any many few some several both either neither")
_INDEFINITE_PRONOUNS = LISTS["indefinite pronouns"]
_ARGUMENTS = frozenset(("obj", "iobj"))
_EQUATING_PREPOSITIONS = word_set("as like including of")
"""Prepositions after which a phrase may corefer with the subject."""
_CLAUSE_INTERNAL_RELATIONS = frozenset(
    ("obj", "iobj", "obl", "xcomp", "ccomp", "nmod", "acl", "nsubj", "compound")
)
"""Relations that are followed up from a phrase to the clauses that contain it."""
_SPATIAL_PREPOSITIONS = LISTS["spatial prepositions"]
"""Prepositions after which a non-reflexive may mean the subject: "she looked behind her"."""


def link_bound_anaphors(outline: Outline) -> Iterator[Ruling]:
    """Link a pronoun with the quantified phrase that binds it.

    Also link "they" at the start of the next sentence with a quantified subject, uncertainly.
    """
    for sentence, following in pairwise([*outline.by_sentence, []]):
        for binder in filter(is_quantified, sentence):
            bound = [phrase for phrase in sentence if _is_bound(binder, phrase)]
            for pronoun in bound:
                yield link("bound-anaphor", "5.2", pronoun, binder)
            if binder.relation != "nsubj":
                continue
            for phrase in following[:1]:
                entry = phrase.pronoun
                if entry and entry.number == "plural" and entry.person == 3:
                    yield link("quantified-antecedent", "5.2", phrase, binder, certain=False)


def link_reflexives(outline: Outline) -> Iterator[Ruling]:
    """Link a reflexive with the subject; forbid that link for other pronouns in the clause."""
    for markable in outline.markables:
        entry = markable.pronoun
        if entry is None or markable.is_possessive:
            continue
        verb = markable.tree.heads[markable.head]
        subject_phrase = _subject_of(outline, markable, verb)
        if subject_phrase is None or subject_phrase.order == markable.order:
            continue
        if entry.reflexive and agrees(subject_phrase, entry):
            yield link("reflexive", "3.4", markable, subject_phrase)
        elif not entry.reflexive and _is_argument(markable, verb):
            yield forbid("one-clause", "3.4", markable, subject_phrase)


def forbid_clause_mates(outline: Outline) -> Iterator[Ruling]:
    """Forbid links between a subject and a noun in its clause, which would be a reflexive.

    Examples: "the mayor met Anna Holm", "Anna was married to the mayor". Nor can "he" be the mayor
    in "he likes what the mayor says".
    """
    for markable in outline.markables:
        if markable.pronoun is not None:
            continue
        subject_phrase = _subject_of(outline, markable, markable.tree.heads[markable.head])
        if (
            subject_phrase is not None
            and subject_phrase.order != markable.order
            and _is_complement(markable, subject_phrase)
        ):
            yield forbid("one-clause", "3.4", markable, subject_phrase)
        for pronoun in _commanding_pronouns(outline, markable):
            yield forbid("command", "3.4", markable, pronoun)


def _subject_of(
    outline: Outline, phrase: MarkablePhrase, verb: int | None
) -> MarkablePhrase | None:
    """Return the subject of a verb in the phrase's sentence; None without verb or subject."""
    if verb is None or verb < 0:
        return None
    return outline.at(phrase.tree, subject(phrase.tree, verb))


def _is_complement(phrase: MarkablePhrase, subject_phrase: MarkablePhrase) -> bool:
    """Return whether a noun is an object, or has a preposition that does not equate it."""
    if phrase.relation in _ARGUMENTS:
        return True
    is_repeated = phrase.word == subject_phrase.word
    if phrase.relation != "obl" or subject_phrase.pronoun is not None or is_repeated:
        return False
    cases = {phrase.tree.text(c).lower() for c in phrase.tree.under(phrase.head, "case")}
    return bool(cases) and cases.isdisjoint(_EQUATING_PREPOSITIONS)


def _commanding_pronouns(outline: Outline, phrase: MarkablePhrase) -> Iterator[MarkablePhrase]:
    """Yield pronouns that are the subject of a clause that contains a noun."""
    tree, index = phrase.tree, phrase.head
    while tree.heads[index] >= 0 and tree.relation(index) in _CLAUSE_INTERNAL_RELATIONS:
        index = tree.heads[index]
        for noun in tree.under(index, "nsubj"):
            pronoun = outline.at(tree, noun)
            entry = pronoun.pronoun if pronoun is not None else None
            if pronoun is None or entry is None or entry.person < 3 or pronoun.head > phrase.head:
                continue
            if not tree.under(index, "cop") and tree.words[index].lemma not in BEING:
                yield pronoun


def forbid_clause_subjects(outline: Outline) -> Iterator[Ruling]:
    """Forbid links of "it" into the clause that it sums up: "raising the rent is opposed; it ...".

    A gerund with an object is not markable, so such an "it" has no antecedent (§3.3).
    """
    for markable in outline.markables:
        tree, verb = markable.tree, markable.tree.heads[markable.head]
        if markable.word != "it" or markable.relation != "nsubj" or verb < 0:
            continue
        for clause in tree.under(tree.heads[verb], "csubj") if tree.heads[verb] >= 0 else ():
            inside = tree.subtree(clause)
            for other in outline.by_sentence[outline.sentence(markable)]:
                if other.order != markable.order and other.head in inside:
                    yield forbid("clause-subject", "3.3", markable, other)


def link_parallels(outline: Outline) -> Iterator[Ruling]:
    """Link a pronoun in the second of two coordinated clauses with its counterpart in the first.

    Example: "they" in "producers have seen it, and they are glad". Most such links are uncertain.
    """
    for markable in outline.markables:
        entry = markable.pronoun
        verb = markable.tree.heads[markable.head]
        if entry is None or entry.person < 3 or verb < 0 or markable.is_possessive:
            continue
        earlier = markable.tree.heads[verb]
        if markable.tree.relation(verb) != "conj" or earlier < 0:
            continue
        same = "nsubj" if markable.relation == "nsubj" else "obj"
        for index in markable.tree.under(earlier, same):
            counterpart = outline.at(markable.tree, index)
            if counterpart is None or _is_coordinated(counterpart):
                continue
            if agrees(counterpart, entry):
                certain = markable.word == "it" and same == "nsubj" and counterpart.pronoun is None
                yield link("parallel", "5.1", markable, counterpart, certain=certain)


def link_owners(outline: Outline) -> Iterator[Ruling]:
    """Link a possessive with the subject: "GM announced its profit"."""
    for markable in outline.markables:
        entry = markable.pronoun
        if entry is None or not markable.is_possessive or entry.person < 3:
            continue
        subject_phrase = _subject_of(outline, markable, _clause_of(markable))
        if subject_phrase is None or subject_phrase.mention.end > markable.mention.start:
            continue
        if agrees(subject_phrase, entry) and not _is_coordinated(subject_phrase):
            certain = _owns_direct_object(markable, subject_phrase)
            yield link("possessor", "3.4", markable, subject_phrase, certain=certain)


def _owns_direct_object(phrase: MarkablePhrase, subject_phrase: MarkablePhrase) -> bool:
    """Return whether a definite subject's verb has the owned thing as its object."""
    owned = phrase.tree.heads[phrase.head]
    direct = phrase.tree.heads[owned] == subject_phrase.tree.heads[subject_phrase.head]
    first = subject_phrase.phrase.word(subject_phrase.phrase.first)
    is_object = direct and phrase.tree.relation(owned) == "obj"
    return is_object and first not in ("a", "an", "another")


def is_quantified(marked: MarkablePhrase) -> bool:
    """Return whether a phrase is quantified: "every bank", "most linguists", "everyone"."""
    if marked.word in _INDEFINITE_PRONOUNS:
        return True
    first = marked.phrase.word(marked.phrase.first)
    return first in _QUANTIFIERS and marked.phrase.end - marked.phrase.first > 1


def agrees(marked: MarkablePhrase, pronoun: Pronoun) -> bool:
    """Return whether a third person pronoun can refer to the phrase by number and kind."""
    own_pronoun = marked.pronoun
    if own_pronoun is not None:
        same_person = own_pronoun.person == pronoun.person
        same_number = own_pronoun.number == pronoun.number
        return same_person and same_number and own_pronoun.gender == pronoun.gender
    if pronoun.person < 3 or marked.is_value:
        return False
    if pronoun.number == "plural":
        many = marked.is_plural or is_quantified(marked) or marked.mention.type == "ORG"
        return many and marked.mention.type != "PER"
    singular = not marked.is_plural
    if pronoun.gender == "neuter":
        return singular and marked.mention.type != "PER"
    return singular and marked.mention.type in ("", "PER")


def _is_bound(binder: MarkablePhrase, phrase: MarkablePhrase) -> bool:
    entry = phrase.pronoun
    if entry is None or entry.person < 3 or phrase.head <= binder.head:
        return False
    if not agrees(binder, entry) or not (phrase.is_possessive or entry.reflexive):
        return False
    tree = phrase.tree
    index = tree.heads[phrase.head]
    while index >= 0:
        subjects = tree.under(index, "nsubj")
        if tree.words[index].relation == "acl:relcl" and tree.heads[index] == binder.head:
            return not subjects or is_relative_word(tree, subjects[0])
        if subjects:
            return subjects[0] == binder.head
        index = tree.heads[index]
    return False


def _is_argument(phrase: MarkablePhrase, verb: int) -> bool:
    """Return whether the verb cannot have its own subject as this object."""
    if phrase.relation in _ARGUMENTS:
        return True
    if phrase.relation != "obl" or phrase.tree.under(verb, "obj"):
        return False
    cases = {phrase.tree.text(c).lower() for c in phrase.tree.under(phrase.head, "case")}
    return bool(cases) and cases.isdisjoint(_SPATIAL_PREPOSITIONS)


def _clause_of(phrase: MarkablePhrase) -> int | None:
    """Return the verb whose object contains the possessor's phrase."""
    tree = phrase.tree
    index = tree.heads[phrase.head]
    while index >= 0:
        if tree.tag(index) == "VERB" or tree.under(index, "nsubj"):
            return index
        index = tree.heads[index]
    return None


def _is_coordinated(marked: MarkablePhrase) -> bool:
    return bool(marked.tree.under(marked.head, "conj"))


_CLAUSE_PREDICATES = word_set("sure certain true right wrong why how what because so fair")


def link_speakers(outline: Outline) -> Iterator[Ruling]:
    """Link "I" in a quotation with the subject of the verb of saying."""
    document = outline.document
    flags = quoted_tokens(document.text, document.tokens)
    quoted = {token.start for token, inside in zip(document.tokens, flags, strict=True) if inside}
    if not quoted:
        return
    for sentence, tree in zip(outline.by_sentence, outline.trees, strict=True):
        quoted_phrases = [phrase for phrase in sentence if phrase.mention.start in quoted]
        first_persons = [phrase for phrase in quoted_phrases if _is_first_person(phrase)]
        speaker = _speaker(outline, tree, quoted)
        if speaker is not None:
            for phrase in first_persons:
                yield link("speaker", "3.4", phrase, speaker)
            for phrase in quoted_phrases:
                if _is_other_than_speaker(phrase):
                    yield forbid("quoted", "3.4", *later_first(phrase, speaker))
        for earlier, later in pairwise(first_persons):
            yield link("speaker", "3.4", later, earlier)


def _is_other_than_speaker(phrase: MarkablePhrase) -> bool:
    """Return whether the quoted phrase cannot mean its speaker: neither "I" nor a predicate."""
    entry = phrase.pronoun
    if entry is not None:
        return entry.person == 3
    role = phrase.relation in ("appos", "xcomp", "conj", "vocative")
    return not role and not phrase.tree.under(phrase.head, "cop")


def _is_first_person(phrase: MarkablePhrase) -> bool:
    entry = phrase.pronoun
    return entry is not None and entry.person == 1 and entry.number == "singular"


def _speaker(outline: Outline, tree: Tree, quoted: set[int]) -> MarkablePhrase | None:
    """Return the speaker that the sentence names outside its quotation marks."""
    for index, word in enumerate(tree.words):
        form = tree.text(index).lower()
        if tree.tokens[index].start in quoted or word.tag != "VERB":
            continue
        if form not in REPORTING_VERBS and word.lemma.lower() not in REPORTING_VERBS:
            continue
        for noun in tree.under(index, "nsubj"):
            if tree.tokens[noun].start not in quoted:
                return outline.at(tree, noun)
    return None


def is_about_clause(phrase: MarkablePhrase) -> bool:
    """Return whether "that" refers to a clause, as in "that's for sure" (§3.1)."""
    if phrase.word not in ("that", "this") or phrase.relation != "nsubj":
        return False
    return phrase.tree.text(phrase.tree.heads[phrase.head]).lower() in _CLAUSE_PREDICATES
