"""Presentation for all steps: one palette, one page, one highlighter, one chart module."""
