"""An encoder-decoder with its tokenizer, and a classifier on its last state if it has learned one.

The text of an instance is the encoder's input. Of too long a text the end is kept: there the names
stand.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import torch
from msgspec import Struct
from safetensors.torch import load_file, save_file

from tatian.aggregation.data.inputs import INPUTS, Input, joined
from tatian.aggregation.data.records import Instance
from tatian.errors import InputError
from tatian.training.hub import chosen_device, fetch, longest

Task = Literal["generative", "discriminative"]
SETUP = "tatian.json"
HEAD = "head.safetensors"
CLASSES = 2
_TARGET = 100
"""Tokens of a candidate at most (Appendix D.2, ``max_len_b``)."""
MULTIPLE = 8
"""Of which widths are multiples: what the hardware is made for."""
Tensor = Any


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a checkpoint was trained for; it lies beside the weights."""

    task: Task
    inputs: tuple[Input, ...] = INPUTS
    whole: bool = False
    """Text and candidate in both encoder and decoder, as fairseq classifies; else one in each."""


class LoadedRanker(Struct, frozen=True):
    """A model ready to rank."""

    name: str
    tokenizer: Any
    model: Any
    head: Any
    """From the decoder's last state to the two classes; None for likelihoods."""
    setup: Setup
    device: str

    @property
    def modules(self) -> Any:
        """Everything that learns."""
        parts = [self.model] if self.head is None else [self.model, self.head]
        return torch.nn.ModuleList(parts)


def load(
    name: str, task: Task, device: str | None = None, *, setup: Setup | None = None
) -> LoadedRanker:
    """A model by its name on a hub or its folder; with `setup`, one that is about to learn it."""
    _settle_attention()
    tokenizer, model = fetch(name)
    tokenizer.truncation_side = "left"
    chosen = chosen_device(device)
    stored = _setup(Path(name))
    head = None
    if task == "discriminative":
        head = _head(model.get_input_embeddings().embedding_dim)
        if setup is None:
            if stored is None or stored.task != task:
                raise InputError(
                    f"'{name}' is no classifier of aggregations: make one with "
                    "'tatian train aggregation --task discriminative'"
                )
            head.load_state_dict(load_file(Path(name) / HEAD))
        head.to(chosen).eval()
    found = setup or stored or Setup(task=task)
    return LoadedRanker(name, tokenizer, model.float().to(chosen).eval(), head, found, chosen)


def save(loaded: LoadedRanker, folder: Path) -> None:
    """Write the model so that `load` reads it, whole or not at all."""
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    loaded.model.save_pretrained(partial)
    loaded.tokenizer.save_pretrained(partial)
    if loaded.head is not None:
        save_file(loaded.head.state_dict(), partial / HEAD)
    (partial / SETUP).write_bytes(msgspec.json.encode(loaded.setup))
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)


def text_ids(loaded: LoadedRanker, instance: Instance) -> list[int]:
    """The instance as the encoder reads it, with room for a candidate where it comes there too."""
    room = _room(loaded)
    if loaded.setup.whole:
        room -= _phrase_room(loaded) + 1
    text = joined(instance, loaded.setup.inputs)
    found: list[int] = loaded.tokenizer(text, truncation=True, max_length=room)["input_ids"]
    return found or [loaded.tokenizer.eos_token_id]


def phrase_ids(loaded: LoadedRanker, phrase: str) -> list[int]:
    """A candidate as the decoder is to write it; it ends with the token that ends a text."""
    tokenizer = loaded.tokenizer
    room = _phrase_room(loaded)
    ids: list[int] = tokenizer(text_target=phrase)["input_ids"]
    bare = ids[:-1] if ids and ids[-1] == tokenizer.eos_token_id else ids
    return [*bare[: room - 1], tokenizer.eos_token_id]


def padded(rows: Sequence[Sequence[int]], filler: int, device: str) -> tuple[Tensor, Tensor]:
    """Rows of ids as one tensor, and which of them count; as wide as `MULTIPLE` allows."""
    width = -(-max(map(len, rows)) // MULTIPLE) * MULTIPLE
    ids = torch.tensor([[*row, *[filler] * (width - len(row))] for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
    return ids.to(device), mask.to(device)


def encode(loaded: LoadedRanker, texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """The states of the encoder for some texts, and which places count."""
    ids, mask = padded(texts, loaded.tokenizer.pad_token_id, loaded.device)
    states = loaded.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
    return states, mask


def classify(
    loaded: LoadedRanker, states: Tensor, mask: Tensor, phrases: Sequence[Sequence[int]]
) -> Tensor:
    """Two numbers for each phrase, in the decoder beside its encoded text: wrong and right."""
    ids, own = padded([_started(loaded, row) for row in phrases], _pad(loaded), loaded.device)
    decoded = loaded.model.get_decoder()(
        input_ids=ids,
        attention_mask=own,
        encoder_hidden_states=states,
        encoder_attention_mask=mask,
        use_cache=False,
    ).last_hidden_state
    last = torch.tensor([len(row) for row in phrases], device=loaded.device)
    return loaded.head(decoded[torch.arange(len(phrases), device=loaded.device), last])


def written(
    loaded: LoadedRanker, states: Tensor, mask: Tensor, phrases: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor]:
    """What the decoder expects at each place of each phrase (logits), and what stands there.

    Padding has the label -100, which does not count.
    """
    from transformers.modeling_outputs import BaseModelOutput

    shifted = [_started(loaded, row)[:-1] for row in phrases]
    ids, _ = padded(shifted, _pad(loaded), loaded.device)
    logits = loaded.model(
        encoder_outputs=BaseModelOutput(last_hidden_state=states),
        attention_mask=mask,
        decoder_input_ids=ids,
        use_cache=False,
    ).logits
    labels, _ = padded(phrases, -100, loaded.device)
    return logits, labels


def _room(loaded: LoadedRanker) -> int:
    """Tokens that the model has places for, as widths are padded."""
    return longest(loaded) // MULTIPLE * MULTIPLE


def _phrase_room(loaded: LoadedRanker) -> int:
    return min(_TARGET, _room(loaded) // 2)


def _started(loaded: LoadedRanker, phrase: Sequence[int]) -> list[int]:
    start = loaded.model.config.decoder_start_token_id
    return [loaded.tokenizer.pad_token_id if start is None else start, *phrase]


def _pad(loaded: LoadedRanker) -> int:
    return int(loaded.tokenizer.pad_token_id)


def _settle_attention() -> None:
    """Keep to attention that runs at once on any shape.

    cuDNN's compiles a plan for every new one: with texts of all lengths that made training 2 to 4
    times slower on an H200.
    """
    torch.backends.cuda.enable_cudnn_sdp(False)


def _head(width: int) -> Any:
    """As BART's own classifier: one hidden layer."""
    return torch.nn.Sequential(
        torch.nn.Linear(width, width), torch.nn.Tanh(), torch.nn.Linear(width, CLASSES)
    )


def _setup(folder: Path) -> Setup | None:
    path = folder / SETUP
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Setup)
    except msgspec.DecodeError as error:
        raise InputError(
            f"not what 'tatian train aggregation' wrote: {error}", path=str(path)
        ) from error
