"""Encoder-decoders from a hub, fine-tuned on unions, as the paper used T5 and PRIMERA.

Hirsch et al. 2023, §6 and Appendix F. A name or folder selects the model; the code that needs
PyTorch is in `tatian.pytorch.hub`.
"""

from __future__ import annotations

from collections.abc import Sequence

from tatian.errors import EmptyInput
from tatian.hub import HubModel
from tatian.text.documents import Passage
from tatian.union.models import Merged
from tatian.union.models.tracing import keep_longest, trace_words


class Seq2Seq(HubModel):
    """T5, BART or PRIMERA by the name or folder in $TATIAN_SEQ2SEQ; needs the extra 'hub'."""

    variable = "TATIAN_SEQ2SEQ"
    wanted = (
        "name a T5, BART or PRIMERA with --checkpoint or in TATIAN_SEQ2SEQ: a folder made by "
        "'tatian train seq2seq', or a model of a hub"
    )
    module = "tatian.pytorch.hub"

    def __init__(
        self, name: str | None = None, *, beams: int = 4, checkpoint: str | None = None
    ) -> None:
        super().__init__(checkpoint or name)
        self._beams = beams

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Return the model's text unchanged; words that are in no passage count as glue."""
        if not passages:
            raise EmptyInput("no passages to merge")
        texts = [" ".join(passage.text.split()) for passage in passages]
        (text,) = self._module.write(self._loaded, [texts], beams=self._beams)
        if not text:
            return keep_longest(passages, "the model wrote nothing")
        return trace_words(text, passages).merged()
