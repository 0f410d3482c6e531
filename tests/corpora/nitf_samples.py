"""Articles of our own in the format of the New York Times Annotated Corpus."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

PEOPLE = ("Keller, Marta", "Okoye, Daniel R (Dr)")


def nitf(
    number: str = "1700001",
    *,
    title: str = "Two Mayors Share a Bridge",
    people: Sequence[str] = PEOPLE,
    places: Sequence[str] = ("Lisbon (Portugal)",),
    organisations: Sequence[str] = (),
    abstract: str = "Marta Keller and Dr Daniel R Okoye plan bridge; photo (M)",
    paragraphs: Sequence[str] = (
        "Marta Keller met Daniel R. Okoye on Monday.",
        "The bridge will cost 3 million euros.",
    ),
    published: str = "20060514T000000",
) -> str:
    """One article, with the elements and attributes that the corpus has."""
    index = [
        *(f'<location class="indexing_service">{escape(one)}</location>' for one in places),
        *(f'<person class="indexing_service">{escape(one)}</person>' for one in people),
        *(f'<org class="indexing_service">{escape(one)}</org>' for one in organisations),
    ]
    text = "\n".join(f"        <p>{escape(one)}</p>" for one in paragraphs)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd">
<nitf change.date="June 10, 2005" change.time="19:30" version="-//IPTC//DTD NITF 3.3//EN">
  <head>
    <title>{escape(title)}</title>
    <meta content="14" name="publication_day_of_month"/>
    <meta content="5" name="publication_month"/>
    <meta content="2006" name="publication_year"/>
    <meta content="Sunday" name="publication_day_of_week"/>
    <meta content="Foreign Desk" name="dsk"/>
    <docdata>
      <doc-id id-string="{number}"/>
      <doc.copyright holder="The New York Times" year="2006"/>
      <identified-content>
        <classifier class="indexing_service" type="descriptor">Bridges and Tunnels</classifier>
        {"".join(index)}
        <person class="online_producer">Somebody Else</person>
        <classifier class="online_producer" type="taxonomic_classifier">Top/News</classifier>
      </identified-content>
    </docdata>
    <pubdata date.publication="{published}" item-length="45" name="The New York Times"/>
  </head>
  <body>
    <body.head>
      <hedline>
        <hl1>{escape(title)}</hl1>
        <hl2 class="online_headline">Another Headline</hl2>
      </hedline>
      <byline class="print_byline">By A. WRITER</byline>
      <dateline>LISBON, May 13</dateline>
      <abstract>
        <p>{escape(abstract)}</p>
      </abstract>
    </body.head>
    <body.content>
      <block class="lead_paragraph">
        <p>{escape(paragraphs[0]) if paragraphs else ""}</p>
      </block>
      <block class="full_text">
{text}
      </block>
    </body.content>
  </body>
</nitf>
"""


def tar(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """An archive with these files, packed as its name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz" if path.suffix in {".tgz", ".gz"} else "w") as packed:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
    return path
