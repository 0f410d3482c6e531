"""Models from a model hub, given by name or folder, for installations with PyTorch."""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import Any, ClassVar

from tatian.errors import MissingExtra, TatianError


class HubModel:
    """An encoder-decoder that a module of `tatian.pytorch` loads."""

    licence = "of the model that is named"
    variable: ClassVar[str]
    """Environment variable that may name the model."""
    wanted: ClassVar[str]
    """Advice on which models can be named, and how."""
    module: ClassVar[str]

    def __init__(self, name: str | None, *options: Any) -> None:
        chosen = name or os.environ.get(self.variable)
        if not chosen:
            raise TatianError(f"which model? {self.wanted}")
        if absent():
            raise MissingExtra(f"the encoder-decoder '{chosen}'", "hub")
        self._module: Any = importlib.import_module(self.module)
        self._loaded: Any = self._module.load(chosen, *options)

    @classmethod
    def missing(cls) -> str:
        """Return what is missing here and what to do; empty if it can run."""
        if absent():
            return "pip install 'tatian[hub]'"
        return "" if os.environ.get(cls.variable) else cls.wanted


def absent() -> bool:
    """Return True if the extra 'hub' is not installed."""
    return any(importlib.util.find_spec(name) is None for name in ("torch", "transformers"))
