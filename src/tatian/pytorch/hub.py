"""Models from a hub or a folder: encoder-decoders for unions, entailment classifiers.

Appendix F: PRIMERA separates its inputs by the ``<doc-sep>`` of its pretraining; T5 and others get
a new token for it. Entailment is judged as in the papers, with DeBERTa. Needs the extra ``hub``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from tatian.analysis import Entailment
from tatian.errors import InputError, MissingExtra

Tensor = Any
DOCUMENT_SEPARATOR = "<doc-sep>"
NEW_SEPARATOR = "<sentence-sep>"
IGNORED = -100
"""Label of padding, which the loss ignores."""
GROUPS_AT_ONCE = 8


class LoadedSeq2Seq(Struct, frozen=True):
    """A model with its tokenizer."""

    name: str
    tokenizer: Any
    model: Any
    separator: str
    device: str


def fetch(name: str, kind: str = "Seq2SeqLM", what: str = "model") -> tuple[Any, Any]:
    """Return the tokenizer and the model of a name on a hub, or of a folder."""
    try:
        import transformers
    except ImportError as error:
        raise MissingExtra(f"the {what} '{name}'", "hub") from error
    transformers.utils.logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        model = getattr(transformers, f"AutoModelFor{kind}").from_pretrained(name)
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"cannot load the {what} '{name}': {reason}") from error
    return tokenizer, model


def choose_device(device: str | None) -> str:
    """Return the given device, or else a GPU if there is one."""
    import torch

    return device or ("cuda" if torch.cuda.is_available() else "cpu")


def autocast(device: str, half: bool | None = None) -> Any:
    """Return a context for computing in bfloat16; by default only on a GPU."""
    import torch

    enabled = on_gpu(device) if half is None else half
    return torch.autocast(device.partition(":")[0], dtype=torch.bfloat16, enabled=enabled)


def on_gpu(device: str) -> bool:
    """Return whether a device is a GPU, where half precision is faster."""
    return device.startswith("cuda")


def load(name: str, device: str | None = None) -> LoadedSeq2Seq:
    """Load a model by its name on a hub or its folder, ready for several sentences."""
    tokenizer, model = fetch(name)
    vocabulary = tokenizer.get_vocab()
    separator = DOCUMENT_SEPARATOR if DOCUMENT_SEPARATOR in vocabulary else NEW_SEPARATOR
    if separator not in vocabulary:
        tokenizer.add_special_tokens({"additional_special_tokens": [separator]})
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        model.resize_token_embeddings(len(tokenizer))
    chosen = choose_device(device)
    return LoadedSeq2Seq(name, tokenizer, model.to(chosen), separator, chosen)


def inputs(loaded: LoadedSeq2Seq, groups: Sequence[Sequence[str]]) -> dict[str, Tensor]:
    """Return groups of sentences as tensors; groups that are too long are truncated."""
    texts = [f" {loaded.separator} ".join(sentences) for sentences in groups]
    encoded = loaded.tokenizer(
        texts, padding=True, truncation=True, max_length=max_tokens(loaded), return_tensors="pt"
    )
    arrays = {name: encoded[name].to(loaded.device) for name in ("input_ids", "attention_mask")}
    if loaded.model.config.model_type == "led":
        # PRIMERA attends globally to the first token and the separators.
        separator = loaded.tokenizer.convert_tokens_to_ids(loaded.separator)
        mask = (arrays["input_ids"] == separator).long()
        mask[:, 0] = 1
        arrays["global_attention_mask"] = mask
    return arrays


def labels(loaded: LoadedSeq2Seq, unions: Sequence[str]) -> Tensor:
    """Return unions as labels, each with the final token."""
    import torch

    tokenizer = loaded.tokenizer
    rows = []
    for union in unions:
        limits = {"truncation": True, "max_length": max_tokens(loaded)}
        ids = tokenizer(text_target=union, **limits)["input_ids"]
        end = tokenizer.eos_token_id
        rows.append(ids if ids and ids[-1] == end else [*ids, end])
    width = max(map(len, rows))
    padded_rows = [row + [IGNORED] * (width - len(row)) for row in rows]
    return torch.tensor(padded_rows, device=loaded.device)


def max_tokens(loaded: Any) -> int:
    """Return the most tokens of an input that its tokenizer and its model allow."""
    config = loaded.model.config
    bounds = [loaded.tokenizer.model_max_length, 1024]
    for name in ("max_position_embeddings", "max_encoder_position_embeddings"):
        bounds += [value] if isinstance(value := getattr(config, name, None), int) else []
    return int(min(bounds))


def write(
    loaded: LoadedSeq2Seq,
    groups: Sequence[Sequence[str]],
    *,
    beams: int = 4,
    batch: int = GROUPS_AT_ONCE,
) -> list[str]:
    """Return the union that the model generates for each group."""
    import torch

    loaded.model.eval()
    unions: list[str] = []
    for begin in range(0, len(groups), batch):
        encoded = inputs(loaded, groups[begin : begin + batch])
        longest = min(max_tokens(loaded), 2 * int(encoded["input_ids"].shape[1]) + 16)
        with torch.no_grad():
            ids = loaded.model.generate(
                **encoded, num_beams=beams, do_sample=False, max_new_tokens=longest
            )
        texts = loaded.tokenizer.batch_decode(ids, skip_special_tokens=True)
        unions += [" ".join(text.split()) for text in texts]
    return unions


def save(loaded: Any, folder: Path, add: Callable[[Path], None]) -> None:
    """Write the model and what `add` writes into a folder, completely or not at all."""
    import shutil

    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    loaded.model.save_pretrained(partial)
    loaded.tokenizer.save_pretrained(partial)
    add(partial)
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)


PAIRS_AT_ONCE = 16


class HubEntailment:
    """An entailment model of a hub, whose config names the outputs."""

    def __init__(self, name: str, *, batch: int = PAIRS_AT_ONCE) -> None:
        self._tokenizer, model = fetch(name, "SequenceClassification", "entailment model")
        import torch

        self._torch: Any = torch
        self._order = label_order(name, model.config.id2label)
        self._device = choose_device(None)
        self._model = model.eval().to(self._device)
        self._batch = batch

    def __call__(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Entailment]:
        """Judge (premise, hypothesis) pairs, some at a time; a long text is cut at its end."""
        remaining = iter(pairs)
        while batch := list(islice(remaining, self._batch)):
            premises, hypotheses = zip(*batch, strict=True)
            encoded = self._tokenizer(
                list(premises),
                list(hypotheses),
                padding=True,
                truncation="longest_first",
                max_length=self._max_tokens(),
                return_tensors="pt",
            ).to(self._device)
            with self._torch.no_grad():
                logits = self._model(**encoded).logits
            for row in self._torch.softmax(logits.double(), dim=-1).tolist():
                yield Entailment(
                    *(row[index] if index is not None else 0.0 for index in self._order)
                )

    def _max_tokens(self) -> int:
        """Return the most tokens that the model has positions for, or 512."""
        positions = getattr(self._model.config, "max_position_embeddings", None) or 512
        return int(min(positions, self._tokenizer.model_max_length, 512))


def label_order(name: str, labels: Mapping[int, str]) -> tuple[int | None, ...]:
    """Return the outputs for entailment, neutral and contradiction (None if there is none)."""
    indices = {label.lower().replace("_", "-"): int(index) for index, label in labels.items()}
    places = tuple(
        next((index for label, index in indices.items() if label.startswith(start)), None)
        for start in ("entail", "neutral", "contradict")
    )
    if places[0] is None:
        names = ", ".join(labels.values())
        raise InputError(
            f"the model '{name}' has no label 'entailment' but {names}: "
            "its config must name its labels"
        )
    return places
