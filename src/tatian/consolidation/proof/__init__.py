"""Proof: any text, whoever wrote it, against the accounts it should rest on."""

from tatian.consolidation.proof.api import trace
from tatian.consolidation.proof.result import Trace

__all__ = ["Trace", "trace"]
