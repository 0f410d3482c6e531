"""Phrases by our own generator as a draft of the aggregation page."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from tatian.aggregation.annotation import MOST
from tatian.aggregation.data.records import Instance
from tatian.errors import TatianError
from tatian.workbench.tasks import Plain
from tatian.workbench.tasks.aggregation_rules import findings

if TYPE_CHECKING:
    from tatian.aggregation.models import Generator

_ASKED = 10
_turn = threading.Lock()


def draft(instance: Instance) -> Plain | None:
    """The best phrases that no rule minds, as the page keeps them; None where there is none."""
    try:
        with _turn:
            proposed = _generator().generate(instance, _ASKED)
    except TatianError:
        return None
    passing = [
        f"the {one.phrase}" for one in proposed if not findings(f"the {one.phrase}", instance)
    ]
    if not passing:
        return None
    first, second, *_ = [*passing[:MOST], ""]
    return {"first": first, "second": second, "none": False}


@cache
def _generator() -> Generator:
    from tatian.aggregation.models import generators

    return generators.create("tatian")
