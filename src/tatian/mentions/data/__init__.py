"""Texts with linked mentions: records, formats, benchmarks."""

from tatian.mentions.data.records import LinkedMention, LinkedText

__all__ = ["LinkedMention", "LinkedText"]
