"""How good a union is: ROUGE against a reference, and how much was compressed compared with it.

All figures are fractions of 1. ROUGE rewards a blunt concatenation and hides a lost sentence, so
the compression difference always stands beside it: its mean says which way a system errs, its mean
absolute value how much (Hirsch et al. 2023, §7.2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tatian.errors import InputError
from tatian.text.lexicon import STOP_WORDS
from tatian.union.data import Instance

if TYPE_CHECKING:
    from tatian.statistics import Score

ROUGE = ("rouge1", "rouge2", "rougeL")
_WORD = re.compile(r"[^\W_]+")
_NEGATION = re.compile(r"n['’]t\b")


def score(gold: Sequence[Instance], predicted: Sequence[Instance]) -> dict[str, Score]:
    """rouge1, rouge2, rougeL, delta_cr and delta_cr_abs of predictions for the gold instances.

    Both must hold the same sentences in the same order; both must be merged.
    """
    from tatian.statistics import Score, fingerprint

    pairs = _matched(gold, predicted)
    measured = {name: [one[name] for one in rouge(pairs)] for name in ROUGE}
    differences = [
        compression_rate(instance.sentences, prediction)
        - compression_rate(instance.sentences, reference)
        for instance, (reference, prediction) in zip(gold, pairs, strict=True)
    ]
    measured["delta_cr"] = differences
    measured["delta_cr_abs"] = [abs(difference) for difference in differences]
    data = fingerprint(text for one in gold for text in (*one.sentences, one.merged or ""))
    ids = [instance.id for instance in gold]
    options = {name: {"stem": "porter", "measure": "f"} for name in ROUGE}
    return {
        name: Score.of(name, values, ids=ids, data=data, options=options.get(name))
        for name, values in measured.items()
    }


def rouge(pairs: Sequence[tuple[str, str]]) -> list[Mapping[str, float]]:
    """ROUGE-1, -2 and -L F-measures of (reference, prediction) pairs, words stemmed."""
    references = [reference for reference, _ in pairs]
    predictions = [prediction for _, prediction in pairs]
    return [
        {name: scores[name].fmeasure for name in ROUGE}
        for scores in _scorer().score_batch(references, predictions)
    ]


@cache
def _scorer() -> Any:
    import rouge_score_rs

    untyped: Any = rouge_score_rs.RougeScorer
    return untyped(list(ROUGE), use_stemmer=True)


def compression_rate(sentences: Sequence[str], union: str) -> float:
    """The share of the shorter sentences' content that the union did without.

    Hirsch et al. 2023, §5.2, for any number of sentences: 1 - (|union| - |longest|) / |others|.
    1 means that the union is as long as the longest sentence, 0 that nothing was saved. Others
    without a single content word count as one.
    """
    lengths = sorted(len(content_words(sentence)) for sentence in sentences)
    return 1 - (len(content_words(union)) - lengths[-1]) / max(1, sum(lengths[:-1]))


def content_words(text: str) -> list[str]:
    """What §5.2 counts: runs of letters and digits, lower case, that are not stop words."""
    words = _WORD.findall(_NEGATION.sub(" ", text.lower()))
    return [word for word in words if word not in STOP_WORDS]


def _matched(gold: Sequence[Instance], predicted: Sequence[Instance]) -> list[tuple[str, str]]:
    if len(gold) != len(predicted):
        raise InputError(f"{len(predicted)} predictions for {len(gold)} gold instances")
    pairs = []
    for index, (instance, guess) in enumerate(zip(gold, predicted, strict=True), 1):
        if instance.sentences != guess.sentences:
            raise InputError(
                f"prediction {index} ('{guess.id}') is about other sentences than gold instance "
                f"'{instance.id}': give both in the same order"
            )
        if instance.merged is None:
            raise InputError(f"gold instance {index} ('{instance.id}') has no merged sentence")
        pairs.append((instance.merged, guess.merged or ""))
    return pairs
