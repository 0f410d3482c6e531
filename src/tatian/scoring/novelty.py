"""Novel n-grams: the share of a union's word sequences that no source has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tatian.scoring.metric import Metric, Prediction

NOVEL = ("novel1", "novel2", "novel3")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def novel_rate(sources: Sequence[str], union: str, size: int) -> float:
    """Return the share of the union's runs of `size` words that no source has.

    Case does not count, nor does punctuation. A union without such runs has no novel ones.
    """
    known = {ngram for source in sources for ngram in _ngrams(source, size)}
    ngrams = _ngrams(union, size)
    return sum(ngram not in known for ngram in ngrams) / max(1, len(ngrams))


def _ngrams(text: str, size: int) -> list[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]


def _metric(size: int, description: str) -> Metric[Prediction]:
    return Metric(
        NOVEL[size - 1],
        "union",
        f"{description} that no source has",
        lambda prediction: (novel_rate(prediction.sentences, prediction.predicted, size),),
    )


NOVEL_1 = _metric(1, "words")
NOVEL_2 = _metric(2, "pairs of words")
NOVEL_3 = _metric(3, "runs of three words")
