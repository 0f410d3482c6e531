"""§5.6: a function such as a profit or a temperature, and the value it has."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.definition.outline import Marked, Outline
from tatian.coreference.definition.predicates import predications
from tatian.coreference.definition.rulings import Ruling, forbid, link
from tatian.text.content import stem
from tatian.text.lexicon import word_set

SECTION = "5.6"
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
        yield link("function-value", SECTION, value, one)
        if one.pronoun is not None:
            named = _measure_before(outline, one)
            if named is not None:
                yield link("function-value", SECTION, one, named)
    for said in predications(outline):
        if said.predicate.is_value and not said.asserted and said.subject.lemma in MEASURES:
            yield forbid("possible-value", SECTION, said.predicate, said.subject)
    yield from _changing(outline, list(valued.values()))


def _valued(outline: Outline) -> Iterator[tuple[Marked, Marked]]:
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


def _follows_of(value: Marked) -> bool:
    return value.phrase.word(value.phrase.first - 1) == "of" or any(
        value.tree.text(c) == "of" for c in value.tree.under(value.head, "case")
    )


def _measure_before(outline: Outline, pronoun: Marked) -> Marked | None:
    """The last function that the sentence before the pronoun's speaks of."""
    number = outline.sentence(pronoun)
    earlier = outline.by_sentence[number - 1] if number else []
    return next((one for one in reversed(earlier) if one.lemma in MEASURES), None)


def _changing(outline: Outline, valued: list[tuple[Marked, Marked]]) -> Iterator[Ruling]:
    """ "The temperature is rising" is about the function, "the temperature is 90" about a value."""
    functions = [one for one in outline.markables if one.lemma in MEASURES and _changes(one)]
    for function in functions:
        for one, value in valued:
            if one.lemma == function.lemma and one.order != function.order:
                yield forbid("function-itself", SECTION, function, one)
                yield forbid("function-itself", SECTION, function, value)


def _changes(one: Marked) -> bool:
    verb = one.tree.heads[one.head]
    if verb < 0 or one.relation != "nsubj":
        return False
    return not {stem(one.tree.words[verb].lemma), stem(one.tree.text(verb))}.isdisjoint(_CHANGES)
