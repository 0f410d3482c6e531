"""Small tables of words that no fact spells the way a phrase does."""

from __future__ import annotations

SAME = {
    "american football player": "American football player",
    "american football team": "American football team",
    "author": "writer",
    "attorney at law": "lawyer",
    "business magnate": "businessperson",
    "businessman": "businessperson",
    "businesswoman": "businessperson",
    "film score composer": "composer",
    "private school": "private university",
    "nation": "country",
    "novelist": "novelist",
    "rock group": "rock band",
    "soccer player": "footballer",
    "television host": "television presenter",
    "unit": "unit of measurement",
    "tv personality": "television personality",
}
"""Nouns that mean the same: the first becomes the second."""

UNCOUNTABLE = frozenset(
    "agriculture art clothing discrimination education energy equipment finance fiction furniture "
    "government information literature marriage meat medicine military money music news people "
    "pollution poverty retail software suffrage technology television terrorism trade transport "
    "violence warfare".split()
) | {"renewable energy", "public transport", "visual arts"}
"""Nouns that have no plural, or one that means something else."""

UNITED = {
    "England": "British",
    "Scotland": "British",
    "Wales": "British",
    "Northern Ireland": "British",
}
"""Whom the nationality makes something wider as well."""

PARTIES = {
    "Democratic Party (United States)": ("Democratic", "Democrat"),
    "Republican Party (United States)": ("Republican", "Republican"),
    "Conservative Party (UK)": ("Conservative", "British Conservative"),
    "Liberal Democrats (UK)": ("Liberal Democrat", "Liberal Democrat"),
}
"""What stands before a noun for a party, and what one of its members is called."""

SHORT = {
    "National Football League": "NFL",
    "National Basketball Association": "NBA",
    "Major League Baseball": "Major League Baseball",
    "National Hockey League": "NHL",
    "Major League Soccer": "Major League Soccer",
}

SPORTS = {
    "Alpine skiing": "skiing",
    "American football": "football",
    "Association football": "soccer",
    "Athletics": "track and field",
    "Auto racing": "auto racing",
    "Baseball": "baseball",
    "Basketball": "basketball",
    "Boxing": "boxing",
    "Cricket": "cricket",
    "Football (soccer)": "soccer",
    "Golf": "golf",
    "Ice hockey": "hockey",
    "Tennis": "tennis",
}

GENRES = {
    "Blues": "blues",
    "Classical music": "classical",
    "Country music": "country",
    "Folk music": "folk",
    "Funk": "funk",
    "Heavy metal music": "heavy metal",
    "Hip hop music": "hip-hop",
    "Jazz": "jazz",
    "Pop music": "pop",
    "Punk rock": "punk",
    "Reggae": "reggae",
    "Rhythm and blues": "R&B",
    "Rock music": "rock",
    "Soul music": "soul",
}

PLAYERS = {
    "Bass guitar": "bassist",
    "Drum kit": "drummer",
    "Guitar": "guitarist",
    "Piano": "pianist",
    "Saxophone": "saxophonist",
    "Trumpet": "trumpeter",
    "Violin": "violinist",
}

FAITHS = {
    "Anglicanism": "Anglican",
    "Buddhism": "Buddhist",
    "Catholic Church": "Catholic",
    "Catholicism": "Catholic",
    "Christianity": "Christian",
    "Hinduism": "Hindu",
    "Islam": "Muslim",
    "Judaism": "Jewish",
    "Tibetan Buddhism": "Buddhist",
}

SILICON_VALLEY = frozenset(
    (
        "Cupertino, California|Menlo Park, California|Mountain View, California|"
        "Palo Alto, California|Redwood City, California|San Jose, California|"
        "Santa Clara, California|Sunnyvale, California|Cupertino|Menlo Park|Mountain View|"
        "Palo Alto"
    ).split("|")
)
"""Where "Silicon Valley companies" sit."""

NOWHERE = frozenset(
    "Earth|Eurasia|World|Americas|Pacific Ocean|Atlantic Ocean|Contiguous United States".split("|")
)
"""Places that everything lies in."""

ALLIANCES = {
    "African Union": "member of the African Union",
    "Arab League": "member of the Arab League",
    "Association of Southeast Asian Nations": "member of ASEAN",
    "Commonwealth of Nations": "Commonwealth country",
    "European Union": "member of the European Union",
    "NATO": "member of NATO",
    "OPEC": "member of OPEC",
}
"""What the countries of an alliance are called."""

ROLES = {
    "person": frozenset(
        "allies analysts aides bosses brothers candidates captains champions chiefs colleagues "
        "commentators contenders contestants critics defendants executives experts figures "
        "finalists foes friends frontrunners heroes heavyweights hopefuls hosts incumbents "
        "lawmakers leaders legends nominees officials opponents players rivals runners-up "
        "scholars siblings sisters stars suspects teammates titans veterans victims "
        "winners witnesses".split()
    ),
    "location": frozenset(
        "adversaries allies areas battlegrounds destinations economies enemies hot-spots markets "
        "nations neighbors neighbours partners places powers rivals strongholds superpowers".split()
    ),
    "organization": frozenset(
        "agencies allies brands businesses carriers chains clubs competitors firms giants groups "
        "institutions labels lenders makers networks outlets papers partners platforms programs "
        "publications rivals sponsors studios".split()
    ),
}
"""Plurals that a text gives things for the part they play in it, by the type of the things."""
GENERIC = frozenset(
    "people persons men women individuals areas places locations organizations organisations "
    "things entities others ones figures parts sites".split()
)
"""Plurals that name nothing by themselves (the bare types of TESA's clean-up, and their like)."""
