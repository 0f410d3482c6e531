"""The default: many wordings of a union, weighed against each other, the best one returned."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from tatian.analysis.installed import unavailable
from tatian.errors import EmptyInput
from tatian.text import WovenToken
from tatian.text.content import is_telling
from tatian.text.language import english_share
from tatian.union.candidates import Candidate, Proposer
from tatian.union.disagreement import find_contradictions
from tatian.union.models import Merged, Outcome, Passage
from tatian.union.models.align import Align
from tatian.union.models.aligning.disputes import show_dispute
from tatian.union.models.copying import copy_tokens
from tatian.union.models.edit.editor import Editor, Reading, Tokens, Wording
from tatian.union.models.edit.search import FULL, QUICK
from tatian.union.models.edit.support import supported
from tatian.union.models.edit.writing import Strand, strand
from tatian.union.models.finishing import finished, side_by_side
from tatian.union.models.multi import Multi

T = TypeVar("T")
NAME = "tatian"
ENGLISH = 0.4
"""Share of English words below which the trained model is not asked."""
LOSS = 0.35
"""What leaving out one word that belongs into the union, for certain, costs a wording."""
TELLING = 0.5
"""The same for a name or a number, however likely."""
UNSOUND = 1.0
"""What a broken quotation or bracket costs."""


class Report(Struct, frozen=True):
    """How the union of two sentences came about."""

    chosen: Wording | None
    """None where the trained model was not asked."""
    considered: int
    origin: str
    missing: tuple[str, ...]
    """Content words that the union does not have: other words for what it says, or lost."""


class Tatian:
    """Wordings of the edit model and of `align`, ranked by what was learned and what is counted.

    Nothing is invented: every word comes from one of the sentences or is a joint such as "and".
    """

    def __init__(
        self,
        *,
        effort: str = "full",
        disputes: bool = True,
        editor: Editor | None = None,
        proposers: Sequence[Proposer] | None = None,
    ) -> None:
        self.effort = effort
        """"full", or "quick" for a narrower search."""
        self.disputes = disputes
        """Whether the text shows what accounts say otherwise, in brackets."""
        self.proposers = (Align(disputes=False),) if proposers is None else tuple(proposers)
        """Models whose wordings compete with those of the edit model."""
        self.editor = editor or Editor(effort=QUICK if effort == "quick" else FULL)
        self.seconds: dict[str, float] = {}
        """Time spent on each stage so far."""

    def propose(self, passages: Sequence[Passage]) -> list[Candidate]:
        """Unions of two passages, best first; of more, the one that `merge` finds."""
        if not passages:
            raise EmptyInput("no passages to merge")
        full = [passage for passage in passages if passage.text.strip()]
        if len(full) != 2:
            merged = self.merge(passages)
            tokens = tuple(token for sentence in merged.sentences for token in sentence)
            return [Candidate(tokens, NAME, 0.0)]
        found, _ = self._weighed(full)
        return found

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same thing: two at once, more one after the other."""
        return self.explain(passages)[0]

    def explain(self, passages: Sequence[Passage]) -> tuple[Merged, Report | None]:
        """The union, and for two passages how it came about."""
        if not passages:
            raise EmptyInput("no passages to merge")
        full = [index for index, passage in enumerate(passages) if passage.text.strip()]
        if len(full) > 2:
            pair = Tatian(disputes=False, editor=self.editor, proposers=self.proposers)
            pair.seconds = self.seconds
            return Multi(pair).merge(passages), None
        outcomes = [Outcome("redundant", "says nothing")] * len(passages)
        if len(full) < 2:
            only = full[0] if full else 0
            if full:
                outcomes[only] = Outcome("kept", "nothing else to merge", (0,))
            return Merged((copy_tokens(passages[only]),), tuple(outcomes)), None
        pair_passages = [passages[index] for index in full]
        contradictions = find_contradictions(pair_passages)
        candidates, reading = self._weighed(pair_passages)
        best = candidates[0]
        tokens = supported(best.tokens, [strand(passage).tokens for passage in pair_passages])
        tokens = finished(tokens, pair_passages)
        report = _report(best, candidates, reading, pair_passages)
        for index, outcome in zip(full, _outcomes(tokens, pair_passages), strict=True):
            outcomes[index] = outcome
        if self.disputes:
            for passage in pair_passages:
                tokens = tuple(show_dispute(tokens, passage, contradictions))
        return Merged((tokens,), tuple(outcomes), contradictions), report

    def _weighed(self, pair: Sequence[Passage]) -> tuple[list[Candidate], Reading | None]:
        if _same(pair):
            return [Candidate(copy_tokens(pair[0]), NAME, 0.0)], None
        proposed = self._timed(
            "proposals", lambda: [one for p in self.proposers for one in p.propose(pair)]
        )
        strands = [strand(passage) for passage in pair]
        reading = None
        english = english_share(" ".join(passage.text for passage in pair)) >= ENGLISH
        if english and not unavailable():
            reading = self._timed("edit", lambda: self._read(strands, proposed))
        if reading is None:
            return proposed or Align(disputes=False).propose(pair), None
        found = [
            Candidate(
                wording.tokens,
                "proposal" if wording.borrowed else "edit",
                worth(wording, reading),
                wording.natural,
            )
            for wording in reading.wordings
        ]
        return sorted(found, key=lambda c: (side_by_side(c.tokens), -c.score)), reading

    def _read(self, strands: Sequence[Strand], proposed: Sequence[Candidate]) -> Reading | None:
        proposals: list[Tokens] = [candidate.tokens for candidate in proposed]
        return self.editor.read(strands[0], strands[1], proposals)

    def _timed(self, stage: str, work: Callable[[], T]) -> T:
        began = time.perf_counter()
        result = work()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - began
        return result


def worth(wording: Wording, reading: Reading) -> float:
    """The ranker's score, less what is lost: content that belongs in, names, numbers, marks."""
    telling = sum(
        is_telling(reading.words[place].text) and reading.used[place] > 0.3
        for place in wording.missing
    )
    return wording.score - LOSS * wording.wanted - TELLING * telling - UNSOUND * (not wording.sound)


def _same(pair: Sequence[Passage]) -> bool:
    one, two = ([w.lower() for w in passage.text.split()] for passage in pair)
    return one == two


def _outcomes(tokens: Sequence[WovenToken], pair: Sequence[Passage]) -> list[Outcome]:
    """What became of each sentence, told by the words that it alone stands behind."""
    alone: list[list[str]] = [[], []]
    for token in tokens:
        behind = {source.document for source in token.sources}
        for index, passage in enumerate(pair):
            if behind == {passage.document.id} and len({p.document.id for p in pair}) == 2:
                alone[index].append(token.text)
    base = max((0, 1), key=lambda index: (len(alone[index]), -index))
    outcomes = []
    for index in (0, 1):
        words = [word for word in alone[index] if any(c.isalnum() for c in word)]
        if index == base:
            outcomes.append(Outcome("kept", "carries the union", (0,)))
        elif words:
            outcomes.append(Outcome("merged", f"adds: {' '.join(words)}", (0,)))
        else:
            why = "says nothing that the text does not say"
            outcomes.append(Outcome("redundant", why, (0,)))
    return outcomes


def _report(
    best: Candidate,
    candidates: Sequence[Candidate],
    reading: Reading | None,
    pair: Sequence[Passage],
) -> Report:
    if reading is None:
        return Report(None, len(candidates), best.origin, ())
    chosen = next(w for w in reading.wordings if w.tokens == best.tokens)
    missing = tuple(reading.words[place].text for place in chosen.missing)
    return Report(chosen, len(candidates), best.origin, missing)
