"""Groups the articles of a stream into stories: reports of the same event."""

from tatian.stories.collection import Collection, Story, find_stories

__all__ = ["Collection", "Story", "find_stories"]
