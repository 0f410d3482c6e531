"""The edit model on its own."""

from __future__ import annotations

from tatian.union.models.tatian import Tatian


class Edit(Tatian):
    """The best wording that the trained edit model finds, without proposals of other models."""

    def __init__(self, *, effort: str = "full", disputes: bool = True) -> None:
        super().__init__(effort=effort, disputes=disputes, proposers=())
