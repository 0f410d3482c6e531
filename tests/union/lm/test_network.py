"""One operation computes everything, and gives the same however it is asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tatian.errors import AssetError
from tatian.union.models.lm.adapter import read_adapter
from tatian.union.models.lm.gguf import GGUF, write
from tatian.union.models.lm.network import Cache, Network

from . import tiny

IDS = np.array([0, 40, 41, 42, 43, 260, 44])


def read(network: Network, ids: np.ndarray, cache: Cache | None = None, adapter=None):  # type: ignore[no-untyped-def]
    cache = cache or Cache(network.shape)
    begin = cache.length
    places = begin + np.arange(len(ids))
    visible = np.arange(begin + len(ids))[:, None] <= places
    return network.extend(cache, ids, places, visible, adapter)


def test_a_text_read_in_parts_is_read_as_a_whole(network: Network) -> None:
    whole = read(network, IDS)
    cache = Cache(network.shape, room=2)
    parts = [read(network, part, cache) for part in np.array_split(IDS, 3)]
    assert np.allclose(np.concatenate(parts, axis=1), whole, atol=1e-5)


def test_a_token_does_not_see_what_it_is_not_shown(network: Network) -> None:
    visible = np.tri(len(IDS), dtype=np.bool_).T
    visible[2, 3:] = False
    changed = IDS.copy()
    changed[2] = 99
    first, second = (
        network.extend(Cache(network.shape), ids, np.arange(len(ids)), visible)
        for ids in (IDS, changed)
    )
    assert np.allclose(first[:, 3:], second[:, 3:], atol=1e-6)
    assert not np.allclose(first[:, 2], second[:, 2])


def test_positions_are_relative(network: Network) -> None:
    visible = np.tri(len(IDS), dtype=np.bool_).T
    here, there = (
        network.extend(Cache(network.shape), IDS, begin + np.arange(len(IDS)), visible)
        for begin in (0, 50)
    )
    assert np.allclose(here, there, atol=1e-4)


def test_an_adapter_is_the_same_as_changed_weights(
    network: Network, adapter_path: Path, tmp_path: Path
) -> None:
    tensors = tiny.tensors()
    change = GGUF(adapter_path)
    scale = tiny.ALPHA / tiny.RANK
    for name in list(tensors):
        if f"{name}.lora_a" in change.tensors:
            added = change.tensor(f"{name}.lora_b") @ change.tensor(f"{name}.lora_a")
            stored = network_weight(tmp_path, name, tensors)
            tensors[name] = ("F32", stored + scale * added)
    path = tmp_path / "merged.gguf"
    write(path, tiny.metadata(), tensors)
    merged = read(Network.of(GGUF(path)), IDS)
    adapted = read(network, IDS, adapter=read_adapter(adapter_path, network))
    assert np.allclose(adapted, merged, atol=1e-4)
    assert not np.allclose(adapted, read(network, IDS))


def network_weight(folder: Path, name: str, tensors: tiny.Tensors) -> np.ndarray:
    """The tensor as it is after being stored."""
    path = folder / "one.gguf"
    write(path, {}, {name: tensors[name]})
    return GGUF(path).tensor(name)


def test_an_adapter_may_change_some_matrices_only(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "some.gguf"
    tensors = tiny.adapter_tensors(np.random.default_rng(2), ["attn_v", "ffn_up"])
    write(path, tiny.ADAPTER, tensors)
    adapter = read_adapter(path, network)
    assert {name for layer in adapter for name in layer} == {"qkv", "gate_up"}
    assert not np.allclose(read(network, IDS, adapter=adapter), read(network, IDS))


def test_a_model_is_no_adapter(network: Network, gguf_path: Path) -> None:
    with pytest.raises(AssetError, match="is not a LoRA adapter"):
        read_adapter(gguf_path, network)


def test_an_adapter_for_nothing_here_is_refused(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "none.gguf"
    write(path, tiny.ADAPTER, {})
    with pytest.raises(AssetError, match="changes no matrix"):
        read_adapter(path, network)


def test_an_adapter_of_another_shape_is_refused(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "wide.gguf"
    place = "blk.0.attn_q.weight"
    wide = np.zeros((2, 40), np.float32)
    up = np.zeros((tiny.WIDTH, 2), np.float32)
    write(path, tiny.ADAPTER, {f"{place}.lora_a": ("F32", wide), f"{place}.lora_b": ("F32", up)})
    with pytest.raises(AssetError, match="another shape"):
        read_adapter(path, network)


def test_another_architecture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.gguf"
    write(path, tiny.metadata(**{"general.architecture": "qwen2"}), tiny.tensors())
    with pytest.raises(AssetError, match="'qwen2' model; only 'llama' runs here"):
        Network.of(GGUF(path))
