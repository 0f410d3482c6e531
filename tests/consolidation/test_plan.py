"""Structure of consolidation: types stand below their users, and no module needs itself."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import tatian
from tatian.consolidation.plan import Selection

SOURCE = Path(tatian.__file__).parents[1]


@cache
def modules(package: str) -> dict[str, ast.Module]:
    """The modules of a package, parsed, by their names."""
    found = {}
    for path in (SOURCE / package.replace(".", "/")).rglob("*.py"):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    return found


def imported(tree: ast.Module) -> set[str]:
    """All modules that a module may import, in functions and for types alone as well."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_imports_have_no_cycles_even_for_types() -> None:
    trees = modules("tatian.consolidation")
    package = {"tatian.consolidation"}
    needs = {name: imported(tree) & trees.keys() - {name} for name, tree in trees.items()}
    TopologicalSorter({name: found - package for name, found in needs.items()}).prepare()


def test_the_plan_stands_below_what_makes_and_what_reads_it() -> None:
    trees = modules("tatian.consolidation")
    below = {name.rpartition(".")[2] for name in imported(trees["tatian.consolidation.plan"])}
    stages = "arrangement conflicts cuts layout order report selection sources weave writer".split()
    assert below.isdisjoint(stages)


KEPT, OTHER, DROPPED, COPY = (0, 0), (0, 1), (1, 0), (2, 0)
SELECTION = Selection(frozenset({KEPT, OTHER}), {DROPPED: (KEPT, OTHER), COPY: (DROPPED,)})


def test_covering_spans_are_found_through_dropped_ones() -> None:
    assert SELECTION.covering(COPY) == SELECTION.covering(DROPPED) == KEPT


def test_a_restricted_selection_omits_what_nothing_covers_any_more() -> None:
    rest = SELECTION.restrict({OTHER})
    assert (rest.kept, rest.dropped, rest.omitted) == ({OTHER}, {}, {KEPT, DROPPED, COPY})


def test_restored_span_is_kept_and_covers_as_before() -> None:
    more = SELECTION.bring_back([DROPPED])
    assert (more.kept, more.dropped) == ({KEPT, OTHER, DROPPED}, {COPY: (DROPPED,)})
