"""Relations between units of two sentences: equivalent, entailing, entailed, or disjoint.

Hirsch et al. 2023, §3 and Figure 2: a union has equivalent content once, only the more specific of
two related units, and all disjoint content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tatian.text import Document, Span
from tatian.text.content import is_content, stem
from tatian.text.documents import Passage
from tatian.text.spans import runs
from tatian.union.data import UnionInstance
from tatian.union.generate import passages
from tatian.union.relations.alignment import Aligner, UnitMatch
from tatian.union.relations.knowledge import (
    SYMBOLS,
    Abbreviations,
    Kind,
    Knowledge,
)
from tatian.union.relations.units import ParsedPassage, Unit, arguments, units_at

if TYPE_CHECKING:
    from tatian.statistics import Table


class RelatedPart(Struct, frozen=True):
    """Words of one sentence, possibly not adjacent."""

    spans: tuple[Span, ...]
    """Offsets into the text of its document."""
    text: str


class Relation(Struct, frozen=True, omit_defaults=True):
    """A row of Figure 2's table."""

    kind: Kind
    first: RelatedPart | None = None
    """Part of the first sentence; None if only the second has it."""
    second: RelatedPart | None = None
    why: str = ""
    paraphrastic: bool = False
    """True if the related parts differ in their words, not only in their number (§5.3)."""


class Relations(Struct, frozen=True):
    """All units of two sentences, each with its relation to the other sentence."""

    rows: tuple[Relation, ...]

    def of(self, *kinds: Kind) -> tuple[Relation, ...]:
        """Return the rows of the given kinds."""
        return tuple(row for row in self.rows if row.kind in kinds)


def relate(
    first: Passage,
    second: Passage,
    *,
    knowledge: Knowledge | None = None,
    meaning: bool = True,
) -> Relations:
    """Relate the units of two sentences that the encoder has analysed.

    Rules compare words, names, numbers and dates. `knowledge` compares names and phrases that
    differ. The encoder compares the rest, unless `meaning` is false.
    """
    left, right = ParsedPassage(first), ParsedPassage(second)
    matches = Aligner(left, right, knowledge or Abbreviations(), meaning=meaning).align()
    shared = [
        _build_row(match, matches, left, right) for match in select_matches(matches, left, right)
    ]
    left_only, right_only = disjoint(matches, left, right)
    return Relations(
        (
            *shared,
            *(Relation("disjoint", first=_build_part(left, places)) for places in left_only),
            *(Relation("disjoint", second=_build_part(right, places)) for places in right_only),
        )
    )


def equivalents(passages: Sequence[Passage]) -> dict[tuple[int, int], frozenset[tuple[int, int]]]:
    """Map each content word of a passage to the words of others in an equivalent unit.

    A word is the index of its passage and its start offset in it.
    """
    parsed_passages = [ParsedPassage(passage) for passage in passages]
    twins_by_word: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for first_index, other in combinations(range(len(parsed_passages)), 2):
        left, right = parsed_passages[first_index], parsed_passages[other]
        for match in Aligner(left, right, Abbreviations()).align():
            if match.verdict.kind != "equivalent":
                continue
            first = {(first_index, start) for start in _content_starts(left, match.first)}
            second = {(other, start) for start in _content_starts(right, match.second)}
            for words, twins in ((first, second), (second, first)):
                for word in words:
                    twins_by_word.setdefault(word, set()).update(twins)
    return {word: frozenset(twins) for word, twins in twins_by_word.items()}


def _content_starts(passage: ParsedPassage, unit: Unit) -> list[int]:
    """Return the start offsets of a unit's content words in its passage."""
    offset = passage.passage.span.start
    content = (place for place in unit.places if passage.concepts[place] is not None)
    return [passage.tokens[place].start - offset for place in content]


def _build_row(
    match: UnitMatch, matches: list[UnitMatch], first: ParsedPassage, second: ParsedPassage
) -> Relation:
    sides: tuple[Places, Places] = (tuple(match.first.places), tuple(match.second.places))
    if match.are_verbs:
        sides = proposition(match, matches, first, second)
    return Relation(
        match.verdict.kind,
        _build_part(first, sides[0]),
        _build_part(second, sides[1]),
        match.verdict.why,
        is_paraphrastic(match, first, second),
    )


def _build_part(passage: ParsedPassage, places: Places) -> RelatedPart:
    """Return words of a passage, with adjacent ones joined to one span."""
    spans: list[Span] = []
    last = -2
    for place in places:
        token = passage.tokens[place]
        if place == last + 1:
            spans[-1] = Span(spans[-1].start, token.end)
        else:
            spans.append(Span(token.start, token.end))
        last = place
    text = passage.passage.document.text
    return RelatedPart(tuple(spans), " ".join(span.of(text) for span in spans))


_DROPPED = frozenset(("punct", "cc"))

Places = tuple[int, ...]


def select_matches(
    matches: Sequence[UnitMatch], first: ParsedPassage, second: ParsedPassage
) -> list[UnitMatch]:
    """Return the matches that get a row: those not repeated inside a larger match."""
    return [
        match
        for match in matches
        if not any(
            other is not match
            and other.first.covers(match.first)
            and other.second.covers(match.second)
            and _stems(first, match.first) == _stems(second, match.second)
            for other in matches
        )
    ]


def is_paraphrastic(match: UnitMatch, first: ParsedPassage, second: ParsedPassage) -> bool:
    """Return True if the units differ in their words, not only in their number (§5.3)."""
    first_stems, second_stems = _stems(first, match.first), _stems(second, match.second)
    return not first_stems <= second_stems and not second_stems <= first_stems


def _stems(passage: ParsedPassage, unit: Unit) -> set[str]:
    """Return the stems of its content words; if it has none, those of all its words."""
    words = [word.removesuffix(".") for word in passage.words(unit)]
    return {stem(word) for word in words if is_content(word)} or {stem(word) for word in words}


def proposition(
    match: UnitMatch, matches: Sequence[UnitMatch], first: ParsedPassage, second: ParsedPassage
) -> tuple[Places, Places]:
    """Return the words of two matched verbs and of their matched arguments."""
    first_roles, second_roles = arguments(first, match.first), arguments(second, match.second)
    sides = set(match.first.places), set(match.second.places)
    for first_place, role in first_roles.items():
        for second_place in (place for place, same in second_roles.items() if same == role):
            pairs = [
                pair
                for pair in matches
                if pair.first in units_at(first, first_place)
                and pair.second in units_at(second, second_place)
            ]
            for pair in sorted(pairs, key=lambda pair: pair.first.kind != "name")[:1]:
                sides[0].update(_with_agent(first, pair.first))
                sides[1].update(_with_agent(second, pair.second))
    return tuple(sorted(sides[0])), tuple(sorted(sides[1]))


def _with_agent(passage: ParsedPassage, unit: Unit) -> set[int]:
    """Return the words of a unit, with the "by" before an agent."""
    tree = passage.tree
    agent = tree.words[unit.head].relation == "obl:agent"
    return {*unit.places, *(tree.under(unit.head, "case") if agent else ())}


def disjoint(
    matches: Sequence[UnitMatch], first: ParsedPassage, second: ParsedPassage
) -> tuple[list[Places], list[Places]]:
    """Return the runs of words that only one of the sentences has."""
    first_new = _unmatched(first, [match.first for match in matches])
    second_new = _unmatched(second, [match.second for match in matches])
    common = {first.concepts[place] for place in first_new} & {
        second.concepts[place] for place in second_new
    }
    first_new = {place for place in first_new if first.concepts[place] not in common}
    second_new = {place for place in second_new if second.concepts[place] not in common}
    return list(_find_runs(first, first_new)), list(_find_runs(second, second_new))


def _unmatched(passage: ParsedPassage, units: Sequence[Unit]) -> set[int]:
    covered = {place for unit in units for place in unit.places}
    return {
        place
        for place, concept in enumerate(passage.concepts)
        if concept is not None and place not in covered
    }


def _find_runs(passage: ParsedPassage, new: set[int]) -> Iterator[Places]:
    """Yield runs of new words with the function words that depend on them."""
    member = (_is_attached(passage, place, new) for place in range(len(passage.tokens)))
    for first, end in runs(member):
        run = _trim(passage, first, end)
        if not new.isdisjoint(run):
            yield tuple(run)


def _is_attached(passage: ParsedPassage, place: int, new: set[int]) -> bool:
    """Return True if a word is new, or a function word below a new one."""
    seen = 0
    while place not in new:
        if place < 0 or passage.concepts[place] is not None or seen > len(passage.tokens):
            return False
        place = passage.tree.heads[place]
        seen += 1
    return True


def _trim(passage: ParsedPassage, first: int, end: int) -> range:
    while end > first and passage.tree.relation(end - 1) in _DROPPED:
        end -= 1
    while first < end and passage.tree.relation(first) in _DROPPED:
        first += 1
    return range(first, end)


class Related(Struct, frozen=True):
    """Two sentences of an instance and the relations between their units."""

    id: str
    numbers: tuple[int, int]
    """Numbers of the two sentences in the instance, from 1."""
    sentences: tuple[str, str]
    relations: Relations

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`; offsets refer to the sentences."""
        return {
            "id": self.id,
            "numbers": list(self.numbers),
            "sentences": list(self.sentences),
            "relations": msgspec.to_builtins(self.relations.rows),
        }


def relate_all(
    instances: Iterable[UnionInstance],
    *,
    prepare: Callable[[Document], Document],
    knowledge: Knowledge | None = None,
) -> Iterator[Related]:
    """Yield the relations of each pair of sentences.

    `prepare` is ``tatian.Pipeline.for_sentences().process``.
    """
    for instance in instances:
        every = list(enumerate(passages(instance, prepare), 1))
        for (first_number, first), (other, second) in combinations(every, 2):
            relations = relate(first, second, knowledge=knowledge)
            yield Related(instance.id, (first_number, other), (first.text, second.text), relations)


def to_table(related: Related) -> Table:
    """Build a table of the relations, in the order of the paper's Figure 2.

    Disjoint parts share rows; ``≈`` marks a paraphrase.
    """
    from tatian.statistics import Table

    first_number, other = related.numbers
    names: dict[Kind, str] = {
        "entailed": f"S{other} entails S{first_number}",
        "entails": f"S{first_number} entails S{other}",
        "equivalent": f"S{first_number} equivalent to S{other}",
        "disjoint": "disjoint",
    }
    rows = []
    for kind, name in names.items():
        relations = related.relations.of(kind)
        first_texts = [row.first.text for row in relations if row.first is not None]
        second_texts = [row.second.text for row in relations if row.second is not None]
        reasons = [f"≈ {row.why}" if row.paraphrastic else row.why for row in relations]
        shown = zip_longest(first_texts, second_texts, fillvalue="")
        for place, (first, second) in enumerate(shown):
            label = "" if place else f"{name} {SYMBOLS[kind]}"
            rows.append((label, first, second, reasons[place]))
    return Table.of(["relation", f"S{first_number}", f"S{other}", "why"], rows)
