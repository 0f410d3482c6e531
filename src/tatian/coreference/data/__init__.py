"""Readers and writers of coreference corpora, one file per format.

`recognize` says which format a file is in, `find` gives one by name; both give a `Format`, whose
`read` and `write` turn text into documents and back. What a target cannot hold goes to `Losses`.
"""

from tatian.coreference.data.ecbplus import (
    ENTITY_TYPES,
    EVENT_TYPES,
    by_subtopic,
    event_chains,
    read_ecbplus,
)
from tatian.coreference.data.formats import Format, find, recognize
from tatian.coreference.data.original import ORIGINAL, Original
from tatian.text.formats import Losses

__all__ = [
    "ENTITY_TYPES",
    "EVENT_TYPES",
    "ORIGINAL",
    "Format",
    "Losses",
    "Original",
    "by_subtopic",
    "event_chains",
    "find",
    "read_ecbplus",
    "recognize",
]
