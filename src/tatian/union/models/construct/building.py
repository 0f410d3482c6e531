"""Rule-based unions: content that only the other sentence has is inserted into the frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from tatian.text import SourcedToken
from tatian.text.layers import glue
from tatian.union.models.construct.acts import CLAUSES, ActMerge
from tatian.union.models.construct.draft import FrameDraft, Tokens, Words
from tatian.union.models.construct.nouns import NounMerge
from tatian.union.models.construct.outline import (
    ClauseStatement,
    find_entity,
    is_person,
    is_planned,
)
from tatian.union.models.construct.pairing import Pairing

_COMMA = glue(",", space=False)
FaultCount = Callable[[Sequence[SourcedToken]], int]
PLANS = ("relative", "and", "first")
"""Ways to add a statement about the frame's subject: as a relative clause ("who ..."), with "and"
after the frame's statement, or before it ("first")."""


def constructions(pairing: Pairing, count: FaultCount | None = None) -> Iterator[Tokens]:
    """Yield the distinct ways to merge the other sentence into the frame.

    With `count`, changes that break dependencies are undone.
    """
    seen = set()
    for plan in PLANS:
        building = Building(pairing, plan)
        if building.build():
            written = building.draft.undo_faults(count or (lambda _: 0))
            if written is not None and written not in seen:
                seen.add(written)
                yield written


class Building:
    """Merges the other sentence into the frame by one of `PLANS`."""

    def __init__(self, pairing: Pairing, plan: str) -> None:
        self.pairing = pairing
        self.frame, self.other = pairing.frame, pairing.other
        self.plan = plan
        self.draft = FrameDraft(pairing)
        self.nouns = NounMerge(self.draft)
        self.acts = ActMerge(self.draft, self.nouns)
        self._appended: list[Words] = []
        """Words to append at the end."""

    def build(self) -> bool:
        """Merge the sentences; return False if only the frame is a headline or it is outdated."""
        pairing = self.pairing
        if pairing.frame_outline.headline and not pairing.other_outline.headline:
            return False
        if any(pairing.is_stale(act) for act in pairing.acts):
            return False
        for link in pairing.links:
            self.nouns.swap_link(link)
        pending = [
            clause for clause in pairing.other_outline.statements if not self._is_shared(clause)
        ]
        for other_verb, verb in pairing.acts.items():
            self.acts.merge(other_verb, verb)
        for other_noun, noun in list(pairing.twins.items()):
            self.nouns.merge(noun, other_noun)
        for group in self._group(pending):
            self._insert_statements(group)
        if not pending:
            self._append_attribution()
        for words in self._appended:
            self.draft.insert(self.frame.end, words)
        return True

    def _is_shared(self, statement: ClauseStatement) -> bool:
        """Return True if the frame has the statement, or the event in "is expected to ..."."""
        inner = self.other.under(statement.predicate, "xcomp")
        if is_planned(self.other, statement.predicate) and self.pairing.acts.keys() & set(inner):
            return True
        return statement.predicate in self.pairing.acts

    def _group(self, pending: Sequence[ClauseStatement]) -> Iterator[list[ClauseStatement]]:
        """Group consecutive statements that share a subject."""
        group: list[ClauseStatement] = []
        for statement in pending:
            has_subject = bool(self.other.under(statement.predicate, "nsubj", "csubj"))
            if group and not has_subject and statement.subject == group[0].subject:
                group.append(statement)
                continue
            if group:
                yield group
            group = [statement]
        if group:
            yield group

    def _insert_statements(self, group: list[ClauseStatement]) -> None:
        """Insert statements that match no verb of the frame."""
        head = group[0].predicate
        places = {place for statement in group for place in statement.places}
        has_content = any(self.other.concepts[place] is not None for place in places)
        if has_content and not self.draft.count_new(places):
            return
        is_quoting = self.pairing.other_outline.quoting and head == self.other.root
        if is_quoting and self._append_quotation():
            return
        subject = group[0].subject
        noun = self.pairing.twin(subject) if subject is not None else None
        if subject is None or noun is None:
            self._append_statements(places, group)
            return
        noun = find_entity(self.frame, noun)
        self.nouns.merge(noun, subject)
        clause = self._predicate_words(places, group)
        if set(clause) <= {head, *self.other.under(head, "aux", "compound")}:
            return
        attribution = self._attribution_words()
        statements = self._find_statements(noun)
        relative = self._has_clause(noun)
        if statements:
            self._add_to_subject(statements, clause, noun, attribution)
        elif relative or self.frame.words[noun].relation == "nmod:poss":
            self._append_statements(places, group)
        else:
            self._add_relative_clause(noun, clause, attribution)

    def _find_statements(self, subject: int) -> list[ClauseStatement]:
        """Return the frame's statements with this subject."""
        return [s for s in self.pairing.frame_outline.statements if s.subject == subject]

    def _predicate_words(self, places: set[int], group: list[ClauseStatement]) -> list[int]:
        """Return the words of statements without their subject."""
        other, head = self.other, group[0].predicate
        kept = set(places)
        for child in other.under(head, "nsubj", "cc", "csubj"):
            kept -= other.subtree(child)
        return self._strip_punctuation(self.draft.prune_clause(kept, head))

    def _strip_punctuation(self, places: list[int]) -> list[int]:
        other = self.other

        def is_punctuation(place: int) -> bool:
            return other.tag(place) == "PUNCT" and not other.tokens[place].quoted

        while places and is_punctuation(places[0]):
            places = places[1:]
        while places and is_punctuation(places[-1]):
            places = places[:-1]
        return places

    def _attribution_words(self) -> Words:
        """Return the words of the other sentence's attribution; empty if the frame has it."""
        attribution = self.pairing.other_outline.attribution
        if attribution is None or not self.draft.count_new(attribution.places):
            return []
        places = list(attribution.places)
        if (
            self.other.lower[attribution.verb] != "according"
            and attribution.speaker > attribution.verb
        ):
            places = [p for p in places if p != attribution.verb] + [attribution.verb]
        marks = {"that"}
        return self.draft.take_words(p for p in places if self.other.lower[p] not in marks)

    def _add_to_subject(
        self, statements: list[ClauseStatement], clause: list[int], noun: int, attribution: Words
    ) -> None:
        """Add a statement about a subject of the frame: as a relative clause, or with "and"."""
        frame = self.frame
        has_clause = self._has_clause(noun)
        attributed = self.pairing.frame_outline.attribution
        are_attributed = bool(attribution) and attributed is not None
        if self.plan == "relative" and not has_clause and not are_attributed:
            self._add_relative_clause(noun, clause, attribution)
            return
        words = self._write_added(clause, statements, noun)
        has_clauses = any(self.other.relations[p] in CLAUSES for p in clause)
        head = statements[0].predicate
        if self.plan == "first" and not attribution and attributed is None and noun < head:
            helpers = [p for p in frame.under(head, "aux", "cop", "advmod") if p < head]
            pause = [_COMMA] if has_clauses else []
            self.draft.insert(min([head, *helpers]), [*words, *pause, glue("and")])
            return
        last = statements[-1]
        end = max(p for p in last.places if frame.tag(p) != "PUNCT") + 1
        comma = len(statements) > 1 or any(
            frame.relations[p] in CLAUSES for p in last.places if p != last.predicate
        )
        if attributed is not None and max(attributed.places) >= end:
            end, comma = max(attributed.places) + 1, True
        if frame.tokens[end - 1].quoted:
            return
        lead = [_COMMA] if comma else []
        ending = [_COMMA, *attribution] if attribution else []
        self.draft.insert(end, [*lead, glue("and"), *words, *ending])

    def _write_added(
        self, clause: list[int], statements: list[ClauseStatement], subject: int
    ) -> Words:
        """Return the words of an added statement, with "it" for an already mentioned object."""
        other, frame = self.other, self.frame
        head = clause[0]
        for place in clause:
            if other.predicate(place) and other.relations[place] in ("root", "conj", "ccomp"):
                head = place
                break
        inner = other.under(head, "ccomp")
        things = [*other.under(head, "obj"), *(p for i in inner for p in other.under(i, "nsubj"))]
        for thing in things:
            noun = self.pairing.twins.get(thing)
            below = other.subtree(thing)
            if noun is None or noun == subject or is_person(other, thing) or thing not in clause:
                continue
            if self.draft.count_new(below) or other.tokens[thing].quoted:
                continue
            if frame.heads[noun] != statements[-1].predicate:
                continue
            is_plural = other.feature(thing, "Number") == "Plur"
            plural = "them" if other.relations[thing] == "obj" else "they"
            before = [p for p in clause if p < min(below)]
            after = [p for p in clause if p > max(below)]
            self.draft.used.update(below)
            lead = self.draft.take_words(before)
            return [*lead, glue(plural if is_plural else "it"), *self.draft.take_words(after)]
        return self.draft.take_words(clause)

    def _add_relative_clause(self, noun: int, clause: list[int], attribution: Words) -> None:
        """Attach a relative clause to a noun of the frame."""
        frame = self.frame
        top = find_entity(frame, noun)
        after_noun = self.nouns.position_after(noun, "nmod", True)
        end = max(frame.extent(top)[1], frame.extent(noun)[1], after_noun)
        above = frame.heads[top]
        if above >= 0 and frame.extent(above)[0] <= end < frame.extent(above)[1]:
            near = [p for p in frame.children[above] if frame.extent(p)[0] == end and p > above]
            is_phrase = bool(near) and frame.relations[near[0]] in ("obl", "nmod")
            if is_phrase and self._is_place_name(near[0]):
                end = frame.extent(near[0])[1]
        pronoun = "who" if is_person(frame, top) or is_person(frame, noun) else "which"
        inserted = [_COMMA, *attribution, _COMMA] if attribution else []
        at_end = end >= frame.end
        words = [glue(pronoun), *([] if at_end else inserted), *self.draft.take_words(clause)]
        if at_end and attribution:
            words += [_COMMA, *attribution]
        self.draft.insert(end, words, commas=True)

    def _has_clause(self, place: int) -> bool:
        """Return True if a noun of the frame has a clause, or got a clause or apposition."""
        clause = any(self.frame.relations[c] == "acl" for c in self.frame.children[place])
        return clause or place in self.nouns.described

    def _is_place_name(self, place: int) -> bool:
        """Return True if a phrase names a place, which belongs to the noun before it."""
        return self.frame.name_at(place) is not None and not self.frame.temporal(place)

    def _append_quotation(self) -> bool:
        """Append a quotation to its speaker's statement: "and said, ..."."""
        other, frame = self.other, self.frame
        root = other.root
        speaker = other.under(root, "nsubj")
        noun = self.pairing.twin(speaker[0]) if speaker else None
        if noun is None:
            return False
        noun = find_entity(frame, noun)
        self.nouns.merge(noun, speaker[0])
        quoted = [place for place in range(len(other)) if other.tokens[place].quoted]
        quote = self.draft.take_words(range(min(quoted), max(quoted) + 1))
        dropped = set(range(min(quoted), max(quoted) + 1)) | other.subtree(speaker[0])
        kept = self.draft.prune_clause(other.subtree(root) - dropped, root)
        kept = [place for place in kept if place >= root]
        verb_words = self.draft.take_words(p for p in kept if other.tag(p) != "PUNCT")
        words = [*verb_words, _COMMA, *quote]
        statements = self._find_statements(noun)
        if statements and self.pairing.frame_outline.attribution is None:
            lead = [_COMMA] if len(statements) > 1 else []
            self._appended.append([*lead, glue("and"), *_end_quotation(words)])
        else:
            end = max(frame.extent(find_entity(frame, noun))[1], frame.extent(noun)[1])
            self.draft.insert(end, [glue("who"), *words], commas=True)
        return True

    def _append_statements(self, places: set[int], group: list[ClauseStatement]) -> None:
        """Append statements with their own subject after the frame."""
        other, head = self.other, group[0].predicate
        subject = group[0].subject
        kept = {
            place
            for place in places
            if other.relations[place] != "cc" or other.heads[place] != head
        }
        if subject is not None and subject not in kept:
            kept |= set(range(*other.extent(subject)))
        if self.pairing.other_outline.attribution is not None:
            kept -= {p for p in other.under(head, "mark") if other.lower[p] == "that"}
        whole = self._strip_punctuation(self.draft.prune_clause(kept, head))
        words = self.draft.take_words(whole)
        attribution = self._attribution_words()
        if attribution:
            words = [*words, _COMMA, *attribution]
        follows = bool(self._appended) or self.plan == "and"
        if follows and not self.other.tokens[whole[0]].quoted:
            self._appended.append([_COMMA, glue("and"), *words])
        else:
            self._appended.append([glue(";", space=False), *words])

    def _append_attribution(self) -> None:
        """Add the other sentence's attribution of shared content, if the frame has none."""
        has_attribution = self.pairing.frame_outline.attribution is not None
        if not has_attribution and (attribution := self._attribution_words()):
            self._appended.append([_COMMA, *attribution])


def _end_quotation(words: Words) -> Words:
    """End a quotation that closes a sentence in a full stop instead of a comma."""
    if len(words) > 2 and words[-2].text == "," and words[-1].text in '"”':
        return [*words[:-2], replace(words[-2], text="."), words[-1]]
    return words
