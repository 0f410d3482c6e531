"""Target of a wikitext link: a page, a picture, a category, or something outside."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

from tatian.knowledge.entities import page_title

LinkSort = Literal["page", "picture", "category", "elsewhere", "hidden"]
"""``elsewhere`` shows its words but leads to no article; ``hidden`` shows nothing."""

_MAX_TITLE_LENGTH = 255
_INVALID = re.compile(r"[\[\]{}|<>\n\x00-\x1f\ufffd]")
_REDIRECT = re.compile(r"\s*#\s*REDIRECT(?:ION)?\s*:?\s*\[\[([^\[\]|\n]+)", re.IGNORECASE)
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")

_PICTURES = frozenset(("file", "image", "media"))
_NAMESPACES = frozenset(
    "talk,user,user talk,wikipedia,wikipedia talk,wp,wt,project,project talk,file talk,image talk,"
    "mediawiki,mediawiki talk,template,template talk,t,help,help talk,h,category talk,portal,"
    "portal talk,p,draft,draft talk,module,module talk,mos,special,book,book talk,timedtext,"
    "gadget,education program,topic,event".split(",")
)
_PROJECTS = frozenset(
    "w wikt wiktionary s wikisource q wikiquote b wikibooks n wikinews v wikiversity voy "
    "wikivoyage commons c m meta metawikipedia d wikidata species wikispecies mw mediawikiwiki "
    "incubator foundation wmf phab phabricator bugzilla toollabs toolforge doi imdb iarchive "
    "google isbn rfc pmid hdl mail otrs ticket translatewiki outreach".split()
)
_LANGUAGES = frozenset(
    "aa ab ace ady af ak als am an ang ar arc ary arz as ast atj av avk awa ay az azb ba ban bar "
    "bcl be bg bh bi bjn bm bn bo bpy br bs bug bxr ca cdo ce ceb ch cho chr chy ckb co cr crh cs "
    "csb cu cv cy da de din diq dsb dty dv dz ee el eml en eo es et eu ext fa ff fi fj fo fr frp "
    "frr fur fy ga gag gan gcr gd gl glk gn gom gor got gu gv ha hak haw he hi hif ho hr hsb ht hu "
    "hy hyw hz ia id ie ig ii ik ilo inh io is it iu ja jam jbo jv ka kaa kab kbd kbp kg ki kj kk "
    "kl km kn ko koi kr krc ks ksh ku kv kw ky la lad lb lbe lez lfn lg li lij lld lmo ln lo lrc "
    "lt ltg lv mad mai mdf mg mh mhr mi min mk ml mn mnw mr mrj ms mt mus mwl my myv mzn na nah "
    "nap nds ne new ng nl nn no nov nqo nrm nso nv ny oc olo om or os pa pag pam pap pcd pdc pfl "
    "pi pih pl pms pnb pnt ps pt qu rm rmy rn ro ru rue rw sa sah sat sc scn sco sd se sg sh shi "
    "shn si simple sk skr sl sm smn sn so sq sr srn ss st stq su sv sw szl szy ta tcy te tet tg th "
    "ti tk tl tn to tpi tr ts tt tum tw ty tyv udm ug uk ur uz ve vec vep vi vls vo wa war wo wuu "
    "xal xh xmf yi yo za zea zh zu bat-smg be-tarask be-x-old cbk-zam fiu-vro map-bms nds-nl "
    "roa-rup roa-tara zh-classical zh-min-nan zh-yue".split()
)

_OUTSIDE = _NAMESPACES | _PROJECTS | _LANGUAGES | _PICTURES | {"category"}


class Target(Struct, frozen=True):
    """Target of a link, and its default words."""

    sort: LinkSort
    title: str
    """The page, without section; for a category its name."""
    shown: str


@lru_cache(1 << 14)
def target_of(written: str) -> Target:
    """Parse the text before the first bar of a link."""
    plain = " ".join(unescape(written).replace("_", " ").split())
    if "%" in plain:
        plain = unquote(plain, errors="replace")
    colon = plain.startswith(":")
    plain = plain.lstrip(": ")
    shown = plain
    prefix, separator, rest = plain.partition(":")
    space = prefix.strip().lower()
    if separator and not colon:
        if space in _PICTURES:
            return Target("picture", rest.strip(), "")
        if space == "category":
            return Target("category", page_title(rest.partition("#")[0]), "")
        if space in _LANGUAGES:
            return Target("hidden", "", "")
    title = page_title(plain.partition("#")[0])
    if (separator and space in _OUTSIDE) or not _is_title(title):
        return Target("elsewhere", "", shown)
    return Target("page", title, shown.partition("#")[0].strip())


def pipe_trick(shown: str) -> str:
    """Return what ``[[Pipe (computing)|]]`` shows: no parenthesis, nothing after a comma."""
    bare = _PARENTHESIS.sub("", shown)
    return bare if bare != shown else bare.partition(", ")[0]


def redirect_target(source: str) -> str:
    """Return the page that a redirect leads to; empty if it is no redirect."""
    match = _REDIRECT.match(source)
    if match is None:
        return ""
    target = target_of(match[1])
    return target.title if target.sort == "page" else ""


def _is_title(title: str) -> bool:
    if not title or _INVALID.search(title) or title.startswith(("/", "../", "./")):
        return False
    return len(title.encode()) <= _MAX_TITLE_LENGTH
