"""Generated MUC files and chains, for property tests."""

from __future__ import annotations

import re
from random import Random

from hypothesis import strategies as st

from tatian.text import Chain, Mention

WORDS = ("the", "Ann", "Lee", "A&amp;P", "&quot;so&quot;", "&LR;", "caf&#233;", "x<y", "§", "it's")
BLANKS = (" ", "\n", "\r\n", "\t", "  ")
_TAG = re.compile(r"</?COREF[^>]*>", re.IGNORECASE)

seeds = st.randoms(use_true_random=False)

SCRAPS = (
    *("<COREF ID='1'>", '<COREF ID="2" REF=1>', "<coref id=3 min=x>", "</COREF>", "<COREF", "<s>"),
    *(
        "</s>",
        "<DOC>",
        "</DOC>",
        "<TXT>",
        "</TXT>",
        "<HL>",
        "</HL>",
        "<DD>",
        "</DD>",
        "<!--",
        "-->",
    ),
    *("&amp;", "&#64;", "&", "<", ">", '"', "@", "\r\n", "\n", " "),
)
scraps = st.lists(st.sampled_from(SCRAPS), max_size=30).map("".join)
"""Files that are mostly broken."""


def bare(source: str) -> str:
    """A source without its COREF tags."""
    return _TAG.sub("", source)


def sgml(random: Random) -> str:
    """A well-formed file: several documents or none, any style of tags, entities and line ends."""
    documents = random.randint(0, 3)
    if not documents:
        return "".join(_content(random, _Ids(random), 3))
    outside = random.choice(["", "\n", "\r\n\r\n", "<!-- <DOC> -->\n", "\ufeff"])
    return outside + "".join(_document(random) for _ in range(documents))


class _Ids:
    """The ids of one document."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._unused = [f"{random.choice('ab')}{number}" for number in range(12)]

    def tag(self) -> str | None:
        """An opening tag with an ID, as somebody might write it."""
        if not self._unused:
            return None
        random = self._random
        name, blank = random.choice(["COREF", "coref", "Coref"]), random.choice(BLANKS)
        quote, equals = random.choice(['"', "'", ""]), random.choice(["=", " = "])
        id = f"{random.choice(['ID', 'id'])}{equals}{quote}{self._unused.pop(0)}{quote}"
        return f"<{name}{blank}{id}{random.choice(['', ' '])}>"


def _document(random: Random) -> str:
    ids = _Ids(random)
    number = f"<DOCNO>{random.randint(1, 99)}</DOCNO>{random.choice(BLANKS)}"
    dates = "<DD>01/05/94</DD>\n" * random.randint(0, 2)
    table = random.choice(["", "@ a table\r\n"])
    text = f"<TXT>\n{''.join(_content(random, ids, 3))}{table}</TXT>"
    doc = random.choice(["DOC", "doc"])
    return f"<{doc}>\n{number}{dates}{text}</{doc}>{random.choice(BLANKS)}"


def _content(random: Random, ids: _Ids, depth: int) -> list[str]:
    written: list[str] = []
    for _ in range(random.randint(1, 5)):
        choice = random.randint(0, 5) if depth else 0
        tag = ids.tag() if choice in (1, 2) else None
        if tag:
            inner = "".join(_content(random, ids, depth - 1))
            written.append(f"{tag}{inner}{random.choice(['</COREF>', '</coref >'])}")
        elif choice == 3:
            name = random.choice("spq")
            written.append(f"<{name}>{''.join(_content(random, ids, depth - 1))}</{name}>")
        elif choice == 4:
            written.append(random.choice(["<p>", "<!-- x > <b> -->", "<br/>"]))
        written.append(random.choice(WORDS) + random.choice(BLANKS))
    return written


def link(source: str, random: Random) -> str:
    """`source` with a REF, in any direction, in some of its COREF tags that have only an ID."""
    parts = re.split(r"(?i)(?=<DOC>)", source)
    return "".join(_linked(part, random) for part in parts)


def _linked(source: str, random: Random) -> str:
    ids = re.findall(r"(?i)<COREF\s+id\s*=\s*[\"']?(\w+)", source)

    def linked(found: re.Match[str]) -> str:
        other = random.choice(ids)
        if other == found[1] or random.random() < 0.4:
            return found[0]
        status = random.choice(["", " STATUS='OPT'"])
        return f"{found[0][:-1]} type=IDENT REF='{other}'{status}>"

    return re.sub(r"(?i)<COREF\s+id\s*=\s*[\"']?(\w+)[^>]*>", linked, source)


def chains(random: Random, text: str, *, crossing: bool = False) -> tuple[Chain, ...]:
    """Mentions on words of `text`, in random chains; nested or apart unless `crossing`."""
    words = [found.span() for found in re.finditer(r"\w+", text)]
    spans: set[tuple[int, int]] = set()
    for _ in range(random.randint(0, 8) if words else 0):
        first = random.randrange(len(words))
        last = min(len(words) - 1, first + random.randint(0, 4))
        span = (words[first][0], words[last][1])
        if crossing or not any(_crosses(span, other) for other in spans):
            spans.add(span)
    groups: dict[int, list[Mention]] = {}
    for start, end in sorted(spans):
        groups.setdefault(random.randint(0, 3), []).append(Mention(start, end))
    return tuple(Chain(str(number), tuple(group)) for number, group in groups.items())


def _crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (a, b), (c, d) = sorted([one, other])
    return a < c < b < d
