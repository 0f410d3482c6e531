"""A model's chains as a draft of the coreference page, for campaigns that measure its influence."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from tatian.coreference.annotation import Markup
from tatian.errors import TatianError
from tatian.workbench.tasks.coreference_checks import analyses
from tatian.workbench.tasks.coreference_content import Content, markup_of

if TYPE_CHECKING:
    from tatian.coreference.models import Resolver
    from tatian.mentions.models import Detector

_turn = threading.Lock()


def draft(content: Content) -> Markup | None:
    """What our resolver would mark and link; None where it cannot run or finds nothing."""
    analysed = analyses.of(content)
    if analysed is None:
        return None
    try:
        with _turn:
            detector, resolver = _tools()
            found = markup_of(resolver.resolve(detector.detect(analysed.document)))
    except TatianError:
        return None
    return found if found is not None and found.markables else None


@cache
def _tools() -> tuple[Detector, Resolver]:
    from tatian.coreference.models import resolvers
    from tatian.mentions.models import detectors

    return detectors.create(), resolvers.create(resolvers.default, scheme="muc")
