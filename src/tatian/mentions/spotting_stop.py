"""Terms that have a Wikipedia page and yet say nothing (the mention benchmark's guideline 4).

"First, known, today, different, numbers, July" have pages and are no mentions; nor are pronouns
(technical guideline 4) and the other words that hold a sentence together.
"""

from __future__ import annotations

from tatian.text.lexicon import (
    MONTHS,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    RELATIVE_DATES,
    STOP_WORDS,
    WEEKDAYS,
    word_set,
)

_TIME = word_set(
    "now today tonight tomorrow yesterday moment moments minute minutes hour hours day days week "
    "weeks month months year years decade decades century centuries time times date dates morning "
    "afternoon evening night nights weekend weekends noon midnight am pm daily weekly monthly "
    "yearly annual annually early earlier late later latest recent recently soon ago past present "
    "future previous previously current currently former formerly period periods"
)
_AMOUNT = word_set(
    "number numbers amount amounts part parts half halves quarter quarters third thirds lot lots "
    "bit bits pair pairs couple total whole rest dozens hundreds thousands millions billions "
    "single double triple plenty level levels size large larger largest small smaller smallest "
    "big bigger biggest little great greater greatest long longer longest short shorter shortest "
    "high higher highest low lower lowest"
)
_PLAIN = word_set(
    "known different similar new newer newest old older oldest good better best bad worse worst "
    "right wrong true false real main major minor important possible impossible likely able sure "
    "clear full empty open close next last final end ends start beginning middle thing things way "
    "ways kind kinds sort sorts type types form forms case cases fact facts example examples point "
    "points place places side sides top bottom front back left set sets list lists line lines name "
    "names reason reasons someone guy guys"
)
_VERBS = word_set(
    "say says said see sees saw seen go goes went gone get gets got make makes made take takes "
    "took taken come comes came know knows knew think thinks thought want wants wanted use uses "
    "used find finds found give gives gave given tell tells told ask asks asked seem seems seemed "
    "feel feels felt try tries tried leave leaves call calls called keep keeps kept let lets put "
    "puts mean means meant become becomes became show shows showed shown run runs ran move moves "
    "moved live lives lived believe bring brings brought happen happens happened write writes "
    "wrote written sit stand lose pay meet include includes included continue changed lead leads "
    "led understand watch follow follows followed stop create created speak read spend grow walk "
    "win offer remember consider appear buy wait serve die send expect build stay fall cut reach "
    "remain needs help helps likes liked look looks looked please thank thanks hi hey yes yeah "
    "okay ok oh well really actually probably usually often sometimes always almost nearly away "
    "together"
)

STOP_TERMS: frozenset[str] = frozenset().union(
    STOP_WORDS,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    (word.rstrip(".") for word in (*MONTHS, *WEEKDAYS)),
    (f"{word}s" for word in WEEKDAYS if not word.endswith(".")),
    RELATIVE_DATES,
    _TIME,
    _AMOUNT,
    _PLAIN,
    _VERBS,
    ("a m", "p m"),
    "abcdefghijklmnopqrstuvwxyz",
)
"""Lower case, as texts have them; whatever is a plural of one is stopped as well."""
