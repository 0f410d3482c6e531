"""Synthetic pages, as dense in boxes, references, links and tables as Wikipedia's own."""

from __future__ import annotations

import random
from collections.abc import Callable

_SYLLABLES = "bar den fel gra hol jor kel lun mor nes oth pry rin sol tav ulm ver wes zan".split()
_WORDS = (
    "the of and in was is a to by for with on from as at it its were after during first later year "
    "town river company people built opened moved became known several between under over local "
    "national station school church bridge harbour record league season service line old new"
).split()
_FIELDS = "name image caption native_name type location owner opened closed area population".split()


def dense_pages(count: int, seed: int = 1) -> list[tuple[str, str]]:
    """Return titles and wikitext, fixed by the seed; two of three links lead to one of them."""
    titles = [f"{_name(random.Random(number))} {number}" for number in range(count)]
    return [
        (title, _Writer(random.Random(f"{seed} {title}"), titles).page(title)) for title in titles
    ]


def _name(chance: random.Random) -> str:
    return "".join(chance.choices(_SYLLABLES, k=chance.randint(2, 3))).capitalize()


class _Writer:
    """Writer of one page."""

    def __init__(self, chance: random.Random, titles: list[str]) -> None:
        self._chance = chance
        self._titles = titles
        self._inline: tuple[tuple[float, Callable[[], str]], ...] = (
            (0.16, self._link),
            (0.19, self._reference),
            (0.20, lambda: f"{{{{sfn|{self._name()}|{self._year()}|p={self._number()}}}}}"),
            (0.21, lambda: f"{{{{convert|{self._number()}|km|mi|abbr=on}}}}"),
            (0.215, lambda: f"{{{{lang|fr|''{self._name()}''}}}}"),
            (0.22, lambda: f"''{self._name()}'' &ndash; '''{self._name()}'''"),
            (0.224, lambda: "{{citation needed|date=May 2021}}"),
            (0.228, lambda: f"{{{{efn|See [[{self._name()}]].<ref name=a/>}}}}"),
        )

    def page(self, title: str) -> str:
        parts = [
            "{{Short description|Place in the north}}\n{{Use dmy dates|date=March 2020}}",
            self._box(title),
            f"'''{title}''' ({{{{IPA|no|x}}}}; born {self._year()}) is a [[{self._name()}|town]] "
            + self._prose(60),
            self._prose(80),
        ]
        for _ in range(self._chance.randint(2, 6)):
            parts.append(f"== {self._name()} ==\n{{{{Main|{self._name()}|{self._name()}}}}}")
            parts += [self._prose(self._chance.randint(40, 120)) for _ in range(2)]
            parts.append(self._chance.choice((self._table, self._list, self._picture, str))())
        parts.append("== See also ==\n" + self._list() + "\n== References ==\n{{Reflist|30em}}")
        parts.append(
            "{{Navbox|name=N|title=[[A]]|list1="
            + " {{·}} ".join(self._link() for _ in range(20))
            + "}}\n{{Authority control}}\n{{DEFAULTSORT:"
            + title
            + "}}"
        )
        parts += [f"[[Category:{self._name()}s in {self._name()}]]" for _ in range(6)]
        return "\n\n".join(filter(None, parts))

    def _name(self) -> str:
        return _name(self._chance)

    def _number(self) -> int:
        return self._chance.randint(1, 900)

    def _year(self) -> int:
        return self._chance.randint(1700, 2024)

    def _link(self) -> str:
        if self._chance.random() < 2 / 3:
            page = self._titles[int(len(self._titles) * self._chance.random() ** 3)]
            name = page.partition(" ")[0]
            return self._chance.choice((f"[[{page}]]", f"[[{page}|{name}]]", f"[[{page}|{name}]]s"))
        name = self._name()
        return self._chance.choice((f"[[{name}]]", f"[[{name} (a)|{name}]]s", f"[[{name}]]s"))

    def _reference(self) -> str:
        if self._chance.random() < 0.3:
            return f'<ref name="{self._name()}" />'
        return (
            f"<ref>{{{{cite web|url=https://example.org/{self._name()}|title={self._name()} and "
            f"{self._name()}|last={self._name()}|first=I.|date=3 May {self._year()}|publisher="
            f"[[{self._name()}]]|access-date=3 May 2020|archive-url=https://example.org/a}}}}</ref>"
        )

    def _prose(self, words: int) -> str:
        out = []
        for index in range(words):
            drawn = self._chance.random()
            inline = next((make for limit, make in self._inline if drawn < limit), None)
            out.append(inline() if inline else self._chance.choice(_WORDS))
            if index % 14 == 13:
                out[-1] += "."
        return " ".join(out) + "."

    def _box(self, title: str) -> str:
        rows = [
            f"| {field} = {self._chance.choice((self._name, self._link))()}" for field in _FIELDS
        ]
        rows.append("| coordinates = {{coord|61|02|16|N|4|30|40|E|display=inline,title}}")
        rows.append(f"| height = {{{{convert|{self._number()}|m|ft}}}}{self._reference()}")
        return "{{Infobox settlement\n| official = " + title + "\n" + "\n".join(rows) + "\n}}"

    def _table(self) -> str:
        rows = [
            f'|-\n| style="text-align:left" | {self._link()} || {self._year()} || '
            f"{{{{dts|{self._year()}|5|1}}}} || {self._name()}{self._reference()}"
            for _ in range(self._chance.randint(4, 20))
        ]
        head = (
            '{| class="wikitable sortable"\n|+ Keepers\n! Name !! From !! scope="col" | To !! Of\n'
        )
        return head + "\n".join(rows) + "\n|}"

    def _list(self) -> str:
        return "\n".join(f"* {self._link()}, {self._prose(6)}" for _ in range(6))

    def _picture(self) -> str:
        return f"[[File:{self._name()}.jpg|thumb|upright=1.2|The {self._link()} in {self._year()}]]"
