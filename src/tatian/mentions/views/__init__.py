"""Linked texts for people to look at."""

from tatian.mentions.views.html import mentions_page

__all__ = ["mentions_page"]
