"""Boosted trees of a training library, as a TreeEnsemble for onnxruntime."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tatian.errors import AssetError

Floats = npt.NDArray[np.float32]


class Trees:
    """Boosted decision trees that give a probability; features may be unknown (NaN)."""

    def __init__(self, model: bytes, names: tuple[str, ...]) -> None:
        self.model = model
        """ONNX model from "rows" to the sums of the leaves."""
        self.names = names
        """Names of the features, in order."""

    @classmethod
    def load(cls, path: Path) -> Trees:
        """Read a file that `save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls.of(dict(arrays))

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Trees:
        """Make trees from the result of `arrays`; other arrays in it are ignored."""
        return cls(arrays["trees"].tobytes(), tuple(str(name) for name in arrays["names"]))

    def save(self, path: Path) -> None:
        """Write the trees to a file."""
        stored: dict[str, Any] = self.arrays()
        np.savez_compressed(path, **stored)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays to store."""
        return {"trees": np.frombuffer(self.model, dtype=np.uint8), "names": np.array(self.names)}

    def probability(self, rows: Floats) -> Floats:
        """Return the probability that each row is right."""
        total = self._sums(rows).astype(np.float64) if len(rows) else np.zeros(0)
        result: Floats = (1 / (1 + np.exp(-total))).astype(np.float32)
        return result

    @cached_property
    def _sums(self) -> Callable[[Floats], Floats]:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(
                self.model, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's errors have no common base.
            raise AssetError(f"these trees cannot be read ({error}): reinstall tatian") from error

        def sums(rows: Floats) -> Floats:
            totals: Floats = session.run(None, {"rows": rows})[0][:, 0]
            return totals

        return sums
