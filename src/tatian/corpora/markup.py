"""Parsing of untrusted HTML with the standard library's parser in linear time.

Before Python 3.13.6 that parser searches the rest of a page anew for every tag, comment and
declaration that is never closed: 25 KB of ``<a `` took ten seconds.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from tatian.limits import UNCLOSED_SCANS

_ENDLESS = re.compile(r"&#[0-9]{4000,}+;?")
"""References to characters with more digits than Python accepts in a number."""


class _Unclosed(Exception):
    """Raised when too much of the page was searched; the rest of it is text."""


class MarkupParser(HTMLParser):
    """A parser whose `read` takes time linear in the length of the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._allowance = 0

    def read(self, markup: str) -> None:
        """Parse a whole page.

        If too many of its tags are never closed, the rest of it is handled as text.
        """
        markup = _ENDLESS.sub("\ufffd", markup)
        self._allowance = UNCLOSED_SCANS * len(markup)
        try:
            self.feed(markup)
            self.close()
        except _Unclosed as error:
            (start,) = error.args
            self.handle_data(unescape(self.rawdata[start:]))

    def parse_starttag(self, i: int) -> int:
        """Parse a start tag at a place; return its end, or -1."""
        return self._charge(i, super().parse_starttag(i))

    def parse_endtag(self, i: int) -> int:
        """Parse an end tag; return its end, or -1."""
        return self._charge(i, super().parse_endtag(i))

    def parse_pi(self, i: int) -> int:
        """Parse a processing instruction; return its end, or -1."""
        return self._charge(i, super().parse_pi(i))

    def parse_comment(self, i: int, report: bool = True) -> int:
        """Parse a comment; return its end, or -1."""
        return self._charge(i, super().parse_comment(i, report))

    def parse_html_declaration(self, i: int) -> int:
        """Parse a declaration; an unknown one is a comment, as in browsers."""
        try:
            end = super().parse_html_declaration(i)
        except AssertionError:
            end = self.parse_bogus_comment(i)
        return self._charge(i, end)

    def _charge(self, start: int, end: int) -> int:
        """Return the end; a failed search reduces the allowance by the length searched."""
        if end < 0:
            self._allowance -= len(self.rawdata) - start
            if self._allowance < 0:
                raise _Unclosed(start)
        return end
