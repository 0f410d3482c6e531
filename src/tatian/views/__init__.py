"""How things look, for every step: one palette, one page, one highlighter, one chart module."""
