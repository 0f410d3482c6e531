"""Words that sound alike, as a recogniser of speech confuses them."""

from __future__ import annotations

from functools import cache

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
