"""Check, from inside a default install, that Tatian starts quickly and brings no PyTorch."""

import subprocess
import sys
import time
from importlib.metadata import distributions
from pathlib import Path

MAX_SECONDS = 0.5
"""Most seconds for importing the package, or for the command's help."""
HEAVY = {"torch", "transformers", "ray", "scipy", "pandas"}


def fastest_run(*command: str) -> float:
    """Return the quickest of five runs, so that a busy machine does not fail the check."""

    def run() -> float:
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - started

    run()
    return min(run() for _ in range(5))


def main() -> int:
    installed = {(package.metadata["Name"] or "").lower() for package in distributions()}
    problems = [f"{name} is installed by default" for name in sorted(HEAVY & installed)]
    tatian = str(Path(sys.executable).with_name("tatian"))
    for command in ([sys.executable, "-c", "import tatian"], [tatian, "--help"]):
        seconds = fastest_run(*command)
        name = " ".join([Path(command[0]).name, *command[1:]])
        print(f"{name}: {seconds:.2f} s")
        if seconds > MAX_SECONDS:
            problems.append(f"{name} takes {seconds:.2f} s, over {MAX_SECONDS} s")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
