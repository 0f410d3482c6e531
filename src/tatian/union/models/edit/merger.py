"""The default merger, which scores many wordings of a union and returns the best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from tatian.analysis.coverage import can_grade, grade_wordings
from tatian.analysis.installed import unavailable
from tatian.errors import EmptyInput
from tatian.text import SourcedToken
from tatian.text.content import is_content, is_exact
from tatian.text.documents import Passage, copy_tokens
from tatian.text.language import english_share
from tatian.text.layers import SourceKind, render
from tatian.union.models import (
    Contradiction,
    Merged,
    MergeRecord,
    OnConflict,
    UnionCandidate,
    cites,
    later_claims,
    refuse,
)
from tatian.union.models.conflicts import insert_conflict
from tatian.union.models.construct.related_pair import (
    FOLLOWED,
    LEARNED,
    RelatedPair,
    ScoredCandidate,
    relate_pair,
)
from tatian.union.models.edit.editor import Editor, EditReading, EditWording
from tatian.union.models.edit.search import FULL, QUICK
from tatian.union.models.edit.words import stems_of
from tatian.union.models.edit.writing import case_word, union_input
from tatian.union.models.finishing import finish, has_adjacent_numbers, has_inner_stop
from tatian.union.models.multi import Multi
from tatian.union.models.whole import LongerOrBoth, join_by_semicolons
from tatian.union.relations.contradictions import find_contradictions
from tatian.union.relations.knowledge import Knowledge

NAME = "edit"
FULLER_SENTENCE = "the fuller sentence"
BOTH_SENTENCES = "both sentences"
FIRST = "the first sentence"
FALLBACK_SCORE = -100.0
"""Score of the fallback, used if every wording breaks a rule."""
MAX_SCORED = 8
"""Maximum number of the edit model's wordings that are parsed and scored."""
LESS_SUPPORTED = "another wording is better supported"
PREFERRED = 3
"""Number of the best wordings that are offered to `prefer`."""
ENGLISH = 0.4
"""Share of English words below which the trained model is not used."""
LOSS = 2.5
"""Cost of each expected missing word (`EditWording.wanted`)."""
EXACT_LOSS = 0.5
"""Extra cost of omitting a name or a number."""
RULES_SHORT, RULES_LONG = 0.5, 0.1
"""Weight of the rules' costs beside the learned grade, for short and for longer pairs."""
UNSOUND = 1.0
"""Cost of a broken quotation or bracket."""


Drafts = Callable[[], Sequence[UnionCandidate]]
"""Function that returns additional candidates for a pair."""
Preference = Callable[[Sequence[tuple[str, float]]], int]
"""Function that picks from texts with scores, sorted by score, and returns an index."""


class Edit:
    """Wordings of the trained edit model, ranked by learned scores and counted faults.

    Every word comes from one of the sentences or joins them, such as "and". If the model cannot be
    used, whole sentences are kept: see `LongerOrBoth`.
    """

    licence = "any use: see LICENSE.md of the weights"

    def __init__(
        self,
        *,
        effort: str = "full",
        show_conflicts: bool = True,
        editor: Editor | None = None,
        on_conflict: OnConflict = "both",
        knowledge: Knowledge | None = None,
    ) -> None:
        self.show_conflicts = show_conflicts
        """True to add conflicting claims of other sources in brackets."""
        self.editor = editor or Editor(effort=QUICK if effort == "quick" else FULL)
        """The trained model; ``effort="quick"`` narrows its search."""
        self.on_conflict = on_conflict
        """Treatment of conflicting figures: keep both, refuse a union, or keep the first."""
        self.knowledge = knowledge
        """Knowledge base lookups that match names and phrases with different words."""

    def propose(self, passages: Sequence[Passage]) -> list[UnionCandidate]:
        """Return unions of two passages, best first; for more, only the result of `merge`."""
        full = [passage for passage in passages if passage.text.strip()]
        if len(full) == 2:
            return [scored.candidate for scored in self._score_wordings(full, None)]
        return [UnionCandidate(join_by_semicolons(self.merge(passages).sentences), NAME, 0.0)]

    def merge(
        self,
        passages: Sequence[Passage],
        drafts: Drafts = tuple,
        prefer: Preference | None = None,
    ) -> Merged:
        """Merge passages that report the same event; more than two are merged step by step.

        For two, `drafts` compete with the wordings of the edit model. They are called only if
        neither passage covers the other. `prefer` chooses among the best wordings.
        """
        if not passages:
            raise EmptyInput("no passages to merge")
        full = [index for index, passage in enumerate(passages) if passage.text.strip()]
        if len(full) > 2:
            return Multi(self.propose, self.on_conflict).merge(passages)
        if len(full) < 2:
            return Merged((copy_tokens(passages[full[0] if full else 0]),))
        pair = [passages[index] for index in full]
        contradictions = find_contradictions(pair)
        if contradictions and self.on_conflict == "refuse":
            return refuse(contradictions, NAME)
        related = self._relate_pair(pair)
        if related is not None:
            related.allow_omission_of_conflicts(contradictions)
        candidates = self._score_wordings(pair, related, drafts)
        if contradictions and self.on_conflict == "first":
            fallback = UnionCandidate(copy_tokens(pair[0]), FIRST, FALLBACK_SCORE)
            candidates.append(ScoredCandidate(fallback))
        reasons: list[str] = []
        acceptable: dict[int, tuple[UnionCandidate, tuple[SourcedToken, ...]]] = {}
        for number, scored in enumerate(candidates):
            tokens, faults = self._finish(scored, pair, related, contradictions)
            is_fallback = bool(acceptable) and scored.candidate.score <= FALLBACK_SCORE
            if not is_fallback and (not faults or number + 1 == len(candidates)):
                acceptable[number] = scored.candidate, tokens
            if is_fallback or (acceptable and (prefer is None or len(acceptable) == PREFERRED)):
                break
            reasons.append(faults[0] if faults else LESS_SUPPORTED)
        texts = [(render(tokens), candidate.score) for candidate, tokens in acceptable.values()]
        chosen = list(acceptable)[prefer(texts) if prefer and len(acceptable) > 1 else 0]
        best, tokens = acceptable[chosen]
        missing = _find_missing(tokens, pair) if related is None else related.missing(tokens)
        rejected = tuple(reasons[:chosen])
        outcome = MergeRecord(best.origin, len(candidates), missing, turned_down=rejected)
        return Merged((tokens,), contradictions, outcome)

    def _relate_pair(self, pair: Sequence[Passage]) -> RelatedPair | None:
        return None if unavailable() else relate_pair(pair, self.knowledge)

    def _finish(
        self,
        scored: ScoredCandidate,
        pair: Sequence[Passage],
        related: RelatedPair | None,
        contradictions: Sequence[Contradiction],
    ) -> tuple[tuple[SourcedToken, ...], list[str]]:
        """Return the final tokens of a wording, and its faults."""
        tokens = add_sources(scored.candidate.tokens, [union_input(p).tokens for p in pair])
        faults = list(scored.faults)
        if contradictions and self.on_conflict == "first":
            if cites(scored.candidate.tokens, later_claims(contradictions)):
                faults.append("has a figure that contradicts the first sentence")
        elif contradictions and self.show_conflicts:
            for passage in pair:
                speaker = related.speaker(passage) if related is not None else ()
                tokens = tuple(insert_conflict(tokens, passage, contradictions, speaker))
            words = {token.text.lower() for token in tokens}
            for claim in (claim for c in contradictions for claim in c.claims):
                figures = [w for w in claim.text.lower().split() if is_exact(w)]
                if not set(figures) <= words:
                    faults.append(f"omits a conflicting figure: {claim.text}")
        return tokens, faults

    def _score_wordings(
        self,
        pair: Sequence[Passage],
        related: RelatedPair | None,
        drafts: Drafts = tuple,
    ) -> list[ScoredCandidate]:
        """Return all wordings without faults, best first, with both sentences as the fallback."""
        whole = [copy_tokens(passage) for passage in pair]
        if _are_equal(pair):
            return [ScoredCandidate(UnionCandidate(whole[0], NAME, 0.0))]
        english = english_share(" ".join(passage.text for passage in pair)) >= ENGLISH
        if not english or unavailable():
            kept = join_by_semicolons(LongerOrBoth().merge(pair).sentences)
            return [ScoredCandidate(UnionCandidate(kept, "longer-or-both", 0.0))]
        related = related or self._relate_pair(pair)
        number = related.container() if related is not None else None
        if related is not None and self.on_conflict == "first" and related.costs.omittable:
            number = None
        if number is not None:
            fuller = UnionCandidate(whole[number], FULLER_SENTENCE, 0.0)
            return [ScoredCandidate(fuller), join_both(pair)]
        reading = self.editor.read(union_input(pair[0]), union_input(pair[1]))
        wordings = self._score_edit_wordings(pair, related, reading)
        if related is not None:
            wordings += related.score_constructions()
            joined = related.append_other()
            wordings += [related.score(tokens, BOTH_SENTENCES, FOLLOWED) for tokens in joined]
            wordings += map(related.score_draft, drafts())
        faultless = [wording for wording in wordings if not wording.faults]
        costs = RULES_SHORT if related is not None and related.short else RULES_LONG
        graded = grade_candidates(pair, faultless, costs)
        return [*sorted(graded, key=lambda w: -w.candidate.score), join_both(pair)]

    def _score_edit_wordings(
        self, pair: Sequence[Passage], related: RelatedPair | None, reading: EditReading | None
    ) -> list[ScoredCandidate]:
        """Return the scored wordings of the edit model."""
        if reading is None:
            return []
        ranked = sorted(reading.wordings, key=lambda wording: -wording_score(wording, reading))
        best = wording_score(ranked[0], reading)
        result = []
        for wording in ranked:
            tokens = finish(wording.tokens, pair)
            if has_inner_stop(tokens) or has_adjacent_numbers(tokens):
                continue
            if related is not None and related.dependency_faults(tokens):
                continue
            learned = wording_score(wording, reading) - best
            if related is None:
                scored = ScoredCandidate(UnionCandidate(tokens, NAME, learned))
            else:
                scored = related.score(tokens, NAME, LEARNED * learned)
            result.append(scored)
            if len(result) == MAX_SCORED:
                break
        return result


def grade_candidates(
    pair: Sequence[Passage], wordings: Sequence[ScoredCandidate], costs: float
) -> Iterator[ScoredCandidate]:
    """Yield different wordings with the score that decides: their grade, and a share of costs.

    Wordings that are too long to be graded keep their scores by rules.
    """
    by_text: dict[str, ScoredCandidate] = {}
    for wording in sorted(wordings, key=lambda wording: -wording.candidate.score):
        by_text.setdefault(render(wording.candidate.tokens), wording)
    sentences = [passage.text for passage in pair]
    if not can_grade(sentences, list(by_text)):
        yield from by_text.values()
        return
    grades = grade_wordings(sentences, list(by_text), threads=1)
    for wording, grade in zip(by_text.values(), grades, strict=True):
        score = grade + costs * wording.candidate.score
        yield replace(wording, candidate=replace(wording.candidate, score=score))


def join_both(pair: Sequence[Passage]) -> ScoredCandidate:
    """Join both sentences, the longer first: the fallback if every wording breaks a rule."""
    first, second = sorted(map(union_input, pair), key=lambda sentence: -len(sentence.tokens))
    ending = tuple(case_word((second, place), opens=False) for place in range(len(second.tokens)))
    joined = join_by_semicolons([first.tokens, ending])
    return ScoredCandidate(UnionCandidate(joined, BOTH_SENTENCES, FALLBACK_SCORE))


def wording_score(wording: EditWording, reading: EditReading) -> float:
    """Return the ranker's score minus the cost of omitted words and unpaired marks."""
    exact = sum(
        is_exact(reading.words[place].text) and reading.used[place] > 0.3
        for place in wording.missing
    )
    return (
        wording.score - LOSS * wording.wanted - EXACT_LOSS * exact - UNSOUND * (not wording.sound)
    )


def _are_equal(pair: Sequence[Passage]) -> bool:
    first, second = ([w.lower() for w in passage.text.split()] for passage in pair)
    return first == second


def _find_missing(tokens: Sequence[SourcedToken], pair: Sequence[Passage]) -> tuple[str, ...]:
    """Return content words of the passages that the union lacks."""
    stems = set(stems_of(token.text for token in tokens))
    lost: dict[str, str] = {}
    for passage in pair:
        for token in copy_tokens(passage):
            stem = stems_of([token.text])[0]
            if is_content(token.text) and stem not in stems:
                lost.setdefault(stem, token.text)
    return tuple(lost.values())


def add_sources(
    tokens: Sequence[SourcedToken], sentences: Sequence[Sequence[SourcedToken]]
) -> tuple[SourcedToken, ...]:
    """Add to each word the source of the same word in the other sentence."""
    free: dict[str, list[SourcedToken]] = {}
    for words in sentences:
        stems = stems_of(token.text for token in words)
        for token, stem in zip(words, stems, strict=True):
            if len(stem) > 1 and token.sources:
                free.setdefault(stem, []).append(token)
    result = []
    for token, stem in zip(tokens, stems_of(t.text for t in tokens), strict=True):
        documents = {source.document for source in token.sources}
        for twin in free.get(stem, ()):
            source = twin.sources[0]
            if token.sources and source.document not in documents:
                same = twin.text.lower() == token.text.lower()
                kind: SourceKind = "copied" if same else "inflected"
                token = replace(token, sources=(*token.sources, replace(source, kind=kind)))
                documents.add(source.document)
        result.append(token)
    return tuple(result)
