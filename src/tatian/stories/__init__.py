"""Stories: which articles of a stream report the same event."""

from tatian.stories.collection import Collection, Story, find_stories

__all__ = ["Collection", "Story", "find_stories"]
