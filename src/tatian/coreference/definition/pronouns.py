"""§5.2 and §3.4: pronouns that grammar ties to a phrase, and "I" in a quotation to who says it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tatian.analysis.trees import Tree
from tatian.coreference.definition.clauses import is_relative_word, subject
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.phrases import BEING
from tatian.text.lexicon import REPORTING_VERBS, Pronoun, word_set
from tatian.text.quotations import quoted_tokens

_QUANTIFIERS = word_set("every each most no all any many few some several both either neither")
_EVERYONE = word_set("everyone everybody anyone anybody nobody someone somebody everything")
_ARGUMENTS = frozenset(("obj", "iobj"))
_EQUATING = word_set("as like including of")
"""Prepositions after which the subject may be named once more."""
_COMMANDED = frozenset(("obj", "iobj", "obl", "xcomp", "ccomp", "nmod", "acl", "nsubj", "compound"))
"""What stands in a clause that is said of its subject."""
_AROUND = word_set("around behind beside before near over under after above below inside along")
"""Prepositions after which a plain pronoun may stand for the subject: "she looked behind her"."""


def bound_anaphors(outline: Outline) -> Iterator[Ruling]:
    """A pronoun in the clause of a quantified subject, or in its relative clause, is bound by it.

    So is "they" at the start of what follows, if nothing says otherwise.
    """
    for sentence, following in pairwise([*outline.by_sentence, []]):
        for binder in filter(is_quantified, sentence):
            bound = [one for one in sentence if _is_bound(binder, one)]
            for pronoun in bound:
                yield link("bound-anaphor", "5.2", pronoun, binder)
            if binder.relation != "nsubj":
                continue
            for one in following[:1]:
                meaning = one.pronoun
                if meaning and meaning.number == "plural" and meaning.person == 3:
                    yield link("quantified-antecedent", "5.2", one, binder, certain=False)


def reflexives(outline: Outline) -> Iterator[Ruling]:
    """A reflexive is the subject of its clause; a plain pronoun beside that subject is not."""
    for one in outline.markables:
        meaning = one.pronoun
        if meaning is None or one.is_possessive:
            continue
        verb = one.tree.heads[one.head]
        said_of = outline.at(one.tree, subject(one.tree, verb)) if verb >= 0 else None
        if said_of is None or said_of.order == one.order:
            continue
        if meaning.reflexive and agrees(said_of, meaning):
            yield link("reflexive", "3.4", one, said_of)
        elif not meaning.reflexive and _is_argument(one, verb):
            yield forbid("one-clause", "3.4", one, said_of)


def subjects_and_objects(outline: Outline) -> Iterator[Ruling]:
    """Of "the mayor met Anna Holm" neither is the other: that would be said with a reflexive.

    Nor of "Anna was married to the mayor"; "he" in "he likes what the mayor says" is not the mayor.
    """
    for one in outline.markables:
        if one.pronoun is not None:
            continue
        verb = one.tree.heads[one.head]
        said_of = outline.at(one.tree, subject(one.tree, verb)) if verb >= 0 else None
        if said_of is not None and said_of.order != one.order and _is_complement(one, said_of):
            yield forbid("one-clause", "3.4", one, said_of)
        for pronoun in _commanding(outline, one):
            yield forbid("command", "3.4", one, pronoun)


def _is_complement(one: MarkablePhrase, said_of: MarkablePhrase) -> bool:
    """Whether a noun is an object, or stands after a preposition that says nothing of the subject.

    The name of the subject may come again: "Acme said so in Acme's report".
    """
    if one.relation in _ARGUMENTS:
        return True
    if one.relation != "obl" or said_of.pronoun is not None or one.word == said_of.word:
        return False
    cases = {one.tree.text(c).lower() for c in one.tree.under(one.head, "case")}
    return bool(cases) and cases.isdisjoint(_EQUATING)


def _commanding(outline: Outline, one: MarkablePhrase) -> Iterator[MarkablePhrase]:
    """Pronouns that are the subject of a clause that a noun stands in."""
    tree, place = one.tree, one.head
    while tree.heads[place] >= 0 and tree.relation(place) in _COMMANDED:
        place = tree.heads[place]
        for said in tree.under(place, "nsubj"):
            found = outline.at(tree, said)
            meaning = found.pronoun if found is not None else None
            if found is None or meaning is None or meaning.person < 3 or found.head > one.head:
                continue
            if not tree.under(place, "cop") and tree.words[place].lemma not in BEING:
                yield found


def clause_subjects(outline: Outline) -> Iterator[Ruling]:
    """ "It" in "raising the rent is opposed; it is welcomed" is nothing in the clause it takes up.

    §3.3: a gerund with an object is not markable, so such an "it" has no antecedent.
    """
    for one in outline.markables:
        tree, verb = one.tree, one.tree.heads[one.head]
        if one.word != "it" or one.relation != "nsubj" or verb < 0:
            continue
        for clause in tree.under(tree.heads[verb], "csubj") if tree.heads[verb] >= 0 else ():
            inside = tree.subtree(clause)
            for other in outline.by_sentence[outline.sentence(one)]:
                if other.order != one.order and other.head in inside:
                    yield forbid("clause-subject", "3.3", one, other)


def parallels(outline: Outline) -> Iterator[Ruling]:
    """A pronoun in the second of two joined clauses is what stood in its place in the first.

    So "they" in "producers have seen it, and they are glad", if nothing says otherwise.
    """
    for one in outline.markables:
        meaning = one.pronoun
        verb = one.tree.heads[one.head]
        if meaning is None or meaning.person < 3 or verb < 0 or one.is_possessive:
            continue
        earlier = one.tree.heads[verb]
        if one.tree.relation(verb) != "conj" or earlier < 0:
            continue
        same = "nsubj" if one.relation == "nsubj" else "obj"
        for place in one.tree.under(earlier, same):
            found = outline.at(one.tree, place)
            if found is not None and agrees(found, meaning) and not _is_joined(found):
                certain = one.word == "it" and same == "nsubj" and found.pronoun is None
                yield link("parallel", "5.1", one, found, certain=certain)


def owned_by_subjects(outline: Outline) -> Iterator[Ruling]:
    """ "Its" in "GM announced its profit" is the subject's, if nothing says otherwise."""
    for one in outline.markables:
        meaning = one.pronoun
        if meaning is None or not one.is_possessive or meaning.person < 3:
            continue
        verb = _clause_of(one)
        said_of = outline.at(one.tree, subject(one.tree, verb)) if verb is not None else None
        if said_of is None or said_of.mention.end > one.mention.start:
            continue
        if agrees(said_of, meaning) and not _is_joined(said_of):
            certain = _owns_object(one, said_of)
            yield link("possessor", "3.4", one, said_of, certain=certain)


def _owns_object(one: MarkablePhrase, said_of: MarkablePhrase) -> bool:
    """Whether a definite subject's verb has the owned thing for its object: then it is its own."""
    owned = one.tree.heads[one.head]
    direct = one.tree.heads[owned] == said_of.tree.heads[said_of.head]
    begun = said_of.phrase.word(said_of.phrase.first) in ("a", "an", "another")
    return direct and one.tree.relation(owned) == "obj" and not begun


def is_quantified(marked: MarkablePhrase) -> bool:
    """Whether it is "every bank", "most linguists", "everyone"."""
    if marked.word in _EVERYONE:
        return True
    first = marked.phrase.word(marked.phrase.first)
    return first in _QUANTIFIERS and marked.phrase.end - marked.phrase.first > 1


def agrees(marked: MarkablePhrase, pronoun: Pronoun) -> bool:
    """Whether a third person pronoun can stand for the phrase by number and kind."""
    own = marked.pronoun
    if own is not None:
        return (own.person, own.number, own.gender) == (
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


def _is_bound(binder: MarkablePhrase, one: MarkablePhrase) -> bool:
    meaning = one.pronoun
    if meaning is None or meaning.person < 3 or one.head <= binder.head:
        return False
    if not agrees(binder, meaning) or not (one.is_possessive or meaning.reflexive):
        return False
    tree = one.tree
    place = tree.heads[one.head]
    while place >= 0:
        own = tree.under(place, "nsubj")
        if tree.words[place].relation == "acl:relcl" and tree.heads[place] == binder.head:
            return not own or is_relative_word(tree, own[0])
        if own:
            return own[0] == binder.head
        place = tree.heads[place]
    return False


def _is_argument(one: MarkablePhrase, verb: int) -> bool:
    """Whether the verb cannot have its own subject for this object."""
    if one.relation in _ARGUMENTS:
        return True
    if one.relation != "obl" or one.tree.under(verb, "obj"):
        return False
    cases = {one.tree.text(c).lower() for c in one.tree.under(one.head, "case")}
    return bool(cases) and cases.isdisjoint(_AROUND)


def _clause_of(one: MarkablePhrase) -> int | None:
    """The verb whose object the possessor's phrase is in."""
    tree = one.tree
    place = tree.heads[one.head]
    while place >= 0:
        if tree.tag(place) == "VERB" or tree.under(place, "nsubj"):
            return place
        place = tree.heads[place]
    return None


def _is_joined(marked: MarkablePhrase) -> bool:
    return bool(marked.tree.under(marked.head, "conj"))


_SURE = word_set("sure certain true right wrong why how what because so fair")


def speakers(outline: Outline) -> Iterator[Ruling]:
    """Links of the first person singular with the subject of the verb of saying."""
    document = outline.document
    flags = quoted_tokens(document.text, document.tokens)
    quoted = {token.start for token, inside in zip(document.tokens, flags, strict=True) if inside}
    if not quoted:
        return
    for sentence, tree in zip(outline.by_sentence, outline.trees, strict=True):
        own = [one for one in sentence if _is_speaker(one) and one.mention.start in quoted]
        said = _speaker(outline, tree, quoted)
        if said is not None:
            for one in own:
                yield link("speaker", "3.4", one, said)
            for one in sentence:
                if one.mention.start in quoted and _is_of_another(one):
                    yield forbid("quoted", "3.4", *_in_order(one, said))
        for earlier, later in pairwise(own):
            yield link("speaker", "3.4", later, earlier)


def _is_of_another(one: MarkablePhrase) -> bool:
    """Whether speakers would not speak so of themselves: no "I", nothing that "I" is said to be."""
    meaning = one.pronoun
    if meaning is not None:
        return meaning.person == 3
    role = one.relation in ("appos", "xcomp", "conj", "vocative")
    return not role and not one.tree.under(one.head, "cop")


def _in_order(one: MarkablePhrase, other: MarkablePhrase) -> tuple[MarkablePhrase, MarkablePhrase]:
    return (one, other) if one.order > other.order else (other, one)


def _is_speaker(one: MarkablePhrase) -> bool:
    meaning = one.pronoun
    return meaning is not None and meaning.person == 1 and meaning.number == "singular"


def _speaker(outline: Outline, tree: Tree, quoted: set[int]) -> MarkablePhrase | None:
    """Who the sentence says is speaking, outside its quotation marks."""
    for place, word in enumerate(tree.words):
        form = tree.text(place).lower()
        if tree.tokens[place].start in quoted or word.tag != "VERB":
            continue
        if form not in REPORTING_VERBS and word.lemma.lower() not in REPORTING_VERBS:
            continue
        for said in tree.under(place, "nsubj"):
            if tree.tokens[said].start not in quoted:
                return outline.at(tree, said)
    return None


def is_about_clause(one: MarkablePhrase) -> bool:
    """Whether "that" sums up a clause, as in "that's for sure": it has no antecedent (§3.1)."""
    if one.word not in ("that", "this") or one.relation != "nsubj":
        return False
    return one.tree.text(one.tree.heads[one.head]).lower() in _SURE
