"""What every output index of the trained heads means, learned from the training data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from tatian.analysis.words import in_case
from tatian.training.data import ENTAILMENT, NAMES, Sentence
from tatian.training.words import derive_script, endings_of, shapes_of

CASINGS = ("kept", "lower", "upper", "title")
"""How a training sentence may be written; all but the first are noise."""


class Labels(Struct, frozen=True):
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


def learn_labels(sentences: Sequence[Sentence], *, width: int = 384, least: int = 2) -> Labels:
    """The inventories of a training set; scripts seen fewer than `least` times are left out."""
    words = [word for sentence in sentences for word in sentence.words]
    forms = [form for sentence in sentences for form in sentence.forms]
    scripts: Counter[str] = Counter()
    for word in words:
        scripts.update({derive_script(recased(word.form, c), word.lemma) for c in CASINGS})
    return Labels(
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
