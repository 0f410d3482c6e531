"""Stories: the articles of a stream that report the same event."""

from tatian.stories.collection import Collection, Story, find_stories

__all__ = ["Collection", "Story", "find_stories"]
