"""Checks of MUC markup by the rules of form and content.

This module also has the rules on phrases that are not markable (§3) or are parts of a name, date or
amount (§3.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches

from msgspec.structs import replace

from tatian.analysis.installed import unavailable
from tatian.coreference.analysis import analyse
from tatian.coreference.checks.extents import EXTENT_RULES
from tatian.coreference.checks.form import chain_roots, check_form, index_ids
from tatian.coreference.checks.links import LINK_RULES
from tatian.coreference.checks.rules import (
    BY_NAME,
    Breach,
    CheckFinding,
    CheckRule,
    ContentRule,
    Diagnosis,
    make_finding,
    phrase_rule,
)
from tatian.coreference.definition.markable import (
    conjoined_heads,
    is_clause,
    is_gerund,
    is_relative,
    participle,
)
from tatian.coreference.definition.phrases import Mark, MarkedPhrase, MarkedText
from tatian.coreference.definition.units import WholeUnit
from tatian.errors import InputError
from tatian.formats import recognize
from tatian.formats.muc import MARKABLES, PARTS, scan
from tatian.formats.muc.elements import ScannedDocument
from tatian.formats.muc.markables import minimum
from tatian.text import CHAINS, Document
from tatian.views.wording import squeeze


def marks_of_scan(document: ScannedDocument) -> tuple[Mark, ...]:
    """Return the valid markables of a MUC document: closed, not empty, in an annotated part."""
    elements = document.markables
    places = index_ids(elements)
    links = {
        number: places[reference]
        for number, element in enumerate(elements)
        if (reference := element.get("REF")) and reference in places
    }
    chains = chain_roots(len(elements), links)
    marks = (
        Mark(
            element.span.start,
            element.span.end,
            element.id,
            str(chains[number]),
            linked=bool(element.get("REF")),
            minimum=minimum(document, number),
            optional=element.optional,
            line=element.line,
            column=element.column,
        )
        for number, element in enumerate(elements)
        if (part := document.part(element.span.start)) is None or part.annotated
    )
    return tuple(sorted(marks, key=_place))


def marks_of_document(document: Document) -> tuple[Mark, ...]:
    """Return the mentions of a document; without markup, all but a chain's first are linked."""
    markables = document.get(MARKABLES) if document.has(MARKABLES) else ()
    by_span = {(markable.start, markable.end): markable for markable in markables}
    marks = []
    for chain in document.get(CHAINS) if document.has(CHAINS) else ():
        for number, mention in enumerate(sorted(chain.mentions)):
            marked = by_span.get((mention.start, mention.end))
            mark = Mark(
                mention.start,
                mention.end,
                marked.id if marked else "",
                chain.id,
                linked=marked.antecedent is not None if marked else number > 0,
                minimum=mention.head,
                optional=mention.optional,
            )
            marks.append(mark)
    return tuple(sorted(marks, key=_place))


def _place(mark: Mark) -> tuple[int, int]:
    return mark.start, -mark.end


def check_mentions(document: Document) -> Iterator[tuple[CheckRule, Breach]]:
    """Find mentions of the same string, and mentions that overlap without being nested."""
    open_marks: list[Mark] = []
    for mark in marks_of_document(document):
        open_marks = [other for other in open_marks if other.end > mark.start]
        words = squeeze(mark.of(document.text))
        for other in open_marks:
            if (other.start, other.end) == (mark.start, mark.end):
                chains = f"twice in chain '{mark.chain}'"
                if other.chain != mark.chain:
                    chains = f"in chain '{other.chain}' and in chain '{mark.chain}'"
                message = f"'{words}' is marked {chains}"
                yield BY_NAME["tagged-twice"], Breach(mark, message, "keep one of the two marks")
            elif other.end < mark.end:
                crossed = squeeze(other.of(document.text))
                message = f"'{words}' overlaps '{crossed}', but neither lies inside the other"
                advice = "mark whole phrases: two noun phrases are nested or apart"
                yield BY_NAME["crossing-mentions"], Breach(mark, message, advice)
        open_marks.append(mark)


_REMOVE_LINKED = "take the mark away, and the marks that are linked only to it"


@phrase_rule("conjoined")
def find_conjoined(text: MarkedText, phrase: MarkedPhrase) -> Diagnosis:
    """Diagnose phrases with two or more heads."""
    heads = conjoined_heads(text, phrase)
    if len(heads) < 2:
        return None
    words = ", ".join(f"'{phrase.tree.text(head)}'" for head in heads)
    advice = "take the mark away; mark each part alone where it corefers with something"
    return f"has {len(heads)} heads ({words})", advice


@phrase_rule("gerund")
def find_gerunds(text: MarkedText, phrase: MarkedPhrase) -> Diagnosis:
    """Diagnose phrases headed by a present participle that is still a verb."""
    if not is_gerund(phrase):
        return None
    return f"is headed by the gerund '{phrase.tree.text(participle(phrase))}'", _REMOVE_LINKED


@phrase_rule("relative-pronoun")
def find_relative_pronouns(text: MarkedText, phrase: MarkedPhrase) -> Diagnosis:
    """Diagnose relative pronouns."""
    if phrase.end - phrase.first > 1 or not is_relative(phrase):
        return None
    advice = "take the mark away: the phrase it belongs to is marked as a whole"
    return "is a relative pronoun", advice


@phrase_rule("clause")
def find_clauses(text: MarkedText, phrase: MarkedPhrase) -> Diagnosis:
    """Diagnose clauses and verbs."""
    if not is_clause(phrase) or is_gerund(phrase):
        return None
    noun = "a verb" if phrase.end - phrase.first == 1 else "a clause"
    return f"is {noun}, not a noun phrase", _REMOVE_LINKED


@phrase_rule("part-of-name")
def find_parts(text: MarkedText, phrase: MarkedPhrase) -> Diagnosis:
    """Diagnose phrases that are only a part of a name, date, amount or percentage."""
    string = text.strip_edges(phrase.mark)
    unit = text.unit_at(string)
    if unit is None or text.strip_edges(unit) == string or _may_stand_alone(text, phrase, unit):
        return None
    quoted = text.quote(unit)
    advice = f"mark {quoted} as a whole, or take the mark away"
    return f"is only a part of the {unit.kind} {quoted}", advice


def _may_stand_alone(text: MarkedText, phrase: MarkedPhrase, unit: WholeUnit) -> bool:
    """Return whether the name may be too long: an owner, a side of a slash, a name twice."""
    mark = phrase.mark
    if phrase.is_possessor or phrase.is_pronoun or unit.type == "MISC":
        return True
    remainder = text.text[unit.start : mark.start] + text.text[mark.end : unit.end]
    if remainder.strip() == mark.of(text.text):
        return True
    return not remainder.strip(" ./,-–") or any(sign in remainder for sign in "/;()")


_PHRASE_RULES = (find_clauses, find_gerunds, find_relative_pronouns, find_conjoined, find_parts)
CONTENT_RULES: tuple[ContentRule, ...] = (*_PHRASE_RULES, *EXTENT_RULES, *LINK_RULES)
_MUC = "muc"


def check(
    text: str,
    path: str | None = None,
    *,
    content: bool = True,
    rules: Collection[str] | None = None,
) -> list[CheckFinding]:
    """Return the findings in a file's whole text, in the order of its lines.

    `rules` selects rules by name. Without `content`, or without the encoder, only the rules of form
    apply. A file with errors of form still gets advice on its valid parts.
    """
    rule_names = {rule.name for rule in find_rules(BY_NAME if rules is None else rules)}
    chooses_content = any(rule.rule.name in rule_names for rule in CONTENT_RULES)
    content = content and chooses_content and not unavailable()
    if recognize(text, path, "coreference").name != _MUC:
        raise InputError("not MUC SGML: 'tatian coref convert --to muc' makes it so", path=path)
    kept = [finding for finding in _check(text, path, content) if finding.rule.name in rule_names]
    return sorted(kept, key=lambda finding: (finding.line, finding.column))


def check_content(document: Document) -> Iterator[CheckFinding]:
    """Yield advice on a document's markables or chains; lines and columns are those of its text."""
    markup = document.has(MARKABLES)
    marks = marks_of_document(document)
    for rule, (mark, message, advice) in _check_marks(document, marks, markup=markup):
        line = document.text.count("\n", 0, mark.start) + 1
        column = mark.start - document.text.rfind("\n", 0, mark.start)
        place = replace(mark, line=line, column=column)
        yield make_finding(rule, place, message, advice, document.id)


def breaches(text: MarkedText) -> Iterator[tuple[CheckRule, Breach]]:
    """Yield the breaches of the rules of content, at most one for each rule and mark."""
    for rule in CONTENT_RULES:
        if rule.rule.about == "markup" and not text.markup:
            continue
        reported: set[Mark] = set()
        for breach in rule.find(text):
            if breach.mark not in reported:
                reported.add(breach.mark)
                yield rule.rule, breach


def find_rules(names: Collection[str]) -> tuple[CheckRule, ...]:
    """Return the rules of these names."""
    for name in names:
        if name not in BY_NAME:
            similar = get_close_matches(name, BY_NAME, n=1)
            hint = f": did you mean '{similar[0]}'?" if similar else ""
            raise InputError(f"no rule called '{name}'{hint}")
    return tuple(BY_NAME[name] for name in BY_NAME if name in names)


def _check(text: str, path: str | None, content: bool) -> Iterator[CheckFinding]:
    scanned = scan(text, path)
    yield from check_form(scanned)
    for document in scanned.documents if content else ():
        unlinked = Document(document.id, document.text).with_layer(PARTS, document.parts, "MUC")
        marks = marks_of_scan(document)
        for rule, (mark, message, advice) in _check_marks(unlinked, marks, markup=True):
            message = (f"markable '{mark.id}': " if mark.id else "") + message
            yield make_finding(rule, mark, message, advice, document.id, path)


def _check_marks(
    document: Document, marks: tuple[Mark, ...], *, markup: bool
) -> Iterator[tuple[CheckRule, Breach]]:
    if marks:
        yield from breaches(MarkedText(analyse(document), marks, markup=markup))
