"""Training of the adapter where only PyTorch and numpy are: ``python -m tatian.training.small``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from tatian.errors import TatianError
from tatian.training.small.train import SmallConfig, train_small


def main(arguments: list[str] | None = None) -> int:
    """Run the training; bad input is one line on standard error and status 2."""
    parser = argparse.ArgumentParser(prog="python -m tatian.training.small", description=__doc__)
    parser.add_argument("config", type=Path, help="a JSON file; see the fields of SmallConfig")
    parser.add_argument("--weights", type=Path, required=True, help="the language model as GGUF")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        config = msgspec.json.decode(options.config.read_bytes(), type=SmallConfig)
        train_small(config, options.weights, options.data, options.out)
    except (TatianError, msgspec.DecodeError) as error:
        print(f"tatian.training.small: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
