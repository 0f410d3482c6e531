"""Link rules of the definition: the links that they make and those that they forbid."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from tatian.coreference.definition.clauses import (
    conjuncts_of,
    forbid_conjuncts,
    forbid_contrasts,
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
    link_owners,
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
"""Nouns for quantities; the list is ours, the definition names profit and temperature."""
_CHANGES = frozenset(
    stem(word)
    for word in word_set(
        "rise fall climb drop increase decrease decline grow soar plunge jump slip shrink sink "
        "swell surge tumble change vary fluctuate double triple halve ease"
    )
)


def values(outline: Outline) -> Iterator[Ruling]:
    """Link a function with its value; forbid links with a function that only changes."""
    valued = {function.order: (function, value) for function, value in _valued(outline)}
    for function, value in valued.values():
        yield link("function-value", FUNCTIONS, value, function)
        if function.pronoun is not None:
            named = _measure_before(outline, function)
            if named is not None:
                yield link("function-value", FUNCTIONS, function, named)
    for clause in predications(outline):
        if clause.predicate.is_value and not clause.asserted and clause.subject.lemma in MEASURES:
            yield forbid("possible-value", FUNCTIONS, clause.predicate, clause.subject)
    yield from _changing(outline, list(valued.values()))


def _valued(outline: Outline) -> Iterator[tuple[MarkablePhrase, MarkablePhrase]]:
    """Yield pairs of a function and its value: "a profit of $2", "the temperature is 90"."""
    for markable in outline.markables:
        if markable.is_value and markable.relation == "nmod":
            whole = outline.at(markable.tree, markable.tree.heads[markable.head])
            if whole is not None and whole.lemma in MEASURES and _follows_of(markable):
                yield whole, markable
    for clause in predications(outline):
        if not clause.predicate.is_value or not clause.asserted or clause.kind != "copula":
            continue
        subject = clause.subject
        named = _measure_before(outline, subject) if subject.word == "it" else None
        if subject.lemma in MEASURES or named is not None:
            yield subject, clause.predicate


def _follows_of(value: MarkablePhrase) -> bool:
    return value.phrase.word(value.phrase.first - 1) == "of" or any(
        value.tree.text(c) == "of" for c in value.tree.under(value.head, "case")
    )


def _measure_before(outline: Outline, pronoun: MarkablePhrase) -> MarkablePhrase | None:
    """Return the last function mentioned in the sentence before the pronoun's."""
    number = outline.sentence(pronoun)
    earlier = outline.by_sentence[number - 1] if number else []
    return next((markable for markable in reversed(earlier) if markable.lemma in MEASURES), None)


def _changing(
    outline: Outline, valued: list[tuple[MarkablePhrase, MarkablePhrase]]
) -> Iterator[Ruling]:
    """Separate functions from values: "the temperature is rising", "the temperature is 90"."""
    functions = [
        markable
        for markable in outline.markables
        if markable.lemma in MEASURES and _changes(markable)
    ]
    for function in functions:
        for valued_function, value in valued:
            if valued_function.lemma == function.lemma and valued_function.order != function.order:
                yield forbid("function-itself", FUNCTIONS, function, valued_function)
                yield forbid("function-itself", FUNCTIONS, function, value)


def _changes(markable: MarkablePhrase) -> bool:
    verb = markable.tree.heads[markable.head]
    if verb < 0 or markable.relation != "nsubj":
        return False
    return not {stem(markable.tree.words[verb].lemma), stem(markable.tree.text(verb))}.isdisjoint(
        _CHANGES
    )


SECTION = "5.3"
_MARKS = word_set(", -- - – — ( [ :")
_NO_NAMING = word_set("e.g. i.e. such including notably especially particularly like often whose")
"""Words that begin an example or a part of a clause, and no second name."""
_KINDS = frozenset(("PER", "ORG", "LOC", "DATE"))


def appositions(outline: Outline) -> Iterator[Ruling]:
    """Link definite appositives; forbid links of indefinite ones and those without punctuation.

    "Newark, New Jersey" is no apposition but a place with a modifier (§4.1).
    """
    for markable in outline.markables:
        if markable.relation == "appos":
            host = outline.at(markable.tree, markable.tree.heads[markable.head])
            if host is not None and host.order != markable.order:
                yield from _judged(outline, host, markable)
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
        yield from (forbid("place-in-place", "4.1", conjunct, host) for conjunct in joined)
        return
    if before not in _MARKS:
        yield forbid("unpunctuated-apposition", SECTION, appositive, host)
        return
    shared = share_modifiers([conjunct.phrase for conjunct in joined])
    for conjunct in joined:
        if is_indefinite(conjunct) or _has_article_apart(host, conjunct):
            yield forbid("indefinite-appositive", SECTION, conjunct, host)
        else:
            certain = len(joined) > 1 or _is_sure(host, conjunct, before)
            yield link("apposition", SECTION, conjunct, host, optional=shared, certain=certain)


def _has_article_apart(host: MarkablePhrase, appositive: MarkablePhrase) -> bool:
    """Return whether commas separate it from its "a": "Ann Lee, a Turin, Italy, lawyer"."""
    name = host.mention.head or host.mention
    after = host.tree.place(name.end)
    if after + 1 >= appositive.phrase.first or host.tree.text(after) != ",":
        return False
    between = range(after + 1, appositive.phrase.first)
    return host.tree.text(after + 1) in ("a", "an") and not any(
        host.tree.tag(place) == "NOUN" for place in between
    )


def _is_sure(host: MarkablePhrase, appositive: MarkablePhrase, before: str) -> bool:
    """Return whether it is certain: no colon, equal number, no "a ..., Ann"."""
    called = is_indefinite(host) and appositive.is_person and not _is_closed(appositive)
    same = host.is_name or appositive.is_name or host.is_plural == appositive.is_plural
    return before != ":" and same and not called and not (host.is_plural and appositive.is_name)


def _is_closed(appositive: MarkablePhrase) -> bool:
    return appositive.phrase.word(appositive.phrase.end - 1) == ","


def _are_of_two_kinds(host: MarkablePhrase, other: MarkablePhrase) -> bool:
    """Return whether names differ in kind, or one gives place or time: "Newark, New Jersey"."""
    kinds = [host.mention.type, other.mention.type]
    if not _KINDS.issuperset(kinds):
        return False
    return kinds[0] != kinds[1] or kinds[0] in ("LOC", "DATE")


DESCRIBING = frozenset(("indefinite-appositive", "indefinite-predicate"))
"""Rules about phrases that describe something without being coreferent with it."""
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
    forbid_conjuncts,
    forbid_contrasts,
    roles,
    link_owners,
    parallels,
)
"""Rules by family; what an earlier one links, no later one forbids."""


def rulings(outline: Outline) -> list[Ruling]:
    """Return one ruling for each pair of markables: the first that applies."""
    by_pair: dict[frozenset[int], Ruling] = {}
    orders = {markable.mention: markable.order for markable in outline.markables}

    def add(ruling: Ruling) -> None:
        pair = frozenset((orders[ruling.anaphor], orders[ruling.antecedent]))
        if len(pair) == 2:
            earlier = by_pair.get(pair)
            if earlier is None or (ruling.certain and not earlier.certain):
                by_pair[pair] = ruling

    for finder in FINDERS:
        for ruling in finder(outline):
            add(ruling)
    for ruling in _nested(outline):
        add(ruling)
    described = {
        ruling.anaphor: ruling.antecedent
        for ruling in by_pair.values()
        if ruling.rule in DESCRIBING
    }
    for ruling in list(by_pair.values()):
        host = described.get(ruling.antecedent)
        if ruling.rule == "possible-identity" and host is not None:
            add(replace(ruling, antecedent=host))
    return list(by_pair.values())


def links(document: Document) -> list[Ruling]:
    """Return the definition's links in an analysed document, certain or not, optional or not."""
    return [ruling for ruling in rulings(Outline(document)) if ruling.verdict == "link"]


def prohibitions(document: Document) -> list[Ruling]:
    """Return the pairs of an analysed document that the definition never links."""
    return [ruling for ruling in rulings(Outline(document)) if ruling.verdict == "forbid"]


def _nested(outline: Outline) -> Iterator[Ruling]:
    """Forbid links between nested phrases such as "its chairperson" and "its" (§3.4)."""
    for outer, inner in outline.nested():
        yield forbid("inside", "3.4", inner, outer)
