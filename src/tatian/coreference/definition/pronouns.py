"""Pronouns that grammar links to a phrase, and "I" in a quotation (§5.2, §3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tatian.analysis.trees import Tree
from tatian.coreference.definition.clauses import is_relative_word, subject
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.phrases import BEING
from tatian.text.documents import quoted_tokens
from tatian.text.lexicon import REPORTING_VERBS, Pronoun, word_set

_QUANTIFIERS = word_set("every each most no all any many few some several both either neither")
_EVERYONE = word_set("everyone everybody anyone anybody nobody someone somebody everything")
_ARGUMENTS = frozenset(("obj", "iobj"))
_EQUATING = word_set("as like including of")
"""Prepositions after which the subject may be named once more."""
_COMMANDED = frozenset(("obj", "iobj", "obl", "xcomp", "ccomp", "nmod", "acl", "nsubj", "compound"))
"""Relations of phrases in a clause about its subject."""
_AROUND = word_set("around behind beside before near over under after above below inside along")
"""Prepositions after which a plain pronoun may mean the subject: "she looked behind her"."""


def bound_anaphors(outline: Outline) -> Iterator[Ruling]:
    """Link a pronoun with the quantified subject of its clause, or the head of its relative clause.

    Also link "they" at the start of the next sentence, if nothing contradicts it.
    """
    for sentence, following in pairwise([*outline.by_sentence, []]):
        for binder in filter(is_quantified, sentence):
            bound = [phrase for phrase in sentence if _is_bound(binder, phrase)]
            for pronoun in bound:
                yield link("bound-anaphor", "5.2", pronoun, binder)
            if binder.relation != "nsubj":
                continue
            for phrase in following[:1]:
                meaning = phrase.pronoun
                if meaning and meaning.number == "plural" and meaning.person == 3:
                    yield link("quantified-antecedent", "5.2", phrase, binder, certain=False)


def reflexives(outline: Outline) -> Iterator[Ruling]:
    """Link a reflexive with its subject; forbid that for a plain pronoun beside that subject."""
    for markable in outline.markables:
        meaning = markable.pronoun
        if meaning is None or markable.is_possessive:
            continue
        verb = markable.tree.heads[markable.head]
        said_of = outline.at(markable.tree, subject(markable.tree, verb)) if verb >= 0 else None
        if said_of is None or said_of.order == markable.order:
            continue
        if meaning.reflexive and agrees(said_of, meaning):
            yield link("reflexive", "3.4", markable, said_of)
        elif not meaning.reflexive and _is_argument(markable, verb):
            yield forbid("one-clause", "3.4", markable, said_of)


def subjects_and_objects(outline: Outline) -> Iterator[Ruling]:
    """Forbid links of subject and object: "the mayor met Anna Holm" would use a reflexive.

    So in "Anna was married to the mayor"; "he" in "he likes what the mayor says" is not the mayor.
    """
    for markable in outline.markables:
        if markable.pronoun is not None:
            continue
        verb = markable.tree.heads[markable.head]
        said_of = outline.at(markable.tree, subject(markable.tree, verb)) if verb >= 0 else None
        if (
            said_of is not None
            and said_of.order != markable.order
            and _is_complement(markable, said_of)
        ):
            yield forbid("one-clause", "3.4", markable, said_of)
        for pronoun in _commanding(outline, markable):
            yield forbid("command", "3.4", markable, pronoun)


def _is_complement(phrase: MarkablePhrase, said_of: MarkablePhrase) -> bool:
    """Return whether a noun is an object, or follows a preposition that does not equate it.

    The name of the subject may be repeated: "Acme said so in Acme's report".
    """
    if phrase.relation in _ARGUMENTS:
        return True
    if phrase.relation != "obl" or said_of.pronoun is not None or phrase.word == said_of.word:
        return False
    cases = {phrase.tree.text(c).lower() for c in phrase.tree.under(phrase.head, "case")}
    return bool(cases) and cases.isdisjoint(_EQUATING)


def _commanding(outline: Outline, phrase: MarkablePhrase) -> Iterator[MarkablePhrase]:
    """Yield pronouns that are the subject of a clause that contains a noun."""
    tree, place = phrase.tree, phrase.head
    while tree.heads[place] >= 0 and tree.relation(place) in _COMMANDED:
        place = tree.heads[place]
        for noun in tree.under(place, "nsubj"):
            pronoun = outline.at(tree, noun)
            meaning = pronoun.pronoun if pronoun is not None else None
            if (
                pronoun is None
                or meaning is None
                or meaning.person < 3
                or pronoun.head > phrase.head
            ):
                continue
            if not tree.under(place, "cop") and tree.words[place].lemma not in BEING:
                yield pronoun


def clause_subjects(outline: Outline) -> Iterator[Ruling]:
    """Forbid "it" in "raising the rent is opposed; it is welcomed" any antecedent in the clause.

    §3.3: a gerund with an object is not markable, so such an "it" has no antecedent.
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


def parallels(outline: Outline) -> Iterator[Ruling]:
    """Link a pronoun in the second of two joined clauses with its counterpart in the first.

    So "they" in "producers have seen it, and they are glad", if nothing contradicts it.
    """
    for markable in outline.markables:
        meaning = markable.pronoun
        verb = markable.tree.heads[markable.head]
        if meaning is None or meaning.person < 3 or verb < 0 or markable.is_possessive:
            continue
        earlier = markable.tree.heads[verb]
        if markable.tree.relation(verb) != "conj" or earlier < 0:
            continue
        same = "nsubj" if markable.relation == "nsubj" else "obj"
        for place in markable.tree.under(earlier, same):
            counterpart = outline.at(markable.tree, place)
            if (
                counterpart is not None
                and agrees(counterpart, meaning)
                and not _is_joined(counterpart)
            ):
                certain = markable.word == "it" and same == "nsubj" and counterpart.pronoun is None
                yield link("parallel", "5.1", markable, counterpart, certain=certain)


def link_owners(outline: Outline) -> Iterator[Ruling]:
    """Link "its" in "GM announced its profit" with the subject, if nothing contradicts it."""
    for markable in outline.markables:
        meaning = markable.pronoun
        if meaning is None or not markable.is_possessive or meaning.person < 3:
            continue
        verb = _clause_of(markable)
        said_of = (
            outline.at(markable.tree, subject(markable.tree, verb)) if verb is not None else None
        )
        if said_of is None or said_of.mention.end > markable.mention.start:
            continue
        if agrees(said_of, meaning) and not _is_joined(said_of):
            certain = _owns_object(markable, said_of)
            yield link("possessor", "3.4", markable, said_of, certain=certain)


def _owns_object(phrase: MarkablePhrase, said_of: MarkablePhrase) -> bool:
    """Return whether a definite subject's verb has the owned thing as its object."""
    owned = phrase.tree.heads[phrase.head]
    direct = phrase.tree.heads[owned] == said_of.tree.heads[said_of.head]
    begun = said_of.phrase.word(said_of.phrase.first) in ("a", "an", "another")
    return direct and phrase.tree.relation(owned) == "obj" and not begun


def is_quantified(marked: MarkablePhrase) -> bool:
    """Return whether it is "every bank", "most linguists", "everyone"."""
    if marked.word in _EVERYONE:
        return True
    first = marked.phrase.word(marked.phrase.first)
    return first in _QUANTIFIERS and marked.phrase.end - marked.phrase.first > 1


def agrees(marked: MarkablePhrase, pronoun: Pronoun) -> bool:
    """Return whether a third person pronoun can refer to the phrase by number and kind."""
    own_pronoun = marked.pronoun
    if own_pronoun is not None:
        return (own_pronoun.person, own_pronoun.number, own_pronoun.gender) == (
            pronoun.person,
            pronoun.number,
            pronoun.gender,
        )
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
    meaning = phrase.pronoun
    if meaning is None or meaning.person < 3 or phrase.head <= binder.head:
        return False
    if not agrees(binder, meaning) or not (phrase.is_possessive or meaning.reflexive):
        return False
    tree = phrase.tree
    place = tree.heads[phrase.head]
    while place >= 0:
        subjects = tree.under(place, "nsubj")
        if tree.words[place].relation == "acl:relcl" and tree.heads[place] == binder.head:
            return not subjects or is_relative_word(tree, subjects[0])
        if subjects:
            return subjects[0] == binder.head
        place = tree.heads[place]
    return False


def _is_argument(phrase: MarkablePhrase, verb: int) -> bool:
    """Return whether the verb cannot have its own subject as this object."""
    if phrase.relation in _ARGUMENTS:
        return True
    if phrase.relation != "obl" or phrase.tree.under(verb, "obj"):
        return False
    cases = {phrase.tree.text(c).lower() for c in phrase.tree.under(phrase.head, "case")}
    return bool(cases) and cases.isdisjoint(_AROUND)


def _clause_of(phrase: MarkablePhrase) -> int | None:
    """Return the verb whose object contains the possessor's phrase."""
    tree = phrase.tree
    place = tree.heads[phrase.head]
    while place >= 0:
        if tree.tag(place) == "VERB" or tree.under(place, "nsubj"):
            return place
        place = tree.heads[place]
    return None


def _is_joined(marked: MarkablePhrase) -> bool:
    return bool(marked.tree.under(marked.head, "conj"))


_SURE = word_set("sure certain true right wrong why how what because so fair")


def speakers(outline: Outline) -> Iterator[Ruling]:
    """Link the first person singular with the subject of the verb of saying."""
    document = outline.document
    flags = quoted_tokens(document.text, document.tokens)
    quoted = {token.start for token, inside in zip(document.tokens, flags, strict=True) if inside}
    if not quoted:
        return
    for sentence, tree in zip(outline.by_sentence, outline.trees, strict=True):
        first_persons = [
            phrase for phrase in sentence if _is_speaker(phrase) and phrase.mention.start in quoted
        ]
        speaker = _speaker(outline, tree, quoted)
        if speaker is not None:
            for phrase in first_persons:
                yield link("speaker", "3.4", phrase, speaker)
            for phrase in sentence:
                if phrase.mention.start in quoted and _is_of_another(phrase):
                    yield forbid("quoted", "3.4", *_in_order(phrase, speaker))
        for earlier, later in pairwise(first_persons):
            yield link("speaker", "3.4", later, earlier)


def _is_of_another(phrase: MarkablePhrase) -> bool:
    """Return whether speakers would not say this of themselves: no "I", no predicate of "I"."""
    meaning = phrase.pronoun
    if meaning is not None:
        return meaning.person == 3
    role = phrase.relation in ("appos", "xcomp", "conj", "vocative")
    return not role and not phrase.tree.under(phrase.head, "cop")


def _in_order(
    first: MarkablePhrase, second: MarkablePhrase
) -> tuple[MarkablePhrase, MarkablePhrase]:
    return (first, second) if first.order > second.order else (second, first)


def _is_speaker(phrase: MarkablePhrase) -> bool:
    meaning = phrase.pronoun
    return meaning is not None and meaning.person == 1 and meaning.number == "singular"


def _speaker(outline: Outline, tree: Tree, quoted: set[int]) -> MarkablePhrase | None:
    """Return the speaker that the sentence names outside its quotation marks."""
    for place, word in enumerate(tree.words):
        form = tree.text(place).lower()
        if tree.tokens[place].start in quoted or word.tag != "VERB":
            continue
        if form not in REPORTING_VERBS and word.lemma.lower() not in REPORTING_VERBS:
            continue
        for noun in tree.under(place, "nsubj"):
            if tree.tokens[noun].start not in quoted:
                return outline.at(tree, noun)
    return None


def is_about_clause(phrase: MarkablePhrase) -> bool:
    """Return whether "that" sums up a clause, as in "that's for sure": no antecedent (§3.1)."""
    if phrase.word not in ("that", "this") or phrase.relation != "nsubj":
        return False
    return phrase.tree.text(phrase.tree.heads[phrase.head]).lower() in _SURE
