"""The default linker: every phrase and page that could be meant, judged by a trained ranker."""

from tatian.mentions.models.ranked.linker import Ranked

__all__ = ["Ranked"]
