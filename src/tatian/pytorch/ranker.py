"""An encoder-decoder with its tokenizer, and perhaps a classifier on its last state.

This is how BART ranks and generates aggregations in TESA (§5.3, Appendix D). The encoder reads the
text of an instance; of a text that is too long, the end is kept, since it has the names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec import Struct
from safetensors.torch import load_file, save_file

from tatian.aggregation.data.records import Instance, join_inputs
from tatian.aggregation.models import Ranking, candidates_of, order_candidates
from tatian.aggregation.models.encoder_decoder import SETUP, Setup, Task, setup_of
from tatian.errors import InputError
from tatian.pytorch.hub import autocast, choose_device, fetch, max_tokens

HEAD = "head.safetensors"
CLASSES = 2
"""Classes of the classifier: wrong and right."""
_MAX_TARGET_TOKENS = 100
"""Maximum number of tokens of a candidate (Appendix D.2, ``max_len_b``)."""
WIDTH_STEP = 8
"""Widths of batches are multiples of this, which suits the hardware."""
Tensor = Any


class LoadedRanker(Struct, frozen=True):
    """A loaded model with its tokenizer."""

    name: str
    tokenizer: Any
    model: Any
    head: Any
    """Maps the decoder's last state to the two classes; None for likelihoods."""
    setup: Setup
    device: str

    @property
    def modules(self) -> Any:
        """All parts that learn."""
        parts = [self.model] if self.head is None else [self.model, self.head]
        return torch.nn.ModuleList(parts)


def load(
    name: str, task: Task, device: str | None = None, *, setup: Setup | None = None
) -> LoadedRanker:
    """Load a model by its name on a hub or its folder; with `setup`, one to be trained so."""
    # cuDNN's attention compiles a plan for each new shape of the input: with texts of many lengths,
    # it made training 2 to 4 times slower on an H200.
    torch.backends.cuda.enable_cudnn_sdp(False)
    tokenizer, model = fetch(name)
    tokenizer.truncation_side = "left"
    chosen = choose_device(device)
    stored = setup_of(Path(name))
    head = None
    if task == "discriminative":
        # A head like BART's own classifier: one hidden layer.
        width = model.get_input_embeddings().embedding_dim
        hidden, out = torch.nn.Linear(width, width), torch.nn.Linear(width, CLASSES)
        head = torch.nn.Sequential(hidden, torch.nn.Tanh(), out)
        if setup is None:
            if stored is None or stored.task != task:
                raise InputError(
                    f"'{name}' is no classifier of aggregations: make one with "
                    "'tatian train aggregation --task discriminative'"
                )
            head.load_state_dict(load_file(Path(name) / HEAD))
        head.to(chosen).eval()
    setup = setup or stored or Setup(task=task)
    return LoadedRanker(name, tokenizer, model.float().to(chosen).eval(), head, setup, chosen)


def add(loaded: LoadedRanker, folder: Path) -> None:
    """Write the files that `load` reads beside the model itself."""
    if loaded.head is not None:
        save_file(loaded.head.state_dict(), folder / HEAD)
    (folder / SETUP).write_bytes(msgspec.json.encode(loaded.setup))


def text_ids(loaded: LoadedRanker, instance: Instance) -> list[int]:
    """Return the encoder's input for an instance."""
    text = join_inputs(instance, loaded.setup.inputs)
    ids: list[int] = loaded.tokenizer(text, truncation=True, max_length=_room(loaded))["input_ids"]
    return ids or [loaded.tokenizer.eos_token_id]


def phrase_ids(loaded: LoadedRanker, phrase: str) -> list[int]:
    """Return the decoder's tokens for a candidate, with the final token."""
    tokenizer = loaded.tokenizer
    room = min(_MAX_TARGET_TOKENS, _room(loaded) // 2)
    ids: list[int] = tokenizer(text_target=phrase)["input_ids"]
    tokens = ids[:-1] if ids and ids[-1] == tokenizer.eos_token_id else ids
    return [*tokens[: room - 1], tokenizer.eos_token_id]


def pad(rows: Sequence[Sequence[int]], filler: int, device: str) -> tuple[Tensor, Tensor]:
    """Return rows of ids as one tensor, and a mask; the width is a multiple of `WIDTH_STEP`."""
    width = -(-max(map(len, rows)) // WIDTH_STEP) * WIDTH_STEP
    ids = torch.tensor([[*row, *[filler] * (width - len(row))] for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
    return ids.to(device), mask.to(device)


def encode(loaded: LoadedRanker, texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return the states of the encoder for some texts, and a mask."""
    ids, mask = pad(texts, loaded.tokenizer.pad_token_id, loaded.device)
    states = loaded.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
    return states, mask


def classify(
    loaded: LoadedRanker, states: Tensor, mask: Tensor, phrases: Sequence[Sequence[int]]
) -> Tensor:
    """Return two numbers for each phrase, decoded beside its encoded text: wrong and right."""
    filler = loaded.tokenizer.pad_token_id
    ids, phrase_mask = pad([_with_start(loaded, row) for row in phrases], filler, loaded.device)
    decoded = loaded.model.get_decoder()(
        input_ids=ids,
        attention_mask=phrase_mask,
        encoder_hidden_states=states,
        encoder_attention_mask=mask,
        use_cache=False,
    ).last_hidden_state
    last = torch.tensor([len(row) for row in phrases], device=loaded.device)
    return loaded.head(decoded[torch.arange(len(phrases), device=loaded.device), last])


def decode_phrases(
    loaded: LoadedRanker, states: Tensor, mask: Tensor, phrases: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor]:
    """Return the decoder's logits at each place of each phrase, and the labels.

    Padding has the label -100, which does not count.
    """
    from transformers.modeling_outputs import BaseModelOutput

    shifted = [_with_start(loaded, row)[:-1] for row in phrases]
    ids, _ = pad(shifted, loaded.tokenizer.pad_token_id, loaded.device)
    logits = loaded.model(
        encoder_outputs=BaseModelOutput(last_hidden_state=states),
        attention_mask=mask,
        decoder_input_ids=ids,
        use_cache=False,
    ).logits
    labels, _ = pad(phrases, -100, loaded.device)
    return logits, labels


def _room(loaded: LoadedRanker) -> int:
    """Return the tokens that the model has places for, as widths are padded."""
    return max_tokens(loaded) // WIDTH_STEP * WIDTH_STEP


def _with_start(loaded: LoadedRanker, phrase: Sequence[int]) -> list[int]:
    start = loaded.model.config.decoder_start_token_id
    return [loaded.tokenizer.pad_token_id if start is None else start, *phrase]


BEAMS = 10
MAX_NEW_TOKENS = 100
MAX_BATCH_CANDIDATES = 96
"""Maximum number of candidates in a batch."""


def rank(loaded: LoadedRanker, instances: Sequence[Instance]) -> list[Ranking]:
    """Rank the candidates of each instance, best first."""
    candidates = [candidates_of(instance) for instance in instances]
    scores = score_phrases(loaded, instances, candidates)
    return [order_candidates(*pair) for pair in zip(candidates, scores, strict=True)]


def score_phrases(
    loaded: LoadedRanker, instances: Sequence[Instance], phrases: Sequence[Sequence[str]]
) -> list[list[float]]:
    """Return a score from 0 to 1 for each phrase of each instance: likelihood, or probability."""
    loaded.modules.eval()
    texts = [text_ids(loaded, instance) for instance in instances]
    rows = [[phrase_ids(loaded, phrase) for phrase in row] for row in phrases]
    scores: list[list[float]] = [[] for _ in instances]
    order = sorted(range(len(instances)), key=lambda index: len(texts[index]))
    with torch.inference_mode(), autocast(loaded.device):
        for group in _groups(order, rows):
            values = _values(loaded, [texts[i] for i in group], [rows[i] for i in group])
            for index in group:
                scores[index] = [float(next(values)) for _ in rows[index]]
    return scores


def _groups(order: Sequence[int], rows: Sequence[Sequence[object]]) -> list[list[int]]:
    """Return groups of instances with at most `MAX_BATCH_CANDIDATES` together, if possible."""
    groups: list[list[int]] = []
    size = 0
    for index in order:
        if not rows[index]:
            continue
        size += len(rows[index])
        if not groups or size > MAX_BATCH_CANDIDATES:
            groups.append([])
            size = len(rows[index])
        groups[-1].append(index)
    return groups


def _values(loaded: LoadedRanker, texts: list[list[int]], phrases: list[list[list[int]]]) -> Any:
    """Return the score of each phrase; each text is encoded once for all its phrases."""
    owners = [index for index, rows in enumerate(phrases) for _ in rows]
    all_phrases = [row for rows in phrases for row in rows]
    states, mask = (encoded[owners] for encoded in encode(loaded, texts))
    if loaded.head is None:
        logits, labels = decode_phrases(loaded, states, mask, all_phrases)
        return iter(likelihoods(loaded, logits, labels).tolist())
    return iter(classify(loaded, states, mask, all_phrases).float().softmax(-1)[:, 1].tolist())


def likelihoods(loaded: LoadedRanker, logits: Tensor, labels: Tensor) -> Tensor:
    """Return exp of the mean log probability of a phrase's tokens and of its end.

    This is as in the original code. The token with which every text of the tokenizer begins, if
    any, is left out.
    """
    counts = (labels != -100) & (labels != loaded.tokenizer.bos_token_id)
    log_probabilities = logits.float().log_softmax(-1)
    of_labels = log_probabilities.gather(-1, labels.clamp(min=0)[..., None])[..., 0] * counts
    return (of_labels.sum(-1) / counts.sum(-1).clamp(min=1)).exp()


def generate(
    loaded: LoadedRanker, instance: Instance, limit: int = BEAMS
) -> list[tuple[str, float]]:
    """Return the phrases of a beam search with their likelihoods, best first (Appendix D.2).

    All hypotheses are kept, as in the papers, not only the best one.
    """
    loaded.modules.eval()
    beams = max(BEAMS, limit)
    ids = torch.tensor([text_ids(loaded, instance)], device=loaded.device)
    begins = loaded.model.generation_config.forced_bos_token_id is not None
    with torch.inference_mode(), autocast(loaded.device):
        sequences = loaded.model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            num_beams=beams,
            num_return_sequences=beams,
            length_penalty=1.0,
            no_repeat_ngram_size=2,
            min_new_tokens=2 if begins else 1,
            max_new_tokens=min(MAX_NEW_TOKENS, _positions(loaded)),
            early_stopping=True,
        )
    texts = loaded.tokenizer.batch_decode(sequences, skip_special_tokens=True)
    phrases = list(dict.fromkeys(" ".join(text.split()) for text in texts if text.strip()))
    (values,) = score_phrases(loaded, [instance], [phrases])
    return list(order_candidates(phrases, values)[:limit])


def _positions(loaded: LoadedRanker) -> int:
    positions = getattr(loaded.model.config, "max_position_embeddings", None)
    return positions - 1 if isinstance(positions, int) else MAX_NEW_TOKENS
