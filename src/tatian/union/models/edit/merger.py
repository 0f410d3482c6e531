"""The default merger, which scores many wordings of a union and returns the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

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
from tatian.union.models.conflicts import show_dispute
from tatian.union.models.construct.weighing import (
    FOLLOWED,
    LEARNED,
    RelatedPair,
    Weighed,
    relate_pair,
)
from tatian.union.models.edit.editor import Editor, EditReading, EditWording
from tatian.union.models.edit.search import FULL, QUICK
from tatian.union.models.edit.words import stems_of
from tatian.union.models.edit.writing import case_word, union_input
from tatian.union.models.finishing import ends_within, finish, side_by_side
from tatian.union.models.multi import Multi
from tatian.union.models.whole import LongerOrBoth, join_by_semicolons
from tatian.union.relations.contradictions import find_contradictions
from tatian.union.relations.knowledge import Knowledge

NAME = "edit"
CONTAINED = "the fuller sentence"
BOTH = "both sentences"
FIRST = "the first sentence"
LAST = -100.0
"""Score of the last resort, if every wording breaks a rule."""
WEIGHED = 8
"""Number of the edit model's wordings that are parsed and scored."""
LESS_SUPPORTED = "another wording is better supported"
PREFERRED = 3
"""Number of the best wordings that are offered."""
ENGLISH = 0.4
"""Share of English words below which the trained model is not used."""
LOSS = 2.5
"""Cost of omitting a word that certainly belongs in the union."""
EXACT_LOSS = 0.5
"""Extra cost of omitting a name or a number."""
UNSOUND = 1.0
"""Cost of a broken quotation or bracket."""


Drafts = Callable[[], Sequence[UnionCandidate]]
"""Function that returns further unions of a pair, with their scores before faults are counted."""
Preference = Callable[[Sequence[tuple[str, float]]], int]
"""Function that gets texts with scores, best first, and returns the preferred one's index."""


class Edit:
    """Wordings of the trained edit model, ranked by learned scores and counted faults.

    Every word comes from one of the sentences or joins them, such as "and". If the model cannot be
    used, whole sentences stay: see `LongerOrBoth`.
    """

    licence = "any use: see LICENSE.md of the weights"

    def __init__(
        self,
        *,
        effort: str = "full",
        disputes: bool = True,
        editor: Editor | None = None,
        on_conflict: OnConflict = "both",
        knowledge: Knowledge | None = None,
    ) -> None:
        self.disputes = disputes
        """True to show in brackets what other sources say instead."""
        self.editor = editor or Editor(effort=QUICK if effort == "quick" else FULL)
        """The trained model; ``effort="quick"`` narrows its search."""
        self.on_conflict = on_conflict
        """Treatment of conflicting figures: keep both, refuse a union, or keep the first."""
        self.knowledge = knowledge
        """Knowledge of names and phrases beyond their words."""

    def propose(self, passages: Sequence[Passage]) -> list[UnionCandidate]:
        """Return unions of two passages, best first; of more, only the result of `merge`."""
        full = [passage for passage in passages if passage.text.strip()]
        if len(full) == 2:
            return [weighed.candidate for weighed in self._weighed(full, None)]
        return [UnionCandidate(join_by_semicolons(self.merge(passages).sentences), NAME, 0.0)]

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same thing: two at once, more one after the other."""
        return self.choose(passages)

    def choose(
        self,
        passages: Sequence[Passage],
        drafts: Drafts = tuple,
        prefer: Preference | None = None,
    ) -> Merged:
        """Merge passages; for two, `drafts` compete with the wordings of the edit model.

        `drafts` is called only if neither passage says all that the other says. `prefer` chooses
        among the best wordings.
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
        related = self._related(pair)
        if related is not None:
            related.excuse(contradictions)
        weighed = self._weighed(pair, related, drafts)
        if contradictions and self.on_conflict == "first":
            weighed.append(Weighed(UnionCandidate(copy_tokens(pair[0]), FIRST, LAST)))
        reasons: list[str] = []
        sound: dict[int, tuple[UnionCandidate, tuple[SourcedToken, ...]]] = {}
        for number, wording in enumerate(weighed):
            tokens, wrong = self._finish(wording, pair, related, contradictions)
            left_over = bool(sound) and wording.candidate.score <= LAST
            if not left_over and (not wrong or number + 1 == len(weighed)):
                sound[number] = wording.candidate, tokens
            if left_over or (sound and (prefer is None or len(sound) == PREFERRED)):
                break
            reasons.append(wrong[0] if wrong else LESS_SUPPORTED)
        texts = [(render(tokens), candidate.score) for candidate, tokens in sound.values()]
        number = list(sound)[prefer(texts) if prefer and len(sound) > 1 else 0]
        best, tokens = sound[number]
        lost = _unsaid(tokens, pair) if related is None else related.missing(tokens)
        outcome = MergeRecord(best.origin, len(weighed), lost, turned_down=tuple(reasons[:number]))
        return Merged((tokens,), contradictions, outcome)

    def _related(self, pair: Sequence[Passage]) -> RelatedPair | None:
        return None if unavailable() else relate_pair(pair, self.knowledge)

    def _finish(
        self,
        wording: Weighed,
        pair: Sequence[Passage],
        related: RelatedPair | None,
        contradictions: Sequence[Contradiction],
    ) -> tuple[tuple[SourcedToken, ...], list[str]]:
        """Return a wording as it is printed, and its faults."""
        tokens = add_sources(wording.candidate.tokens, [union_input(p).tokens for p in pair])
        wrong = list(wording.faults)
        if contradictions and self.on_conflict == "first":
            if cites(wording.candidate.tokens, later_claims(contradictions)):
                wrong.append("has a figure that the first sentence excludes")
        elif contradictions and self.disputes:
            for passage in pair:
                speaker = related.speaker(passage) if related is not None else ()
                tokens = tuple(show_dispute(tokens, passage, contradictions, speaker))
            words = {token.text.lower() for token in tokens}
            for claim in (claim for c in contradictions for claim in c.claims):
                figures = [w for w in claim.text.lower().split() if is_exact(w)]
                if not set(figures) <= words:
                    wrong.append(f"hides that sentences disagree: {claim.text}")
        return tokens, wrong

    def _weighed(
        self,
        pair: Sequence[Passage],
        related: RelatedPair | None,
        drafts: Drafts = tuple,
    ) -> list[Weighed]:
        """Return all faultless wordings, best first, with both sentences as the last resort."""
        whole = [copy_tokens(passage) for passage in pair]
        if _same(pair):
            return [Weighed(UnionCandidate(whole[0], NAME, 0.0))]
        english = english_share(" ".join(passage.text for passage in pair)) >= ENGLISH
        if not english or unavailable():
            kept = join_by_semicolons(LongerOrBoth().merge(pair).sentences)
            return [Weighed(UnionCandidate(kept, "longer-or-both", 0.0))]
        related = related or self._related(pair)
        number = related.container() if related is not None else None
        if related is not None and self.on_conflict == "first" and related.judge.excused:
            number = None
        if number is not None:
            return [Weighed(UnionCandidate(whole[number], CONTAINED, 0.0)), both(pair)]
        reading = self.editor.read(union_input(pair[0]), union_input(pair[1]))
        wordings = self._learned(pair, related, reading)
        if related is not None:
            wordings += related.weigh_built()
            wordings += [related.weigh(tokens, BOTH, FOLLOWED) for tokens in related.followed()]
            wordings += map(related.weigh_draft, drafts())
        sound = [wording for wording in wordings if not wording.faults]
        order = sorted(sound, key=lambda wording: -wording.candidate.score)
        return [*order, both(pair)]

    def _learned(
        self, pair: Sequence[Passage], related: RelatedPair | None, reading: EditReading | None
    ) -> list[Weighed]:
        """Return the scored wordings of the edit model."""
        if reading is None:
            return []
        ranked = sorted(reading.wordings, key=lambda wording: -worth(wording, reading))
        best = worth(ranked[0], reading)
        result = []
        for wording in ranked:
            tokens = finish(wording.tokens, pair)
            wrong = ["a sentence ends within it"] if ends_within(tokens) else []
            wrong += ["two figures side by side"] if side_by_side(tokens) else []
            if related is not None:
                wrong += related.torn(tokens)
            if wrong:
                continue
            learned = worth(wording, reading) - best
            if related is None:
                weighed = Weighed(UnionCandidate(tokens, NAME, learned))
            else:
                weighed = related.weigh(tokens, NAME, LEARNED * learned)
            result.append(weighed)
            if len(result) == WEIGHED:
                break
        return result


def both(pair: Sequence[Passage]) -> Weighed:
    """Join both sentences, the fuller first: the last resort if every wording breaks a rule."""
    first, second = sorted(map(union_input, pair), key=lambda sentence: -len(sentence.tokens))
    behind = tuple(case_word((second, place), opens=False) for place in range(len(second.tokens)))
    return Weighed(UnionCandidate(join_by_semicolons([first.tokens, behind]), BOTH, LAST))


def worth(wording: EditWording, reading: EditReading) -> float:
    """Return the ranker's score minus the cost of lost content, names, numbers and marks."""
    exact = sum(
        is_exact(reading.words[place].text) and reading.used[place] > 0.3
        for place in wording.missing
    )
    return (
        wording.score - LOSS * wording.wanted - EXACT_LOSS * exact - UNSOUND * (not wording.sound)
    )


def _same(pair: Sequence[Passage]) -> bool:
    first, second = ([w.lower() for w in passage.text.split()] for passage in pair)
    return first == second


def _unsaid(tokens: Sequence[SourcedToken], pair: Sequence[Passage]) -> tuple[str, ...]:
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
