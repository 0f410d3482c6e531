"""Readers of coreference corpora, one file per format."""

from tatian.coreference.data.ecbplus import (
    ENTITY_TYPES,
    EVENT_TYPES,
    by_subtopic,
    event_chains,
    read_ecbplus,
)

__all__ = ["ENTITY_TYPES", "EVENT_TYPES", "by_subtopic", "event_chains", "read_ecbplus"]
