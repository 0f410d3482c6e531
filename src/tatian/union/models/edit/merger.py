"""The default merger: many wordings of a union, weighed against each other, the best returned."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tatian.analysis.installed import unavailable
from tatian.errors import EmptyInput
from tatian.text import WovenToken
from tatian.text.content import is_telling
from tatian.text.language import english_share
from tatian.text.layers import SourceKind
from tatian.union.models import How, Merged, Passage, UnionCandidate, copy_tokens
from tatian.union.models.edit.editor import Editor, EditReading, EditWording
from tatian.union.models.edit.search import FULL, QUICK
from tatian.union.models.edit.words import stems_of
from tatian.union.models.edit.writing import union_input
from tatian.union.models.finishing import ends_within, finished, show_dispute, side_by_side
from tatian.union.models.multi import Multi
from tatian.union.models.whole import LongerOrBoth, joined
from tatian.union.relations.contradictions import find_contradictions

NAME = "edit"
ENGLISH = 0.4
"""Share of English words below which the trained model is not asked."""
LOSS = 2.5
"""What leaving out one word that belongs into the union, for certain, costs a wording."""
TELLING = 0.5
"""The same for a name or a number, however likely."""
UNSOUND = 1.0
"""What a broken quotation or bracket costs."""


class Edit:
    """Wordings of the trained edit model, ranked by what was learned and what is counted.

    Nothing is invented: every word comes from one of the sentences or is a joint such as "and".
    Where the model cannot be asked, whole sentences stay: see `LongerOrBoth`.
    """

    licence = "any use: see LICENSE.md of the weights"

    def __init__(
        self, *, effort: str = "full", disputes: bool = True, editor: Editor | None = None
    ) -> None:
        self.disputes = disputes
        """Whether the text shows what accounts say otherwise, in brackets."""
        self.editor = editor or Editor(effort=QUICK if effort == "quick" else FULL)
        """"full", or "quick" for a narrower search."""

    def propose(self, passages: Sequence[Passage]) -> list[UnionCandidate]:
        """Unions of two passages, best first; of more, the one that `merge` finds."""
        full = [passage for passage in passages if passage.text.strip()]
        if len(full) == 2:
            return self._weighed(full)[0]
        return [UnionCandidate(joined(self.merge(passages).sentences), NAME, 0.0)]

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same thing: two at once, more one after the other."""
        if not passages:
            raise EmptyInput("no passages to merge")
        full = [index for index, passage in enumerate(passages) if passage.text.strip()]
        if len(full) > 2:
            return Multi(self.propose).merge(passages)
        if len(full) < 2:
            return Merged((copy_tokens(passages[full[0] if full else 0]),))
        pair = [passages[index] for index in full]
        contradictions = find_contradictions(pair)
        candidates, reading = self._weighed(pair)
        best = candidates[0]
        tokens = supported(best.tokens, [union_input(passage).tokens for passage in pair])
        tokens = finished(tokens, pair)
        if self.disputes:
            for passage in pair:
                tokens = tuple(show_dispute(tokens, passage, contradictions))
        how = How(best.origin, len(candidates), _missing(best, reading))
        return Merged((tokens,), contradictions, how)

    def _weighed(self, pair: Sequence[Passage]) -> tuple[list[UnionCandidate], EditReading | None]:
        if _same(pair):
            return [UnionCandidate(copy_tokens(pair[0]), NAME, 0.0)], None
        reading = None
        english = english_share(" ".join(passage.text for passage in pair)) >= ENGLISH
        if english and not unavailable():
            reading = self.editor.read(union_input(pair[0]), union_input(pair[1]))
        if reading is None:
            kept = joined(LongerOrBoth().merge(pair).sentences)
            return [UnionCandidate(kept, "longer-or-both", 0.0)], None
        found = [
            UnionCandidate(wording.tokens, NAME, worth(wording, reading))
            for wording in reading.wordings
        ]
        whole = [one for one in found if not ends_within(one.tokens)]
        return sorted(whole or found, key=lambda c: (side_by_side(c.tokens), -c.score)), reading


def worth(wording: EditWording, reading: EditReading) -> float:
    """The ranker's score, less what is lost: content that belongs in, names, numbers, marks."""
    telling = sum(
        is_telling(reading.words[place].text) and reading.used[place] > 0.3
        for place in wording.missing
    )
    return wording.score - LOSS * wording.wanted - TELLING * telling - UNSOUND * (not wording.sound)


def _same(pair: Sequence[Passage]) -> bool:
    one, two = ([w.lower() for w in passage.text.split()] for passage in pair)
    return one == two


def _missing(best: UnionCandidate, reading: EditReading | None) -> tuple[str, ...]:
    """Content words that the union does not have."""
    if reading is None:
        return ()
    chosen = next(w for w in reading.wordings if w.tokens == best.tokens)
    return tuple(reading.words[place].text for place in chosen.missing)


def supported(
    tokens: Sequence[WovenToken], sentences: Sequence[Sequence[WovenToken]]
) -> tuple[WovenToken, ...]:
    """The words, each also naming the word of the other sentence that says the same."""
    free: dict[str, list[WovenToken]] = {}
    for words in sentences:
        stems = stems_of(token.text for token in words)
        for token, stem in zip(words, stems, strict=True):
            if len(stem) > 1 and token.sources:
                free.setdefault(stem, []).append(token)
    result = []
    for token, stem in zip(tokens, stems_of(t.text for t in tokens), strict=True):
        known = {source.document for source in token.sources}
        for twin in free.get(stem, ()):
            source = twin.sources[0]
            if token.sources and source.document not in known:
                same = twin.text.lower() == token.text.lower()
                kind: SourceKind = "copied" if same else "inflected"
                token = replace(token, sources=(*token.sources, replace(source, kind=kind)))
                known.add(source.document)
        result.append(token)
    return tuple(result)
