"""The link rules of the definition: what they link, and what they forbid to link."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from tatian.coreference.definition.clauses import (
    conjoined,
    conjuncts_of,
    contrasted,
    share_modifiers,
)
from tatian.coreference.definition.kinds import coercions, kinds
from tatian.coreference.definition.markable import is_bare
from tatian.coreference.definition.outline import (
    Finder,
    MarkablePhrase,
    Outline,
    Ruling,
    forbid,
    link,
)
from tatian.coreference.definition.predicates import is_indefinite, predicate_nominals, predications
from tatian.coreference.definition.pronouns import (
    bound_anaphors,
    clause_subjects,
    owned_by_subjects,
    parallels,
    reflexives,
    speakers,
    subjects_and_objects,
)
from tatian.coreference.definition.roles import roles
from tatian.text import Document
from tatian.text.content import stem
from tatian.text.lexicon import word_set

FUNCTIONS = "5.6"
MEASURES = word_set(
    "profit loss revenue revenues earnings income sales price cost fee rate salary wage pay tax "
    "temperature pressure speed height weight length width depth distance age total sum average "
    "mean median score value turnover debt deficit surplus budget bill fine rent charge dividend "
    "bonus premium yield margin share increase decrease rise fall drop gain level amount number "
    "figure result toll bid offer stake payment payout grant prize investment output volume "
    "interest inflation unemployment growth"
)
"""Nouns for what has a value: the list is ours, the definition names profit and temperature."""
_CHANGES = frozenset(
    stem(word)
    for word in word_set(
        "rise fall climb drop increase decrease decline grow soar plunge jump slip shrink sink "
        "swell surge tumble change vary fluctuate double triple halve ease"
    )
)


def values(outline: Outline) -> Iterator[Ruling]:
    """Links between a function and its value, and none with a function that only changes."""
    valued = {one.order: (one, value) for one, value in _valued(outline)}
    for one, value in valued.values():
        yield link("function-value", FUNCTIONS, value, one)
        if one.pronoun is not None:
            named = _measure_before(outline, one)
            if named is not None:
                yield link("function-value", FUNCTIONS, one, named)
    for said in predications(outline):
        if said.predicate.is_value and not said.asserted and said.subject.lemma in MEASURES:
            yield forbid("possible-value", FUNCTIONS, said.predicate, said.subject)
    yield from _changing(outline, list(valued.values()))


def _valued(outline: Outline) -> Iterator[tuple[MarkablePhrase, MarkablePhrase]]:
    """Pairs of a function and its value: "a profit of $2", "the temperature is 90"."""
    for one in outline.markables:
        if one.is_value and one.relation == "nmod":
            whole = outline.at(one.tree, one.tree.heads[one.head])
            if whole is not None and whole.lemma in MEASURES and _follows_of(one):
                yield whole, one
    for said in predications(outline):
        if not said.predicate.is_value or not said.asserted or said.kind != "copula":
            continue
        one = said.subject
        named = _measure_before(outline, one) if one.word == "it" else None
        if one.lemma in MEASURES or named is not None:
            yield one, said.predicate


def _follows_of(value: MarkablePhrase) -> bool:
    return value.phrase.word(value.phrase.first - 1) == "of" or any(
        value.tree.text(c) == "of" for c in value.tree.under(value.head, "case")
    )


def _measure_before(outline: Outline, pronoun: MarkablePhrase) -> MarkablePhrase | None:
    """The last function that the sentence before the pronoun's speaks of."""
    number = outline.sentence(pronoun)
    earlier = outline.by_sentence[number - 1] if number else []
    return next((one for one in reversed(earlier) if one.lemma in MEASURES), None)


def _changing(
    outline: Outline, valued: list[tuple[MarkablePhrase, MarkablePhrase]]
) -> Iterator[Ruling]:
    """ "The temperature is rising" is about the function, "the temperature is 90" about a value."""
    functions = [one for one in outline.markables if one.lemma in MEASURES and _changes(one)]
    for function in functions:
        for one, value in valued:
            if one.lemma == function.lemma and one.order != function.order:
                yield forbid("function-itself", FUNCTIONS, function, one)
                yield forbid("function-itself", FUNCTIONS, function, value)


def _changes(one: MarkablePhrase) -> bool:
    verb = one.tree.heads[one.head]
    if verb < 0 or one.relation != "nsubj":
        return False
    return not {stem(one.tree.words[verb].lemma), stem(one.tree.text(verb))}.isdisjoint(_CHANGES)


SECTION = "5.3"
_MARKS = word_set(", -- - – — ( [ :")
_NO_NAMING = word_set("e.g. i.e. such including notably especially particularly like often whose")
"""What begins an example, or a part of a clause, and no second name."""
_KINDS = frozenset(("PER", "ORG", "LOC", "DATE"))


def appositions(outline: Outline) -> Iterator[Ruling]:
    """Links of definite appositives; no link of indefinite ones, or where punctuation is missing.

    "Newark, New Jersey" is no apposition but a place with a modifier (§4.1).
    """
    for one in outline.markables:
        if one.relation == "appos":
            host = outline.at(one.tree, one.tree.heads[one.head])
            if host is not None and host.order != one.order:
                yield from _judged(outline, host, one)
    for outer, inner in outline.nested():
        if is_bare(outer.phrase, inner.phrase):
            yield forbid("unpunctuated-apposition", SECTION, inner, outer)


def _judged(outline: Outline, host: MarkablePhrase, appositive: MarkablePhrase) -> Iterator[Ruling]:
    joined = [appositive, *conjuncts_of(outline, appositive)]
    before = appositive.phrase.word(appositive.phrase.first - 1)
    if appositive.is_value or appositive.tree.tag(appositive.head) == "PRON":
        return
    if appositive.phrase.word(appositive.phrase.first) in _NO_NAMING:
        return
    if _are_of_two_kinds(host, appositive) or (before == ":" and len(joined) > 1):
        yield from (forbid("place-in-place", "4.1", one, host) for one in joined)
        return
    if before not in _MARKS:
        yield forbid("unpunctuated-apposition", SECTION, appositive, host)
        return
    shared = share_modifiers([each.phrase for each in joined])
    for one in joined:
        if is_indefinite(one) or _has_article_apart(host, one):
            yield forbid("indefinite-appositive", SECTION, one, host)
        else:
            certain = len(joined) > 1 or _is_sure(host, one, before)
            yield link("apposition", SECTION, one, host, optional=shared, certain=certain)


def _has_article_apart(host: MarkablePhrase, appositive: MarkablePhrase) -> bool:
    """Whether commas part it from its "a": "Ann Lee, a Turin, Italy, lawyer"."""
    name = host.mention.head or host.mention
    after = host.tree.place(name.end)
    if after + 1 >= appositive.phrase.first or host.tree.text(after) != ",":
        return False
    between = range(after + 1, appositive.phrase.first)
    return host.tree.text(after + 1) in ("a", "an") and not any(
        host.tree.tag(place) == "NOUN" for place in between
    )


def _is_sure(host: MarkablePhrase, appositive: MarkablePhrase, before: str) -> bool:
    """Not after a colon, not where one is singular and the other plural, not of "a ..., Ann"."""
    called = is_indefinite(host) and appositive.is_person and not _is_closed(appositive)
    same = host.is_name or appositive.is_name or host.is_plural == appositive.is_plural
    return before != ":" and same and not called and not (host.is_plural and appositive.is_name)


def _is_closed(appositive: MarkablePhrase) -> bool:
    return appositive.phrase.word(appositive.phrase.end - 1) == ","


def _are_of_two_kinds(host: MarkablePhrase, other: MarkablePhrase) -> bool:
    """Whether names differ in kind, or one only says where or when: "Newark, New Jersey"."""
    kinds = [host.mention.type, other.mention.type]
    if not _KINDS.issuperset(kinds):
        return False
    return kinds[0] != kinds[1] or kinds[0] in ("LOC", "DATE")


DESCRIBING = frozenset(("indefinite-appositive", "indefinite-predicate"))
"""Rules about phrases that say what something is, and are not that thing."""
FINDERS: tuple[Finder, ...] = (
    appositions,
    predicate_nominals,
    bound_anaphors,
    reflexives,
    clause_subjects,
    subjects_and_objects,
    speakers,
    values,
    kinds,
    coercions,
    conjoined,
    contrasted,
    roles,
    owned_by_subjects,
    parallels,
)
"""The rules by family; what an earlier one links, no later one forbids."""


def rulings(outline: Outline) -> list[Ruling]:
    """What the rules say, one ruling for each pair of markables: the first that was found."""
    found: dict[frozenset[int], Ruling] = {}
    orders = {one.mention: one.order for one in outline.markables}

    def add(ruling: Ruling) -> None:
        pair = frozenset((orders[ruling.anaphor], orders[ruling.antecedent]))
        if len(pair) == 2:
            known = found.get(pair)
            if known is None or (ruling.certain and not known.certain):
                found[pair] = ruling

    for finder in FINDERS:
        for ruling in finder(outline):
            add(ruling)
    for ruling in _nested(outline):
        add(ruling)
    described = {one.anaphor: one.antecedent for one in found.values() if one.rule in DESCRIBING}
    for ruling in list(found.values()):
        host = described.get(ruling.antecedent)
        if ruling.rule == "possible-identity" and host is not None:
            add(replace(ruling, antecedent=host))
    return list(found.values())


def links(document: Document) -> list[Ruling]:
    """What the definition links in an analysed document, certain or not, optional or not."""
    return [one for one in rulings(Outline(document)) if one.verdict == "link"]


def prohibitions(document: Document) -> list[Ruling]:
    """Which markables of an analysed document the definition never links."""
    return [one for one in rulings(Outline(document)) if one.verdict == "forbid"]


def _nested(outline: Outline) -> Iterator[Ruling]:
    """§3.4: of "its chairperson" both are markable, and they are not each other."""
    for outer, inner in outline.nested():
        yield forbid("inside", "3.4", inner, outer)
