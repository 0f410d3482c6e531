"""Merging of sentences by the local language model, judged against the sentences it replaces."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.chat import Client, KeptAnswers
from tatian.consolidation.editor import MergeLimits
from tatian.consolidation.verification.judges.local import LocalEntailment
from tatian.errors import AssetError
from tatian.text.documents import Passage
from tatian.union.models.local.drafts import DraftWriter
from tatian.union.models.local.merger import LocalMerger

DECLINED = 0.27
"""Probability of a refusal from which two sentences are not merged."""
SUPPORTED = 3.0
"""Least log-odds of the local judge that the replaced sentences support a merged one.

Of 207 drafts that a reader judged, 59% were true; of the 99 above it, 77%.
"""
LIMITS = MergeLimits(sentences=2, per_words=80)
"""The model was measured on pairs of sentences, and takes seconds for each."""


class LocalMerges:
    """Drafts of the local merger that the local judge finds supported by the replaced sentences.

    The judge reads only these sentences: it was trained on such drafts, and it reads faster.
    """

    def __init__(
        self,
        *,
        writer: DraftWriter | None = None,
        judge: LocalEntailment | None = None,
        transcript: KeptAnswers | None = None,
    ) -> None:
        if writer is None and (missing := LocalMerger.missing()):
            raise AssetError(f"the local editor is not installed: {missing}")
        self._writer = writer or DraftWriter(transcript=transcript)
        self._judge = judge or LocalEntailment(transcript=transcript)

    @property
    def client(self) -> Client:
        """The client of the merger, with its usage."""
        return self._writer.client

    def drafts(self, passages: Sequence[Passage], before: Sequence[str]) -> Sequence[str]:
        """Return different drafts, the likeliest first; none if the model declines."""
        declined = self._writer.refusal_chance(passages) >= DECLINED
        return () if declined else self._writer.write(passages)

    def fault(self, draft: str, passages: Sequence[Passage]) -> str:
        """Return why the local judge turns a draft down, or nothing."""
        odds = self._judge.log_odds([passage.text for passage in passages], draft)
        return "" if odds >= SUPPORTED else "the local judge finds it doubtful"
