"""Rulings of the definition: links that it makes and links that it forbids."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from tatian.coreference import LISTS
from tatian.coreference.definition import clauses, pronouns
from tatian.coreference.definition.clauses import conjuncts_of, share_modifiers
from tatian.coreference.definition.kinds import coercions, kinds
from tatian.coreference.definition.markable import is_unpunctuated_apposition
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.predicates import is_indefinite, predicate_nominals, predications
from tatian.coreference.definition.roles import roles
from tatian.text import Document
from tatian.text.content import stem
from tatian.text.lexicon import word_set

FUNCTIONS = "5.6"
MEASURES = LISTS["measures"]
"""Nouns for quantities. The definition names only profit and temperature."""
_CHANGE_VERBS = frozenset(stem(word) for word in LISTS["change verbs"])


def function_values(outline: Outline) -> Iterator[Ruling]:
    """Link a quantity with its value; forbid links with a mention of its change (§5.6)."""
    valued = {function.order: (function, value) for function, value in _function_values(outline)}
    for function, value in valued.values():
        yield link("function-value", FUNCTIONS, value, function)
        if function.pronoun is not None:
            named = _measure_before(outline, function)
            if named is not None:
                yield link("function-value", FUNCTIONS, function, named)
    for clause in predications(outline):
        if clause.predicate.is_value and not clause.asserted and clause.subject.lemma in MEASURES:
            yield forbid("possible-value", FUNCTIONS, clause.predicate, clause.subject)
    yield from _forbid_changing_values(outline, list(valued.values()))


def _function_values(outline: Outline) -> Iterator[tuple[MarkablePhrase, MarkablePhrase]]:
    """Yield pairs of a function and its value: "a profit of $2", "the temperature is 90"."""
    for markable in outline.markables:
        if markable.is_value and markable.relation == "nmod":
            quantity = outline.at(markable.tree, markable.tree.heads[markable.head])
            if quantity is not None and quantity.lemma in MEASURES and _is_after_of(markable):
                yield quantity, markable
    for clause in predications(outline):
        if not clause.predicate.is_value or not clause.asserted or clause.kind != "copula":
            continue
        subject = clause.subject
        named = _measure_before(outline, subject) if subject.word == "it" else None
        if subject.lemma in MEASURES or named is not None:
            yield subject, clause.predicate


def _is_after_of(value: MarkablePhrase) -> bool:
    return value.phrase.word(value.phrase.first - 1) == "of" or any(
        value.tree.text(c) == "of" for c in value.tree.under(value.head, "case")
    )


def _measure_before(outline: Outline, pronoun: MarkablePhrase) -> MarkablePhrase | None:
    """Return the last quantity mentioned in the sentence before the pronoun's."""
    number = outline.sentence(pronoun)
    earlier = outline.by_sentence[number - 1] if number else []
    return next((markable for markable in reversed(earlier) if markable.lemma in MEASURES), None)


def _forbid_changing_values(
    outline: Outline, valued: list[tuple[MarkablePhrase, MarkablePhrase]]
) -> Iterator[Ruling]:
    """Forbid links between "the temperature is rising" and "the temperature is 90"."""
    measures = (markable for markable in outline.markables if markable.lemma in MEASURES)
    for function in filter(_is_changing, measures):
        for valued_function, value in valued:
            if valued_function.lemma == function.lemma and valued_function.order != function.order:
                yield forbid("function-itself", FUNCTIONS, function, valued_function)
                yield forbid("function-itself", FUNCTIONS, function, value)


def _is_changing(markable: MarkablePhrase) -> bool:
    verb = markable.tree.heads[markable.head]
    if verb < 0 or markable.relation != "nsubj":
        return False
    stems = {stem(markable.tree.words[verb].lemma), stem(markable.tree.text(verb))}
    return not stems.isdisjoint(_CHANGE_VERBS)


SECTION = "5.3"
_MARKS_BEFORE_APPOSITIVE = word_set(", -- - – — ( [ :")
_WORDS_BEFORE_EXAMPLES = LISTS["words before examples"]
"""Words that introduce an example or a clause instead of a second name."""
_KINDS = frozenset(("PER", "ORG", "LOC", "DATE"))


def appositions(outline: Outline) -> Iterator[Ruling]:
    """Link definite appositives; forbid indefinite ones and those without punctuation.

    "Newark, New Jersey" is not an apposition but a place with a modifier (§4.1).
    """
    for markable in outline.markables:
        if markable.relation == "appos":
            host = outline.at(markable.tree, markable.tree.heads[markable.head])
            if host is not None and host.order != markable.order:
                yield from _appositive_rulings(outline, host, markable)
    for outer, inner in outline.nested():
        if is_unpunctuated_apposition(outer.phrase, inner.phrase):
            yield forbid("unpunctuated-apposition", SECTION, inner, outer)


def _appositive_rulings(
    outline: Outline, host: MarkablePhrase, appositive: MarkablePhrase
) -> Iterator[Ruling]:
    joined = [appositive, *conjuncts_of(outline, appositive)]
    before = appositive.phrase.word(appositive.phrase.first - 1)
    if appositive.is_value or appositive.tree.tag(appositive.head) == "PRON":
        return
    if appositive.phrase.word(appositive.phrase.first) in _WORDS_BEFORE_EXAMPLES:
        return
    if _is_place_in_place(host, appositive) or (before == ":" and len(joined) > 1):
        yield from (forbid("place-in-place", "4.1", conjunct, host) for conjunct in joined)
        return
    if before not in _MARKS_BEFORE_APPOSITIVE:
        yield forbid("unpunctuated-apposition", SECTION, appositive, host)
        return
    shared = share_modifiers([conjunct.phrase for conjunct in joined])
    for conjunct in joined:
        if is_indefinite(conjunct) or _has_article_apart(host, conjunct):
            yield forbid("indefinite-appositive", SECTION, conjunct, host)
        else:
            certain = len(joined) > 1 or _is_certain_apposition(host, conjunct, before)
            yield link("apposition", SECTION, conjunct, host, optional=shared, certain=certain)


def _has_article_apart(host: MarkablePhrase, appositive: MarkablePhrase) -> bool:
    """Return whether commas separate it from its article: "Ann Lee, a Turin, Italy, lawyer"."""
    name = host.mention.head or host.mention
    after = host.tree.place(name.end)
    if after + 1 >= appositive.phrase.first or host.tree.text(after) != ",":
        return False
    between = range(after + 1, appositive.phrase.first)
    nouns = [index for index in between if host.tree.tag(index) == "NOUN"]
    return host.tree.text(after + 1) in ("a", "an") and not nouns


def _is_certain_apposition(host: MarkablePhrase, appositive: MarkablePhrase, before: str) -> bool:
    """Return whether an apposition is certain: no colon, equal number, not "a ..., Ann"."""
    if before == ":" or (host.is_plural and appositive.is_name):
        return False
    has_closing_comma = appositive.phrase.word(appositive.phrase.end - 1) == ","
    if is_indefinite(host) and appositive.is_person and not has_closing_comma:
        return False
    return host.is_name or appositive.is_name or host.is_plural == appositive.is_plural


def _is_place_in_place(host: MarkablePhrase, other: MarkablePhrase) -> bool:
    """Return whether names differ in type or are places or dates: "Newark, New Jersey"."""
    kinds = [host.mention.type, other.mention.type]
    if not _KINDS.issuperset(kinds):
        return False
    return kinds[0] != kinds[1] or kinds[0] in ("LOC", "DATE")


DESCRIPTION_RULES = frozenset(("indefinite-appositive", "indefinite-predicate"))
"""Rules about phrases that describe something without coreferring with it."""
FINDERS = (
    appositions,
    predicate_nominals,
    pronouns.link_bound_anaphors,
    pronouns.link_reflexives,
    pronouns.forbid_clause_subjects,
    pronouns.forbid_clause_mates,
    pronouns.link_speakers,
    function_values,
    kinds,
    coercions,
    clauses.forbid_conjuncts,
    clauses.forbid_contrasts,
    roles,
    pronouns.link_owners,
    pronouns.link_parallels,
)
"""Families of rules; an earlier ruling on a pair takes precedence."""


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
    for outer, inner in outline.nested():  # "its chairperson" and "its" (§3.4)
        add(forbid("inside", "3.4", inner, outer))
    described = (ruling for ruling in by_pair.values() if ruling.rule in DESCRIPTION_RULES)
    hosts = {ruling.anaphor: ruling.antecedent for ruling in described}
    for ruling in list(by_pair.values()):
        host = hosts.get(ruling.antecedent)
        if ruling.rule == "possible-identity" and host is not None:
            add(replace(ruling, antecedent=host))
    return list(by_pair.values())


def links(document: Document) -> list[Ruling]:
    """Return all links of the definition in an analysed document."""
    return [ruling for ruling in rulings(Outline(document)) if ruling.verdict == "link"]


def prohibitions(document: Document) -> list[Ruling]:
    """Return the pairs of an analysed document that the definition never links."""
    return [ruling for ruling in rulings(Outline(document)) if ruling.verdict == "forbid"]
