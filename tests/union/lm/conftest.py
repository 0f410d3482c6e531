"""A language model of toy size with random weights, in a real GGUF file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tatian.union.models.lm.gguf import GGUF, write
from tatian.union.models.lm.model import LanguageModel
from tatian.union.models.lm.network import Network
from tatian.union.models.lm.pieces import Pieces

from . import tiny


@pytest.fixture(scope="session")
def gguf_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lm") / "tiny.gguf"
    write(path, tiny.metadata(), tiny.tensors())
    return path


@pytest.fixture(scope="session")
def model(gguf_path: Path) -> LanguageModel:
    return LanguageModel(gguf_path)


@pytest.fixture(scope="session")
def network(model: LanguageModel) -> Network:
    return model.network


@pytest.fixture(scope="session")
def pieces(model: LanguageModel) -> Pieces:
    return model.pieces


@pytest.fixture(scope="session")
def adapter_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lm") / "adapter.gguf"
    write(path, tiny.ADAPTER, tiny.adapter_tensors(np.random.default_rng(1)))
    return path


@pytest.fixture(scope="session")
def file(gguf_path: Path) -> GGUF:
    return GGUF(gguf_path)
