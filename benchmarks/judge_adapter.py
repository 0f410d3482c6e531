"""Low-rank adapters of a language model: attach, remove, quantise, and export for llama.cpp."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

MODULES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
NAMES = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
"""Names of the matrices in GGUF."""


def rounded(weights: Any, bits: int) -> Any:
    """Quantise a matrix as llama.cpp does, with 4, 5 or 8 bits in blocks of 32."""
    import torch

    blocks = weights.float().reshape(-1, 32)
    if bits == 8:
        scale = blocks.abs().amax(1, keepdim=True) / 127
        kept = torch.where(scale > 0, blocks / scale, 0 * blocks).round() * scale.half().float()
    else:
        half = 2 ** (bits - 1)
        at = blocks.abs().argmax(1, keepdim=True)
        scale = blocks.gather(1, at) / -half
        kept = torch.where(scale != 0, blocks / scale, 0 * blocks) + half + 0.5
        kept = (kept.floor().clamp(0, 2 * half - 1) - half) * scale.half().float()
    return kept.reshape(weights.shape)


def adapt(model: Any, rank: int, alpha: int, modules: Sequence[str]) -> dict[str, Any]:
    """Add low-rank products to some of a model's matrices; everything else is frozen."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Adapted(nn.Module):
        def __init__(self, plain: Any) -> None:
            super().__init__()
            self.plain, self.scale, self.drop = plain, alpha / rank, nn.Dropout(0.05)
            device = plain.weight.device
            self.a = nn.Parameter(torch.zeros(rank, plain.in_features, device=device))
            self.b = nn.Parameter(torch.zeros(plain.out_features, rank, device=device))

        def forward(self, x: Any) -> Any:
            inner = functional.linear(self.drop(x), self.a.to(x.dtype))
            return self.plain(x) + functional.linear(inner, self.b.to(x.dtype)) * self.scale

    for parameter in model.parameters():
        parameter.requires_grad_(False)
    found = {}
    for number, layer in enumerate(model.model.layers):
        for name in modules:
            owner = layer.self_attn if hasattr(layer.self_attn, name) else layer.mlp
            plain = getattr(owner, name)
            plain = getattr(plain, "plain", plain)
            adapted = Adapted(plain)
            setattr(owner, name, adapted)
            found[f"blk.{number}.{NAMES[name]}.weight"] = adapted
    for one in found.values():
        nn.init.normal_(one.a, std=1 / math.sqrt(one.a.shape[1]))
    return found


def restore(model: Any) -> None:
    """Remove all adapters."""
    for layer in model.model.layers:
        for owner in (layer.self_attn, layer.mlp):
            for name in MODULES:
                if hasattr(getattr(owner, name, None), "plain"):
                    setattr(owner, name, getattr(owner, name).plain)


def averaged(runs: Sequence[dict[str, tuple[Any, Any]]]) -> dict[str, tuple[Any, Any]]:
    """Average the products of several runs at the same rank, by singular values.

    A rotation spreads the large values over all rows, so that few bits lose little.
    """
    import torch

    found = {}
    for name, (first, _) in runs[0].items():
        rank = len(first)
        inner = torch.cat([run[name][0].float() for run in runs])
        outer = torch.cat([run[name][1].float() for run in runs], 1) / len(runs)
        (left, above), (right, below) = torch.linalg.qr(outer), torch.linalg.qr(inner.T)
        core = torch.linalg.svd((above @ below.T).cpu())
        turned, sizes, back = (one.to(first.device) for one in core)
        root = sizes[:rank].sqrt()
        even = torch.ones(1, 1, device=first.device)
        while len(even) < rank:
            even = torch.cat((torch.cat((even, even), 1), torch.cat((even, -even), 1)))
        even = even / math.sqrt(rank)
        found[name] = (
            even @ ((root[:, None] * back[:rank]) @ right.T),
            ((left @ turned[:, :rank]) * root) @ even.T,
        )
    return found


def load_base(path: Path, log: Callable[..., None]) -> tuple[Any, Any]:
    """Load the base model from its GGUF file with dequantised weights."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    kept = path.parent / "plain"
    if not (kept / "weights.pt").exists():
        model = AutoModelForCausalLM.from_pretrained(
            str(path.parent), gguf_file=path.name, dtype=torch.bfloat16
        )
        tokenizer = AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name)
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        model.config.save_pretrained(kept)
        tokenizer.save_pretrained(kept)
        torch.save(model.state_dict(), kept / "weights.pt")
        log("converted")
    tokenizer = AutoTokenizer.from_pretrained(kept)
    config = AutoConfig.from_pretrained(kept)
    config._attn_implementation = "sdpa"
    torch.backends.cuda.enable_cudnn_sdp(False)  # its gradients under a mask are not finite
    with torch.device("cuda"):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.load_state_dict(torch.load(kept / "weights.pt", map_location="cuda"))
    model.tie_weights()
    return model, tokenizer


def export(
    matrices: dict[str, tuple[Any, Any]], alpha: float, bits: tuple[int, int], out: Path
) -> None:
    """Write an adapter for llama.cpp, with its two matrices in the given numbers of bits."""
    import gguf

    kinds = {
        4: gguf.GGMLQuantizationType.Q4_0,
        5: gguf.GGMLQuantizationType.Q5_0,
        8: gguf.GGMLQuantizationType.Q8_0,
    }
    writer = gguf.GGUFWriter(out, "qwen2")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    writer.add_name("Tatian's judge")
    writer.add_license("Apache-2.0")
    for name, pair in matrices.items():
        for end, matrix, width in zip(("lora_a", "lora_b"), pair, bits, strict=True):
            packed = gguf.quants.quantize(matrix.astype("float32"), kinds[width])
            writer.add_tensor(f"{name}.{end}", packed, raw_dtype=kinds[width])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
