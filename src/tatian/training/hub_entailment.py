"""Entailment by any sequence classification model of a hub, as the papers used DeBERTa.

Needs PyTorch and transformers; reached through `tatian.union.metrics.nli.judge`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from tatian.analysis import Entailment
from tatian.errors import InputError, MissingExtra

BATCH = 16
LABELS = ("entailment", "neutral", "contradiction")


class HubEntailment:
    """Judges pairs with a model of a hub; its config says which output means what."""

    def __init__(self, name: str, *, batch: int = BATCH) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtra(f"the entailment model '{name}'", "hub") from error
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(name)
            model = transformers.AutoModelForSequenceClassification.from_pretrained(name)
        except (OSError, ValueError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise InputError(f"cannot load the entailment model '{name}': {reason}") from error
        self._torch: Any = torch
        self._order = label_order(name, model.config.id2label)
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = model.eval().to(self._device)
        self._batch = batch

    def __call__(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Entailment]:
        """Judge (premise, hypothesis) pairs, some at a time; too long a text is cut at its end."""
        waiting = iter(pairs)
        while some := list(islice(waiting, self._batch)):
            premises, hypotheses = zip(*some, strict=True)
            fed = self._tokenizer(
                list(premises),
                list(hypotheses),
                padding=True,
                truncation="longest_first",
                max_length=self._longest(),
                return_tensors="pt",
            ).to(self._device)
            with self._torch.no_grad():
                logits = self._model(**fed).logits
            for row in self._torch.softmax(logits.double(), dim=-1).tolist():
                yield Entailment(
                    *(row[index] if index is not None else 0.0 for index in self._order)
                )

    def _longest(self) -> int:
        """What the model has positions for, where it says so."""
        most = getattr(self._model.config, "max_position_embeddings", None) or 512
        return int(min(most, self._tokenizer.model_max_length, 512))


def label_order(name: str, labels: Mapping[int, str]) -> tuple[int | None, ...]:
    """Which output is entailment, which neutral, which contradiction (None if there is none)."""
    found = {label.lower().replace("_", "-"): int(index) for index, label in labels.items()}
    places = tuple(
        next((index for label, index in found.items() if label.startswith(wanted)), None)
        for wanted in ("entail", "neutral", "contradict")
    )
    if places[0] is None:
        known = ", ".join(labels.values())
        raise InputError(
            f"the model '{name}' has no label 'entailment' but {known}: "
            "its config must name its labels"
        )
    return places
