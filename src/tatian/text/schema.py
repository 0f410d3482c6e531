"""JSON Schemas of the outputs, as shipped with the package; ``scripts/schemas.py`` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tatian.errors import InputError

FOLDER = Path(__file__).parents[1] / "schemas"
REFERENCE = "#/$defs/{name}"


def read_schema(name: str) -> dict[str, Any]:
    """Return the schema of one output format, as shipped with the package."""
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    if name not in names:
        raise InputError(f"no schema named '{name}': there are {', '.join(names)}")
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return loaded
