"""The toy language model: 256 bytes, a few merges, two layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tatian.union.models.lm.gguf import Floats, Value
from tatian.union.models.lm.pieces import LETTERS

CONTROLS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["h e", "Ġ t", "Ġt he", "i n", "Ġ a", "e r", "r an", "a n", "r y", "f er", "fer ry"]
TOKENS = [*CONTROLS, *LETTERS, *dict.fromkeys(merge.replace(" ", "") for merge in MERGES)]
LAYERS, WIDTH, HEADS, KEY_HEADS, INNER = 2, 32, 4, 2, 64
KEYS = KEY_HEADS * WIDTH // HEADS
MATRICES = {
    "attn_q": (WIDTH, WIDTH),
    "attn_k": (KEYS, WIDTH),
    "attn_v": (KEYS, WIDTH),
    "attn_output": (WIDTH, WIDTH),
    "ffn_gate": (INNER, WIDTH),
    "ffn_up": (INNER, WIDTH),
    "ffn_down": (WIDTH, INNER),
}
RANK, ALPHA = 3, 6.0
ADAPTER: dict[str, Value] = {
    "general.type": "adapter",
    "general.architecture": "llama",
    "adapter.type": "lora",
    "adapter.lora.alpha": ALPHA,
}

Tensors = dict[str, tuple[str, Floats]]


def metadata(**changes: Value) -> dict[str, Value]:
    """What the file says of itself."""
    return {
        "general.architecture": "llama",
        "llama.block_count": LAYERS,
        "llama.embedding_length": WIDTH,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": KEY_HEADS,
        "llama.feed_forward_length": INNER,
        "llama.context_length": 512,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.freq_base": 10000.0,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": list(TOKENS),
        "tokenizer.ggml.merges": list(MERGES),
        "tokenizer.ggml.token_type": [3] * len(CONTROLS) + [1] * (len(TOKENS) - len(CONTROLS)),
        **changes,
    }


def tensors(seed: int = 0) -> Tensors:
    """Random weights, stored in every kind that can be written."""
    generator = np.random.default_rng(seed)
    found: Tensors = {
        "token_embd.weight": ("Q8_0", _random(generator, (len(TOKENS), WIDTH))),
        "output_norm.weight": ("F32", 1 + _random(generator, (WIDTH,))),
    }
    for layer in range(LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            found[f"blk.{layer}.{name}.weight"] = ("F32", 1 + _random(generator, (WIDTH,)))
        for name, shape in MATRICES.items():
            kind = "Q8_0" if layer else "F16"
            found[f"blk.{layer}.{name}.weight"] = (kind, _random(generator, shape, 0.4))
    return found


def adapter_tensors(generator: Any, matrices: Any = MATRICES) -> Tensors:
    """A random change of low rank to some of the matrices."""
    found: Tensors = {}
    for layer in range(LAYERS):
        for name in matrices:
            outputs, inputs = MATRICES[name]
            place = f"blk.{layer}.{name}.weight"
            found[f"{place}.lora_a"] = ("F32", _random(generator, (RANK, inputs)))
            found[f"{place}.lora_b"] = ("F16", _random(generator, (outputs, RANK)))
    return found


def _random(generator: Any, shape: tuple[int, ...], scale: float = 0.2) -> Floats:
    numbers: Floats = generator.normal(0, scale, shape).astype(np.float32)
    return numbers
