"""How fast wikitext is read, in plain pages and in pages dense with markup."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from tatian.knowledge.building.files import open_stream
from tatian.knowledge.building.mediawiki import page_of
from tatian.knowledge.building.mediawiki_xml import RawPage, batches, pages_of
from tatian.statistics import Column, Table

FULL = 83_000
"""Million bytes of XML in a full English Wikipedia: 24 GB that were packed as well as these."""
SAMPLE = 4
"""Batches of the dump, a megabyte each."""
DENSE = """{{Short description|Lighthouse in Norway}}
{{Use dmy dates|date=March 2020}}
{{Infobox lighthouse
| name = Utvær
| location = [[Solund]], [[Vestland]], Norway
| coordinates = {{coord|61|02|16|N|4|30|40|E|type:landmark|display=inline,title}}
| yearlit = {{Start date|1900}}<ref name="register">{{cite web|url=https://example.org/lights
|title=Lights|publisher=[[Coastal Administration]]|access-date=3 May 2020}}</ref>
| height = {{convert|31|m|ft|abbr=on}}
}}
[[File:Utvaer.jpg|thumb|upright=1.2|The [[tower]] from the sea, by [[Ida Holm|Holm]] (1906)]]
'''Utvær''' ({{IPA|no|ˈʉːtvæːr}}; {{lang|no|"out there"}}) is a [[lighthouse]] on the westernmost
[[island]] of [[Norway]].<ref name="register"/>{{sfn|Holm|1950|pp=3–4}} It was
[[automation|automated]] in 2004 and is a [[cultural heritage|heritage]]
site.{{citation needed|date=May 2021}}

== History ==
{{Main|History of lighthouses in Norway}}
The first [[keeper]]s came in 1900{{ndash}}1901.<ref>{{cite book|last=Holm|first=Ida|year=1950
|isbn=0-00-000000-0|page=12}}</ref> In the [[Second World War|war]] the tower burnt.{{efn|Wholly.}}
{| class="wikitable sortable"
|+ Keepers
! Name !! From !! Until
|-
| [[Jonas Verrick]] || 1900 || 1912
|-
| style="text-align:left" | [[Ada Lund|A. Lund]] || 1912 || {{dts|1930|5|1}}
|}

== See also ==
* [[List of lighthouses in Norway]]

== References ==
{{Reflist|30em}}
{{Authority control}}
[[Category:Lighthouses completed in 1900]]
[[Category:Lighthouses in Vestland]]
"""


def parsing_table(dump: Path) -> Table:
    """Seconds of CPU of one process, for all that a base needs and for a plain parse."""
    with open_stream(dump) as stream:
        schools = [
            page for batch in islice(batches(stream), SAMPLE) for page in pages_of(batch, "")
        ]
    size = sum(len(page.text) for page in schools)
    dense = [RawPage("Utvær", text=DENSE)] * (size // len(DENSE))
    rows = []
    for name, pages in (("Schools", schools), ("dense with markup", dense)):
        megabytes = sum(len(page.text) for page in pages) / 1e6
        ours, plain = _seconds(pages)
        hours = FULL / (megabytes / ours) / 3600
        rows.append(
            (name, len(pages), megabytes, megabytes / ours, megabytes / plain, plain / ours, hours)
        )
    columns = (
        Column("wikitext"),
        Column("pages", precision=0),
        Column("million characters", precision=1),
        Column("ours, million/s", precision=2),
        Column("plain parse, million/s", precision=2),
        Column("times as fast", precision=2),
        Column("hours for 83 GB", precision=0),
    )
    return Table(columns, tuple(rows), title="Reading wikitext with one core")


def _plain(page: RawPage) -> None:
    import mwparserfromhell

    code = mwparserfromhell.parse(page.text)
    code.filter_wikilinks()
    code.filter_templates()
    code.strip_code()


def _seconds(pages: Sequence[RawPage]) -> tuple[float, float]:
    """Ours and the plain parse by turns, so that a busy machine slows both alike."""
    works: tuple[Callable[[RawPage], object], ...] = (page_of, _plain)
    spent = [0.0, 0.0]
    for work in works:
        work(pages[0])
    for page in pages:
        for index, work in enumerate(works):
            begin = time.process_time()
            work(page)
            spent[index] += time.process_time() - begin
    return spent[0], spent[1]
