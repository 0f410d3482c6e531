"""Entity linking: mentions of a text, each with its Wikipedia page."""
