"""Articles of invented events: several of each, one event twice, a year apart."""

from __future__ import annotations

from tatian.text import Document, Metadata


def article(id: str, text: str, day: str | None = None, title: str | None = None) -> Document:
    return Document(id, text, Metadata(title=title, date=day, source=id.partition("-")[0]))


FERRY = [
    article(
        "wire-1",
        "The passenger ferry Sea Holly ran onto a sandbank off Halverne in thick fog, injuring "
        "12 of the 212 people on board. The captain, Jonas Verrick, will be questioned by "
        "investigators. Lifeboats from Ostrey took the passengers off within two hours.",
        "2021-03-14",
    ),
    article(
        "courier-1",
        "Jonas Verrick, the captain of the Sea Holly, was questioned for hours after his ferry "
        "struck a sandbank near Halverne. Sennick Line said the ship had a new radar. Twelve "
        "passengers were hurt and lifeboats from Ostrey brought everyone ashore.",
        "2021-03-15",
    ),
    article(
        "weekly-1",
        "Islanders were cut off for three days after the Sea Holly ran aground off Halverne. The "
        "union accuses Sennick Line of ignoring warnings; captain Jonas Verrick had asked for "
        "repairs. Divers found a hole in the hull of the ferry.",
        "2021-03-18",
    ),
]
MUSEUM = [
    article(
        "wire-2",
        "Thieves stole three paintings by Clara Dent from the Marlow Museum in Westerby on Sunday. "
        "Police said the alarm had been switched off. A guard, Tom Ackley, was found tied up.",
        "2021-03-15",
    ),
    article(
        "herald-2",
        "The director of the Marlow Museum in Westerby, Ruth Falk, said that the three stolen "
        "paintings by Clara Dent were worth nine million. The guard Tom Ackley was tied up by "
        "the thieves, who had switched off the alarm.",
        "2021-03-16",
    ),
]


def quake(id: str, day: str, magnitude: str, dead: str, town: str, official: str) -> Document:
    return article(
        id,
        f"An earthquake of magnitude {magnitude} struck the Karsun valley in northern Velmaria, "
        f"killing at least {dead} people and destroying houses in {town}. Rescue workers searched "
        f"the rubble, said {official} of the civil protection. Aftershocks were felt in Orlin.",
        day,
    )


QUAKE = [
    quake("wire-3", "2020-04-02", "5.8", "31", "Tarvo", "Ilse Brandt"),
    quake("herald-3", "2020-04-03", "5.8", "34", "Tarvo", "Ilse Brandt"),
]
QUAKE_LATER = [
    quake("wire-4", "2021-05-11", "6.3", "112", "Lesk", "Henrik Moll"),
    quake("herald-4", "2021-05-12", "6.3", "119", "Lesk", "Henrik Moll"),
]
EVERYTHING = [*FERRY, *MUSEUM, *QUAKE, *QUAKE_LATER]
