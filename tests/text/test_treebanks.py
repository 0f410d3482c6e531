"""The promises of the text layer, kept on real text: GUM and EWT, dev parts, from raw text."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "text.py"
CORPORA = pytest.mark.parametrize("corpus", ["GUM", pytest.param("EWT", marks=pytest.mark.long)])


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_of_text", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(BENCHMARK.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(BENCHMARK.parent))
    return module


@CORPORA
def test_segmentation_reaches_its_stated_accuracy(
    corpus: str, data: Path, benchmark: ModuleType
) -> None:
    documents = list(benchmark.read(data / benchmark.CORPORA[corpus].format("dev")))
    table, _ = benchmark.segmentation({corpus: documents})
    ours, theirs = table.rows
    assert ours[2].value >= 0.98
    assert ours[3].value >= theirs[3].value


@CORPORA
def test_spacing_is_restored_nearly_everywhere(
    corpus: str, data: Path, benchmark: ModuleType
) -> None:
    documents = list(benchmark.read(data / benchmark.CORPORA[corpus].format("dev")))
    ours, _ = benchmark.spacing({corpus: documents}).rows
    assert ours[2].value >= 0.98
