"""Runs the ``tatian`` command as ``python -m tatian``."""

import sys
from pathlib import Path


def _leave_current_folder() -> None:
    """Remove the folder that ``-m`` puts first from the import path, unless it is the package's."""
    here, home = Path.cwd(), Path(__file__).resolve().parents[1]
    if not sys.flags.safe_path and Path(sys.path[0]).resolve() == here != home:
        del sys.path[0]


if __name__ == "__main__":
    _leave_current_folder()
    from tatian.cli import main

    main()
