"""A small export in MediaWiki's own format, and ways to write it to a file."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path
from xml.sax.saxutils import escape

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo><sitename>Sea</sitename><namespaces><namespace key="0" /></namespaces></siteinfo>
"""
TAIL = "</mediawiki>\n"


def page(title: str, text: str, *, namespace: int = 0, redirect: str = "") -> str:
    """One page as an export has it."""
    sent_on = f'<redirect title="{escape(redirect)}" />' if redirect else ""
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n    <id>1</id>\n"
        f"    {sent_on}<revision><id>2</id><contributor><username>Ida</username></contributor>"
        f"<comment>a text</comment><model>wikitext</model>"
        f'<text bytes="1" xml:space="preserve">{escape(text)}</text></revision>\n  </page>\n'
    )


UTVAER = """{{Infobox lighthouse|location=[[Solund]]}}
'''Utvær''' ({{lang|no|[ʉtvæːr]}}; built 1900 (rebuilt 1952)) is a [[lighthouse]] in [[Norway]].

== History ==
Two [[student|keepers]] lived there &amp; fished.
[[Category:Lighthouses in Norway]]
"""
PAGES = (
    page("Utvær", UTVAER),
    page("Utvaer", "#REDIRECT [[Utvær]]", redirect="Utvær"),
    page("Talk:Utvær", "Is it?", namespace=1),
    page("Mercury", "'''Mercury''' may be:\n* [[Mercury (planet)]]\n{{disambiguation}}"),
    page("List of lighthouses in Norway", "* [[Utvær]]"),
    page("Ida Holm", "'''Ida Holm''' (born 3 May 1950) is a Norwegian engineer."),
    page("Old port", "#redirect [[harbour#Old]]"),
)


def export(*pages: str) -> str:
    """A whole export of these pages."""
    return HEAD + "".join(pages) + TAIL


def write(path: Path, text: str) -> Path:
    """Write an export, compressed as the file's name says."""
    data = text.encode()
    if path.suffix == ".gz":
        data = gzip.compress(data)
    elif path.suffix == ".bz2":
        middle = data.find(b"<page>")
        data = bz2.compress(data[:middle]) + bz2.compress(data[middle:])
    path.write_bytes(data)
    return path
