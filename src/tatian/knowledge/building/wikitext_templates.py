"""What inline templates show, since a dump has only their names and arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split(", "))


FIRST = _names(
    "'', abbr, abbrlink, anchored, angbr, as written, avoid wrap, awrap, bare url, big, "
    "blockquote, bquote, bulleted list, center, chem name, code, cquote, date, defn, e-sp, em, "
    "film date, flag, flagcountry, flagdeco, flagu, flatlist, formatnum, gli, hlist, ill, "
    "interlanguage link, ipa-translit, italics correction, key, key press, keyboard, larger, "
    "lc, lcfirst, linktext, lower, midsize, mono, music, nihongo, nihongo2, nlf, no wrap, "
    "nobold, nobr, noflag, noitalic, normal, not a typo, notatypo, nowr, nowrap, nowrap begin, "
    "ordered list, plainlist, poem, poemquote, proper name, q, qq, quote, release date, resize, "
    "samp, sc, sc2, sic, small, smallcaps, smaller, start date, strikethrough, strong, sub, "
    "sup, term, tooltip, tt, typo, u, ubl, uc, ucfirst, unbulleted list, vanchor, var, visible "
    "anchor"
)
"""Templates that show their first argument."""
SECOND = _names(
    "abbr2, class, color, colored text, font, font color, fontcolor, lang, langx, nihongo3, "
    "rtl-lang, span, tlit, transl, transliteration, wikt-lang"
)
"""Templates that show their second argument."""
WRITTEN: Mapping[str, str] = {
    "ndash": "–",
    "en dash": "–",
    "mdash": "—",
    "em dash": "—",
    "snd": " – ",
    "spnd": " – ",
    "spaced ndash": " – ",
    "spaced en dash": " – ",
    "snds": " – ",
    "dash": " – ",
    "spaced mdash": " — ",
    "nbsp": " ",
    "space": " ",
    "spaces": " ",
    "thinsp": " ",
    "thin space": " ",
    "hair space": " ",
    "hsp": " ",
    "-": " ",
    "·": " · ",
    "dot": " · ",
    "•": " • ",
    "bullet": " • ",
    "'": "'",
    "'s": "'s",
    "' \"": "' \"",
    "\" '": "\" '",
    "!": " ",
    "=": "=",
    "pipe": " ",
    "ayin": "ʿ",
    "hamza": "ʾ",
    "okina": "ʻ",
    "pound": "£",
    "euro": "€",
    "pi": "π",
    "sharp": "♯",
    "flat": "♭",
    "natural": "♮",
    "degree": "°",
    "times": "×",
    "ad": "AD",
    "ce": "CE",
    "bc": "BC",
    "bce": "BCE",
}
_SHIPS = frozenset(
    "uss hms hmas hmcs rms ss mv usns usat uscgc hmnzs hmt ms ins hnlms sms rfa hswms".split()
)
_CIRCA = frozenset(("circa", "c.", "ca", "c", "approx", "born circa"))


@lru_cache(10_000)
def shows_words(name: str) -> bool:
    """Whether a template of this name puts words into the text."""
    return bool(shown_by(name, ("a", "b", "c", "d"), "page"))


def shown_by(name: str, arguments: Sequence[str], page: str) -> str:
    """The words that a template puts into a sentence; empty for boxes and all that is unknown.

    `arguments` are the unnamed ones, as plain text; `name` is in lower case.
    """
    first = arguments[0].strip() if arguments else ""
    second = arguments[1].strip() if len(arguments) > 1 else ""
    if name in WRITTEN:
        return WRITTEN[name]
    if name in SECOND or name.startswith(("lang-rtl", "font ")):
        return second
    if name in FIRST or (name.startswith("lang-") and len(name) < 12):
        return first
    if name in ("convert", "cvt", "val"):
        return _measure(first, second, arguments)
    if name in _CIRCA:
        return f"c. {first}" if first else "c."
    if name in _SHIPS:
        return f"{name.upper()} {first}".strip()
    if name in ("ship", "sclass", "sclass2"):
        return f"{first} {second}".strip()
    if name in ("frac", "fraction", "sfrac"):
        return "/".join(argument.strip() for argument in arguments[:2])
    if name in ("as of", "asof"):
        return f"As of {first}" if first else ""
    if name in ("pagename", "fullpagename", "basepagename", "subst:pagename"):
        return page
    return _prefixed(name)


def _measure(first: str, second: str, arguments: Sequence[str]) -> str:
    """``{{convert|5|km|mi}}`` is "5 km", ``{{convert|5|to|8|km|mi}}`` "5 to 8 km"."""
    if second in ("to", "-", "–", "and", "or", "x", "by", "to(-)") and len(arguments) > 3:
        joint = second if second.isalpha() else "–"
        unit = arguments[3].strip()
        space = " " if joint.isalpha() else ""
        return f"{first}{space}{joint}{space}{arguments[2].strip()} {unit}"
    return f"{first} {second}".strip()


def _prefixed(name: str) -> str:
    """Parser functions written with a colon: ``{{formatnum:1234}}``, ``{{lc:ABC}}``."""
    function, colon, rest = name.partition(":")
    return rest.strip() if colon and function in ("formatnum", "lc", "uc", "ucfirst") else ""
