"""What every output index of the trained heads means, learned from the training data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec import Struct

from tatian.analysis.words import endings, in_case, shape
from tatian.training.data import ENTAILMENT, NAMES, LabelledSentence

CASINGS = ("kept", "lower", "upper", "title")
"""How a training sentence may be written; all but the first are noise."""


class LabelInventory(Struct, frozen=True):
    """The label inventories, as ``labels.json`` holds them."""

    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    features: tuple[str, ...]
    relations: tuple[str, ...]
    scripts: tuple[str, ...]
    shapes: tuple[str, ...]
    endings: tuple[str, ...]
    names: tuple[str, ...] = NAMES
    entailment: tuple[str, ...] = ENTAILMENT
    transitions: tuple[tuple[float, ...], ...] = ()
    """Scores of one name label after another, learned; empty before training."""
    width: int = 384
    positions: int = 512
    word_pieces: int = 16
    schema: int = 1


def recased(form: str, casing: str) -> str:
    """The form as a careless writer would put it."""
    if casing == "lower":
        return form.lower()
    if casing == "upper":
        return form.upper()
    return in_case(form, "f") if casing == "title" else form


def learn_labels(
    sentences: Sequence[LabelledSentence], *, width: int = 384, least: int = 2
) -> LabelInventory:
    """The inventories of a training set; scripts seen fewer than `least` times are left out."""
    words = [word for sentence in sentences for word in sentence.words]
    forms = [form for sentence in sentences for form in sentence.forms]
    scripts: Counter[str] = Counter()
    for word in words:
        scripts.update({derive_script(recased(word.form, c), word.lemma) for c in CASINGS})
    return LabelInventory(
        upos=tuple(sorted({word.upos for word in words})),
        xpos=tuple(sorted({word.xpos for word in words})),
        features=_by_count(Counter(word.features for word in words), 1),
        relations=tuple(sorted({word.relation for word in words})),
        scripts=_by_count(scripts, least),
        shapes=shapes_of(forms),
        endings=endings_of(forms),
        width=width,
    )


def _by_count(counts: Counter[str], least: int) -> tuple[str, ...]:
    kept = [item for item, count in counts.items() if count >= least]
    return tuple(sorted(kept, key=lambda item: (-counts[item], item)))


def listed(counts: Counter[str], *, least: int, most: int) -> tuple[str, ...]:
    """An inventory of what is frequent enough to learn, after the empty string for all else."""
    frequent = [item for item, count in counts.items() if item and count >= least]
    frequent.sort(key=lambda item: (-counts[item], item))
    return ("", *frequent[:most])


def shapes_of(words: Iterable[str], *, least: int = 20, most: int = 127) -> tuple[str, ...]:
    """The shapes worth an embedding of their own."""
    return listed(Counter(map(shape, words)), least=least, most=most)


def endings_of(words: Iterable[str], *, least: int = 10, most: int = 1023) -> tuple[str, ...]:
    """The endings worth an embedding of their own."""
    counts: Counter[str] = Counter()
    for word in words:
        counts.update(endings(word))
    return listed(counts, least=least, most=most)


def derive_script(form: str, lemma: str) -> str:
    """The shortest edit at its end that makes `lemma` of `form`; lower-cased among equals."""
    return min((_script(case, form, lemma) for case in "lkf"), key=_cost)


def _script(case: str, form: str, lemma: str) -> str:
    cased = in_case(form, case)
    pairs = zip(cased, lemma, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return f"{case}|{len(cased) - shared}|{lemma[shared:]}"


def _cost(script: str) -> int:
    _, drop, append = script.split("|", 2)
    return int(drop) + len(append)
