"""A model's union as a draft of the union page, for campaigns that measure what a draft changes."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from tatian.errors import TatianError
from tatian.union.data import Instance
from tatian.union.generate import one_sentence, passages
from tatian.union.models import Merged, Merger, mergers
from tatian.workbench.tasks import Plain
from tatian.workbench.tasks.words import Vocabulary, folded, words

if TYPE_CHECKING:
    from tatian.pipeline import Pipeline

_turn = threading.Lock()


def draft(instance: Instance) -> Plain | None:
    """Base, highlights and merged sentence as the page keeps them; None where no model helps."""
    try:
        with _turn:
            pipeline, merger = _tools()
            told = passages(instance, pipeline.process)
            merged = merger.merge(told)
    except TatianError:
        return None
    text = one_sentence(merged)
    if not text.strip():
        return None
    base = max(range(len(told)), key=lambda number: (_used(merged, instance, number), -number))
    marks = _highlights(instance, base, text)
    tried = {str(base): {"highlights": marks, "merged": text}}
    return {"step": 1, "base": base, "tried": tried, "skip": None}


@cache
def _tools() -> tuple[Pipeline, Merger]:
    """What needs no encoder: half a second for a pair of sentences."""
    from tatian.pipeline import Pipeline

    return Pipeline.fast(), mergers.create("edit", effort="quick", disputes=False)


def _used(merged: Merged, instance: Instance, number: int) -> int:
    """How many characters of a sentence the union draws on."""
    name = f"{instance.id}.{number + 1}"
    places = {(source.start, source.end) for source in merged.sources() if source.document == name}
    return sum(end - start for start, end in places)


def _highlights(instance: Instance, base: int, text: str) -> list[Plain]:
    """What the union has and its base has not, wherever another sentence says it."""
    known = Vocabulary(instance.sentences[base])
    new = {folded(word.text) for word in words(text) if word.text not in known}
    return [
        {"start": word.start, "end": word.end, "sentence": number}
        for number, sentence in enumerate(instance.sentences)
        if number != base
        for word in words(sentence)
        if folded(word.text) in new
    ]
