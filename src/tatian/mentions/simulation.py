"""Text as a recogniser of speech would give it, with the truth of what became of each character.

No recordings with linked mentions can be had, so the three kinds of text of the mention benchmark
(written, transcribed, recognised) are made from the first. It shows what its Text 4 shows: no
case, no punctuation, stray stops, ``u_k``, words misheard, dropped, split and run together.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random

from msgspec import Struct
from msgspec.structs import asdict, replace

from tatian.errors import InputError
from tatian.formats.links import evaluated_parts, links_of
from tatian.mentions.projection import heard as heard_as
from tatian.mentions.spoken import MONEY, broken, garbled, money_words, number_words, spelled
from tatian.text import Document, Link, Span

_WORD = re.compile(
    rf"(?P<money>{MONEY.pattern})|"
    r"(?:[^\W\d_]\.){2,}|"
    r"\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th|s)?(?![^\W_])|"
    r"[^\W_]+(?:['\u2019][^\W_]+)*|[%&]"
)
_SAID = {"%": "percent", "&": "and"}
_SIGNS = frozenset("$\u20ac\u00a3\u00a5")
_STOPS = frozenset(".,?!")
_SMALL = frozenset("a an the of to in on at and or is it that this as by for so".split())
_FILLERS = ("uh", "um", "you know", "i mean")


class HearingRates(Struct, frozen=True):
    """How often each thing happens to what it can happen to, from 0 (never) to 1 (always).

    The defaults make recognised speech of middling quality; all others at 0 leave a text as it is.
    """

    case: float = 1.0
    """Words that lose their capitals."""
    stops: float = 1.0
    """Stops, commas, question and exclamation marks lost."""
    marks: float = 1.0
    """All other marks lost: quotes, brackets, dashes."""
    numbers: float = 1.0
    """Numbers said in words."""
    acronyms: float = 1.0
    """Acronyms spelt as ``u_k``."""
    homophones: float = 0.15
    """Words that have a homophone, heard as it."""
    garbled: float = 0.02
    """Words with one sound heard wrongly."""
    dropped: float = 0.01
    """Words lost; five times as often the small ones, which are hardly said."""
    split: float = 0.02
    """Long words heard as two, with or without a stop between."""
    merged: float = 0.01
    """Blanks between words lost."""
    stray: float = 0.02
    """Stops after words that no sentence ends with."""
    fillers: float = 0.01
    """Words before which an "uh" is heard."""

    def __post_init__(self) -> None:
        for name, rate in asdict(self).items():
            if not 0 <= rate <= 1:
                raise InputError(f"the rate '{name}' must lie between 0 and 1, not {rate:g}")

    @classmethod
    def none(cls) -> HearingRates:
        """Nothing happens."""
        return cls(*(0.0 for _ in cls.__struct_fields__))

    @classmethod
    def transcript(cls) -> HearingRates:
        """As people write down what was said: lower case, numbers in words, stops and commas."""
        return replace(cls.none(), case=1.0, marks=1.0, numbers=1.0)


class Simulation(Struct, frozen=True):
    """What was "heard", and the truth about it."""

    text: Document
    """The new text with every mention where it truly is."""
    vanished: tuple[Link, ...]
    """Mentions of which nothing is left."""
    places: tuple[tuple[int, int] | None, ...]
    """For each character of the source, the part of the new text that it became; None if lost.

    The letters of a word that was replaced as a whole became all of its replacement.
    """


def simulate(source: Document, rates: HearingRates | None = None, *, seed: int = 1) -> Simulation:
    """Make one text sound recognised; the same text, rates and seed give the same result.

    >>> simulate(Document("1", "The U.K. left in 2020.")).text.text
    'the u_k left in two thousand twenty'
    """
    chance = Random(f"{seed}\n{source.id}\n{source.text}")
    heard = _Hearing(source.text, rates or HearingRates(), chance)
    heard.listen()
    kept: list[Link] = []
    vanished: list[Link] = []
    for mention in links_of(source):
        span = heard.place_of(mention)
        if len(span):
            kept.append(replace(mention, start=span.start, end=span.end))
        else:
            vanished.append(mention)
    parts = [heard.place_of(part) for part in evaluated_parts(source)]
    text = heard_as(source, heard.text, kept, parts)
    return Simulation(text, tuple(vanished), tuple(heard.places))


class _Hearing:
    """One pass over a text, writing what is heard and where each character went."""

    def __init__(self, source: str, rates: HearingRates, chance: Random) -> None:
        self._source = source
        self._rates = rates
        self._chance = chance
        self._parts: list[str] = []
        self._length = 0
        self._lost = False
        """Whether anything is lost since the last word."""
        self._dropped = False
        """Whether a word is."""
        self.places: list[tuple[int, int] | None] = [None] * len(source)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def place_of(self, span: Span) -> Span:
        """What became of a stretch of the source; empty if nothing is left of it."""
        places = [place for place in self.places[span.start : span.end] if place]
        return Span(places[0][0], places[-1][1]) if places else Span(0, 0)

    def listen(self) -> None:
        end = 0
        for match in _WORD.finditer(self._source):
            self._gap(end, match.start(), inner=end > 0)
            self._word(match.start(), match[0])
            end = match.end()
        self._gap(end, len(self._source), inner=False)

    def _happens(self, rate: float) -> bool:
        return self._chance.random() < rate

    def _write(self, text: str) -> tuple[int, int]:
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start, self._length

    def _gap(self, start: int, end: int, *, inner: bool) -> None:
        """Marks that are kept, and the blanks; a lost mark between two words leaves a blank."""
        gap = self._source[start:end]
        if inner and gap.isspace():
            if self._happens(self._rates.merged):
                return
            if self._happens(self._rates.stray):
                self._write(".")
        for place, character in enumerate(gap, start):
            if character.isspace():
                self._space(character)
            elif self._happens(self._rates.stops if character in _STOPS else self._rates.marks):
                self._lost = True
            elif not (self._dropped and character in _STOPS) or self._closes():
                self.places[place] = self._write(character)
        if inner and gap and self._lost:
            self._space(" ")

    def _closes(self) -> bool:
        """Whether a stop behind lost words can stand behind what was heard before them."""
        if self._parts and self._parts[-1].isspace():
            self._length -= len(self._parts.pop())
        return bool(self._parts) and self._parts[-1][-1] not in _STOPS

    def _space(self, character: str) -> None:
        """A blank, unless one was left by something that is lost."""
        if not (self._lost and (not self._parts or self._parts[-1][-1].isspace())):
            self._write(character)

    def _word(self, start: int, word: str) -> None:
        rates = self._rates
        often = 5 if word.lower() in _SMALL else 1
        if self._happens(min(1.0, rates.dropped * often)):
            self._lost = self._dropped = True
            return
        if self._happens(rates.fillers):
            self._write(self._chance.choice(_FILLERS) + " ")
        said = self._heard(word)
        signed = word in _SAID or word[0] in _SIGNS
        if signed and said != word and self._parts and not self._parts[-1].isspace():
            self._write(" ")
        first, last = self._write(said)
        same = said.lower() == word.lower() and len(said) == len(word)
        for place in range(len(word)):
            here = first + place
            self.places[start + place] = (here, here + 1) if same else (first, last)
        self._lost = self._dropped = False

    def _heard(self, word: str) -> str:
        """What becomes of a word; one thing at the most, beside its case."""
        rates = self._rates
        if self._happens(rates.acronyms) and (letters := spelled(word)):
            return letters
        if self._happens(rates.numbers) and (number := _number(word)):
            return number
        if word[0] in _SIGNS:
            return word[1:] if self._happens(rates.marks) else word
        plain = word.lower() if self._happens(rates.case) else word
        alike = homophones().get(plain.lower(), ())
        if alike and self._happens(rates.homophones):
            return self._chance.choice(alike)
        if self._happens(rates.split) and (two := broken(plain, self._chance)):
            return two
        if self._happens(rates.garbled) and (other := garbled(plain, self._chance)):
            return other
        return plain


def _number(word: str) -> str | None:
    return _SAID.get(word) or money_words(word) or number_words(word)


_GROUPS = """
accept except | access excess | ad add | adapt adopt | advice advise | affect effect | aid aide
| ail ale | air heir ere | aisle isle | all awl | allowed aloud | alter altar | ant aunt | arc
ark | ascent assent | assistance assistants | ate eight | attendance attendants | bail bale |
bald bawled | ball bawl | band banned | bard barred | bare bear | baron barren | base bass |
bazaar bizarre | be bee | beach beech | bean been | beat beet | beer bier | bell belle | berry
bury | berth birth | billed build | bite byte | blew blue | boar bore | board bored | bold
bowled | bolder boulder | born borne | bow beau | bow bough | boy buoy | brake break | bread
bred | breath breadth | brewed brood | brews bruise | bridal bridle | broach brooch | but butt |
buy by bye | cannon canon | canvas canvass | capital capitol | carat carrot | cast caste | cede
seed | ceiling sealing | cell sell | cellar seller | censor sensor | cent scent sent | cereal
serial | cession session | chased chaste | cheap cheep | chews choose | choir quire | chord cord
| cite sight site | claws clause | climb clime | close clothes | coarse course | colonel kernel
| complement compliment | conscience conscious | coo coup | core corps | council counsel |
councillor counsellor | creak creek | crewed crude | crews cruise | cue queue | currant current
| cymbal symbol | dam damn | days daze | dear deer | decent descent | descent dissent | desert
dessert | device devise | dew due do | die dye | discreet discrete | draft draught | dual duel |
earn urn | elicit illicit | emigrate immigrate | eminent imminent | ensure insure | envelop
envelope | ewe yew you | eye aye i | faint feint | fair fare | farther father | fate fete | faze
phase | feat feet | find fined | fir fur | flair flare | flaw floor | flea flee | flew flu flue
| flour flower | for four fore | foreword forward | formally formerly | fort fought | forth
fourth | foul fowl | franc frank | freeze frieze | gait gate | gamble gambol | genes jeans |
gilt guilt | gorilla guerrilla | grate great | grays greys | grease greece | groan grown |
guessed guest | guise guys | hail hale | hair hare | hall haul | hangar hanger | hart heart |
hay hey | heal heel | hear here | heard herd | heroin heroine | hi high | higher hire | him hymn
| hoard horde | hoarse horse | hole whole | holy wholly | hour our | idle idol | illusion
allusion | in inn | it's its | jam jamb | key quay | knight night | knit nit | knot not | know
no | knows nose | lain lane | laps lapse | larva lava | lead led | leak leek | leased least |
lessen lesson | levee levy | liar lyre | links lynx | load lode | loan lone | loose lose | loot
lute | made maid | mail male | main mane | maize maze | mall maul | manner manor | mantle mantel
| mare mayor | marshal martial | massed mast | meat meet | medal meddle | metal mettle | might
mite | mind mined | miner minor | missed mist | moat mote | mode mowed | moor more | moose
mousse | moral morale | morning mourning | muscle mussel | mustard mustered | naval navel | new
knew gnu | none nun | oar or ore | one won | ordinance ordnance | paced paste | packed pact |
pail pale | pain pane | pair pear pare | palate palette | passed past | patience patients |
pause paws | peace piece | peak peek pique | peal peel | pearl purl | pedal peddle | peer pier |
personal personnel | perspective prospective | picture pitcher | plain plane | pleas please |
plum plumb | pole poll | poor pour pore | praise prays preys | pray prey | precede proceed |
presence presents | prince prints | principal principle | prize pries | profit prophet | quarts
quartz | rack wrack | rain reign rein | raise rays | rap wrap | raw roar | read reed | real reel
| red read | reek wreak | rest wrest | review revue | right write rite | ring wring | road rode
| roe row | role roll | root route | rose rows | rote wrote | rough ruff | rung wrung | rye wry
| sail sale | sauce source | saw soar sore | scene seen | sea see | seam seem | sear seer | seas
sees seize | sew so sow | shake sheikh | shear sheer | shoe shoo | shore sure | side sighed |
sink sync | slay sleigh | sleight slight | soared sword | sole soul | some sum | son sun | sort
sought | staid stayed | stair stare | stake steak | stalk stork | stationary stationery | steal
steel | stile style | storey story | straight strait | suite sweet | sundae sunday | tacks tax |
tail tale | talk torque | taught taut | tea tee | team teem | tear tier | tease teas | tents
tense | tern turn | than then | their there | they're there | threw through | throne thrown |
throws throes | tide tied | time thyme | tire tyre | to too two | toad towed | toe tow | told
tolled | tracked tract | troop troupe | tuba tuber | vain vein vane | vale veil | vial vile |
wail whale | waist waste | wait weight | waive wave | wales whales | war wore | ware wear where
| warn worn | watt what | way weigh | we wee | weak week | weather whether | weave we've | weir
we're | weld welled | were where | which witch | while wile | whine wine | whirled world | white
wight | who's whose | wonder wander | wood would | wrapped rapt | yoke yolk | yore your you're
"""
_PHRASES = {
    "abortion": "a portion",
    "democracy": "demo crazy",
    "economy": "a con to me",
    "education": "edge you cation",
    "election": "a lecture on",
    "environment": "in iron mint",
    "euthanasia": "youth in asia",
    "government": "govern mint",
    "immigrants": "in my grants",
    "monarchy": "mon archie",
    "recognise": "wreck a nice",
    "refugees": "refute these",
    "religion": "really gin",
}
"""Words that are heard as several."""


@cache
def homophones() -> dict[str, tuple[str, ...]]:
    """What each word may be heard as, without the word itself."""
    found: dict[str, list[str]] = {word: [phrase] for word, phrase in _PHRASES.items()}
    for group in _GROUPS.split("|"):
        words = group.split()
        for word in words:
            found.setdefault(word, []).extend(other for other in words if other != word)
    return {word: tuple(dict.fromkeys(others)) for word, others in found.items()}
