"""Compression compared with a reference, which exposes plain concatenation.

Lengths are counted in content words (Hirsch et al. 2023, §5.2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tatian.scoring.metric import Metric, Prediction
from tatian.text.lexicon import STOP_WORDS
from tatian.text.spans import Span

_WORD = re.compile(r"[^\W_]+")
_NEGATION = re.compile(r"n['’]t\b", re.IGNORECASE)


def compression_rate(sentences: Sequence[str], union: str) -> float:
    """Return the share of the shorter sentences' content that the union saves.

    Hirsch et al. 2023, §5.2, for any number of sentences: 1 - (|union| - |longest|) / |others|.
    1 means that the union is as long as the longest sentence, 0 that nothing was saved. Others
    without a single content word count as one.
    """
    lengths = sorted(len(content_words(sentence)) for sentence in sentences)
    return 1 - (len(content_words(union)) - lengths[-1]) / max(1, sum(lengths[:-1]))


def compression_difference(sentences: Sequence[str], reference: str, predicted: str) -> float:
    """Return ΔCR (§7.2): above zero where the prediction compresses more than the reference."""
    return compression_rate(sentences, predicted) - compression_rate(sentences, reference)


def content_words(text: str) -> list[str]:
    """Return the content words of §5.2: runs of letters and digits in lower case, no stop words."""
    return [text[span.start : span.end].lower() for span in content_spans(text)]


def content_spans(text: str) -> list[Span]:
    """Return the places of the content words of a text."""
    blanked = _NEGATION.sub("   ", text)
    return [
        Span(word.start(), word.end())
        for word in _WORD.finditer(blanked)
        if word.group().lower() not in STOP_WORDS
    ]


def _difference(prediction: Prediction) -> float:
    return compression_difference(prediction.sentences, prediction.reference, prediction.predicted)


DELTA_CR = Metric[Prediction](
    "delta_cr",
    "union",
    "how much more is compressed than in the reference (Hirsch et al. 2023)",
    lambda pair: (_difference(pair),),
)
DELTA_CR_ABS = Metric[Prediction](
    "delta_cr_abs",
    "union",
    "how far the compression is from that of the reference",
    lambda pair: (abs(_difference(pair)),),
)
