"""What an uncased encoder cannot see in a word (shape, ending), and how its lemma is made."""

from __future__ import annotations

import re
from functools import lru_cache

SHAPE_LENGTH = 6
ENDINGS = (2, 3)

_IRREGULAR = """
arise arose arisen; awake awoke awoken; be was were been; bear bore borne born; beat beaten; become
became; begin began begun; bend bent; bind bound; bite bit bitten; bleed bled; blow blew blown;
break broke broken; breed bred; bring brought; build built; burn burnt; buy bought; catch caught;
choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug; dive dove; do did
done; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall
fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling flung; fly flew flown;
forbid forbade forbidden; foresee foresaw foreseen; forget forgot forgotten; forgive forgave
forgiven; forsake forsook forsaken; freeze froze frozen; get got gotten; give gave given; go went
gone; grind ground; grow grew grown; hang hung; have had; hear heard; hide hid hidden; hold held;
keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; leap leapt; learn learnt;
leave left; lend lent; light lit; lose lost; make made; mean meant; meet met; mistake mistook
mistaken; pay paid; plead pled; prove proven; ride rode ridden; ring rang rung; rise rose risen;
run ran; saw sawn; say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken;
shave shaven; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank
sunk; sit sat; slay slew slain; sleep slept; slide slid; sling slung; smell smelt; sow sown; speak
spoke spoken; speed sped; spell spelt; spend spent; spill spilt; spin spun; spit spat; spring
sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; stink stank stunk; stride
strode; strike struck stricken; string strung; strive strove striven; swear swore sworn; sweep
swept; swell swollen; swim swam swum; swing swung; take took taken; teach taught; tear tore torn;
tell told; think thought; throw threw thrown; tread trod trodden; wake woke woken; wear wore worn;
weave wove woven; weep wept; win won; wind wound; write wrote written; bet bet; burst burst; cast
cast; cost cost; cut cut; hit hit; hurt hurt; let let; put put; quit quit; read read; rid rid; set
set; shed shed; shut shut; spread spread; split split; thrust thrust; upset upset
"""
"""Verbs, each with its past forms that no rule makes."""
_PASTS = {past: verb for verb, *pasts in map(str.split, _IRREGULAR.split(";")) for past in pasts}
_BEFORE = re.compile(r"(?:over|under|with|out|re|un|mis|fore|for|be|up)(?=...)")

_LONG_RUN = re.compile(r"(.)\1{2,}", re.DOTALL)


def shape(word: str) -> str:
    """The word's pattern of cases, digits and signs; ``McDonald`` is ``XxXxx``."""
    return _LONG_RUN.sub(r"\1\1", "".join(map(_class, word)))[:SHAPE_LENGTH]


def _class(character: str) -> str:
    if character.isupper() or character.istitle():
        return "X"
    if character.isalpha():
        return "x"
    if character.isdecimal():
        return "d"
    return character


def endings(word: str) -> tuple[str, str]:
    """The lower-cased word's last two and last three characters."""
    lowered = word.lower()
    short, long = ENDINGS
    return lowered[-short:], lowered[-long:]


def verb_of(form: str, fine: str) -> str | None:
    """The verb that a past form which no rule makes belongs to, "withdrew" of "withdraw"."""
    if fine not in ("VBD", "VBN"):
        return None
    lowered = form.lower()
    before = _BEFORE.match(lowered)
    start = before.end() if before and lowered not in _PASTS else 0
    verb = _PASTS.get(lowered[start:])
    return verb and lowered[:start] + verb


def lemma_of(form: str, script: str) -> str:
    """The lemma that `script` (``case|drop|append``) makes of `form`; never empty.

    The form as it is (``k``), lower-cased (``l``) or capitalised (``f``), less `drop` characters
    at the end, then `append`. A script that drops more than there is leaves the form in its case.
    """
    case, drop, append = script.split("|", 2)
    cased = in_case(form, case)
    kept = len(cased) - int(drop)
    return (cased[:kept] + append if kept >= 0 else cased) or form


def in_case(form: str, case: str) -> str:
    """The form as it is (``k``), lower-cased (``l``), or capitalised (``f``)."""
    if case == "l":
        return form.lower()
    if case == "f":
        return form[:1].upper() + form[1:].lower()
    return form


@lru_cache(1 << 12)
def features_of(text: str) -> dict[str, str]:
    """Morphological features as CoNLL-U writes them; the same text gives the same dictionary."""
    if text in ("", "_"):
        return {}
    return dict(item.partition("=")[::2] for item in text.split("|"))


def features_text(features: dict[str, str]) -> str:
    """Features as CoNLL-U writes them: sorted by name, ``_`` for none."""
    ordered = sorted(features.items(), key=lambda item: item[0].lower())
    return "|".join(f"{name}={value}" if value else name for name, value in ordered) or "_"
