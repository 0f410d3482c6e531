"""A consolidation as people read it: a page, Markdown, a terminal, plain text."""
