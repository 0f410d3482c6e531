"""Consolidations made by hand, so that renderers are tested without running any model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tatian.consolidation.result import (
    SCHEMA,
    Account,
    Aggregation,
    Consolidation,
    Disagreement,
    Place,
    Reference,
    SentenceOutcome,
    SourceSentence,
    WovenChain,
    WrittenMention,
    WrittenSentence,
    WrittenToken,
)
from tatian.text import Source
from tatian.text.documents import Claim
from tatian.text.layers import SourceKind

WORD = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]")
CLOSING = tuple(",.;:!?”")

Origin = str | tuple[str, str] | tuple[str, str, SourceKind]
"""An account id (the same words stand there), or (id, other words), or (id, other words, kind)."""

Part = tuple[str, *tuple[Origin, ...]]
"""Some words and where they come from; without an origin they are glue."""


class Loom:
    """Writes output sentences from parts, working out every offset by searching the accounts."""

    def __init__(self, accounts: dict[str, str]) -> None:
        self.accounts = accounts
        self.text = ""
        self.sentences: list[WrittenSentence] = []

    def find(self, document: str, phrase: str) -> tuple[int, int]:
        start = self.accounts[document].index(phrase)
        return start, start + len(phrase)

    def claim(self, document: str, phrase: str) -> Claim:
        return Claim(document, *self.find(document, phrase), phrase)

    def reference(self, document: str, phrase: str, before: str = "") -> Reference:
        start, end = self.find(document, phrase + before)
        return Reference(document, start, end - len(before))

    def mention(self, phrase: str, chain: str, *titles: str, nth: int = 0) -> WrittenMention:
        start = -1
        for _ in range(nth + 1):
            start = self.text.index(phrase, start + 1)
        return WrittenMention(start, start + len(phrase), chain, titles)

    def weave(self, *parts: Part, paragraph: bool = False) -> None:
        if self.sentences:
            self.text += "\n\n" if paragraph else " "
        begin = len(self.text)
        tokens: list[WrittenToken] = []
        for phrase, *origins in parts:
            if len(self.text) > begin and not phrase.startswith(CLOSING):
                self.text += " "
            for number, match in enumerate(WORD.finditer(phrase)):
                start, end = len(self.text) + match.start(), len(self.text) + match.end()
                sources = tuple(self._source(origin, phrase, number) for origin in origins)
                tokens.append(WrittenToken(start, end, sources, glue=not sources))
            self.text += phrase
        self.sentences.append(WrittenSentence(begin, len(self.text), tuple(tokens)))

    def _source(self, origin: Origin, phrase: str, number: int) -> Source:
        if isinstance(origin, str):
            start, _ = self.find(origin, phrase)
            word = list(WORD.finditer(phrase))[number]
            return Source(origin, start + word.start(), start + word.end(), "copied")
        document, words, *kind = origin
        return Source(document, *self.find(document, words), kind[0] if kind else "substituted")


def sentences_of(
    text: str, fates: Sequence[tuple[str, SentenceOutcome, tuple[int, ...], str]]
) -> tuple[SourceSentence, ...]:
    """One source sentence for each (its words, fate, into, why)."""
    found = []
    for words, fate, into, why in fates:
        start = text.index(words)
        found.append(SourceSentence(start, start + len(words), fate, into, why))
    return tuple(found)


POST = (
    "The ferry Aurora struck the stone pier at Lindholm on Monday evening, injuring 17 people. "
    "Captain Ingrid Sol said the engines did not answer when she called for reverse. "
    "“I had no power at all,” she said. Passengers were taken to St. Olaf’s Hospital.\n\n"
    "The pier has been closed."
)
RADIO = (
    "A passenger ferry carrying 212 people hit the pier in Lindholm harbour shortly after 6 p.m. "
    "Nineteen people were hurt, two of them seriously, police said. "
    "The captain, Ingrid Sol, 46, has sailed the route for eleven years. "
    "Listen to our traffic report every morning at seven."
)
MAIL = (
    "Monday’s crash of the Aurora left 17 people injured. "
    "Divers and harbour police examined the ferry through the night. 🚢 "
    "The Transport Agency is opening an inquiry, and Café Ångström (مقهى) stayed open for families."
)


def ferry() -> Consolidation:
    """Three accounts of a ferry accident: every feature of a consolidation occurs once or more."""
    loom = Loom({"post": POST, "radio": RADIO, "mail": MAIL})
    loom.weave(
        ("The", "post"),
        ("ferry", "post", "radio"),
        ("Aurora", "post", "mail"),
        (",",),
        ("carrying 212 people", "radio"),
        (",",),
        ("struck the stone", "post"),
        ("pier", "post", "radio"),
        ("at", "post"),
        ("Lindholm", "post", "radio"),
        ("on", "post"),
        ("Monday", "post", "mail"),
        ("evening", "post"),
        ("shortly after 6 p.m", "radio"),
        (".", "radio"),
        (",", "post"),
        ("injuring", "post", ("radio", "hurt"), ("mail", "injured", "inflected")),
        ("17", "post", ("radio", "Nineteen"), "mail"),
        ("people", "post", "radio", "mail"),
        (", two of them seriously, police said.", "radio"),
    )
    loom.weave(
        ("Captain", "post", ("radio", "captain", "inflected")),
        ("Ingrid Sol", "post", "radio"),
        (", 46,", "radio"),
        ("who",),
        ("has sailed the route for eleven years", "radio"),
        (",",),
        ("said the engines did not answer when she called for reverse.", "post"),
    )
    loom.weave(("“I had no power at all,” she said.", "post"))
    loom.weave(
        ("Rescue workers", ("mail", "Divers and harbour police", "aggregated")),
        ("examined the ferry through the night", "mail"),
        ("and",),
        ("the Transport Agency", ("mail", "The Transport Agency", "inflected")),
        ("has",),
        ("opened", ("mail", "opening", "inflected")),
        ("an inquiry, and Café Ångström (مقهى) stayed open for families.", "mail"),
        paragraph=True,
    )
    loom.weave(("The pier has been closed.", "post"))
    documents = (
        Account(
            "post", "accounts/post.txt", "Ferry strikes pier; 17 hurt", "2024-03-12",
            "The Harbour Post", POST,
            sentences_of(POST, [
                ("The ferry Aurora struck the stone pier at Lindholm on Monday evening, "
                 "injuring 17 people.", "merged", (0,), "its wording leads the merged sentence"),
                ("Captain Ingrid Sol said the engines did not answer when she called for reverse.",
                 "merged", (1,), "its wording leads the merged sentence"),
                ("“I had no power at all,” she said.", "kept", (2,), "only this account says it"),
                ("Passengers were taken to St. Olaf’s Hospital.", "unused", (),
                 "no other account confirms it and the summary was full"),
                ("The pier has been closed.", "kept", (4,), "only this account says it"),
            ]),
        ),
        Account(
            "radio", "accounts/radio.txt", None, "2024-03-11", "Coastal Radio", RADIO,
            sentences_of(RADIO, [
                ("A passenger ferry carrying 212 people hit the pier in Lindholm harbour shortly "
                 "after 6 p.m.", "merged", (0,), "adds: carrying 212 people; shortly after 6 p.m."),
                ("Nineteen people were hurt, two of them seriously, police said.", "merged", (0,),
                 "adds: two of them seriously, police said"),
                ("The captain, Ingrid Sol, 46, has sailed the route for eleven years.", "merged",
                 (1,), "adds: 46; has sailed the route for eleven years"),
                ("Listen to our traffic report every morning at seven.", "unused", (),
                 "not part of the story"),
            ]),
        ),
        Account(
            "mail", "accounts/mail.txt", "Inquiry into Aurora crash", None, None, MAIL,
            sentences_of(MAIL, [
                ("Monday’s crash of the Aurora left 17 people injured.", "redundant", (0,),
                 "everything it says stands in the merged sentence"),
                ("Divers and harbour police examined the ferry through the night.", "kept", (3,),
                 "only this account says it"),
                ("The Transport Agency is opening an inquiry, and Café Ångström (مقهى) stayed open "
                 "for families.", "merged", (3,), "joined to its neighbour"),
            ]),
        ),
    )  # fmt: skip
    return Consolidation(
        schema=SCHEMA,
        text=loom.text,
        sentences=tuple(loom.sentences),
        documents=documents,
        contradictions=(
            Disagreement(
                "number",
                tuple(
                    loom.claim(*claim)
                    for claim in (("post", "17"), ("radio", "Nineteen"), ("mail", "17"))
                ),
                "the accounts give different numbers of people hurt",
                (0,),
            ),
        ),
        chains=(
            WovenChain("c1", "Aurora", "MISC", (
                loom.reference("post", "The ferry Aurora"),
                loom.reference("radio", "A passenger ferry carrying 212 people"),
                loom.reference("mail", "the Aurora"),
                loom.reference("mail", "the ferry"),
            )),
            WovenChain("c2", "Ingrid Sol", "PER", (
                loom.reference("post", "Captain Ingrid Sol"),
                loom.reference("post", "she"),
                loom.reference("post", "I", before=" had"),
                loom.reference("radio", "The captain, Ingrid Sol, 46"),
            )),
            WovenChain("c3", "Lindholm", "LOC", (
                loom.reference("post", "Lindholm"),
                loom.reference("radio", "Lindholm"),
            )),
            WovenChain("c4", "Divers", "", (loom.reference("mail", "Divers"),)),
            WovenChain("c5", "harbour police", "ORG", (loom.reference("mail", "harbour police"),)),
        ),
        mentions=(
            loom.mention("The ferry Aurora", "c1"),
            loom.mention("Lindholm", "c3", "Lindholm", "Lindholm (harbour)"),
            loom.mention("Captain Ingrid Sol, 46", "c2"),
            loom.mention("she", "c2"),
            loom.mention("I", "c2", nth=1),
            loom.mention("she", "c2", nth=1),
            loom.mention("the ferry", "c1"),
        ),
        aggregations=(
            Aggregation("Rescue workers", ("c4", "c5"), loom.text.index("Rescue workers"),
                        loom.text.index("Rescue workers") + len("Rescue workers")),
        ),
        groups=(
            (Place("post", 0), Place("radio", 0), Place("radio", 1), Place("mail", 0)),
            (Place("post", 1), Place("radio", 2)),
        ),
    )  # fmt: skip


HOSTILE = (
    "</script><script>window.stolen = 1</script> said \"no\" & 'maybe' <!-- not a comment. "
    "<img src=x onerror=window.stolen=2> was shouted ]]> by 👩‍🚒 שלום e\u0301 *stars* [x](y) "
    "_u_ `c`."
)


def hostile() -> Consolidation:
    """Texts that break out of careless markup: tags, comments, quotes, Markdown, emoji, RTL."""
    identity = '"><script>window.stolen = 3</script>'
    loom = Loom({identity: HOSTILE, "b&b": "plain\r\n<b>bold</b> words."})
    first, second = HOSTILE.split(" <img")
    loom.weave((first, identity))
    loom.weave(("<img" + second, identity), ("<b>bold</b> words.", "b&b"), paragraph=True)
    return Consolidation(
        schema=SCHEMA,
        text=loom.text,
        sentences=tuple(loom.sentences),
        documents=(
            Account(
                identity, "<path>", "<title>&amp;", '"date"', "<i>", HOSTILE,
                sentences_of(HOSTILE, [
                    (first, "kept", (0,), "</script> & why <b>"),
                    ("<img" + second, "merged", (1,), "\u2028"),
                ]),
            ),
            Account(
                "b&b", None, None, None, None, loom.accounts["b&b"],
                sentences_of(loom.accounts["b&b"], [("<b>bold</b> words.", "merged", (1,), "'")]),
            ),
        ),
        contradictions=(
            Disagreement("name", (loom.claim("b&b", "<b>bold</b>"),), "<script>why</script>", (1,)),
        ),
        chains=(WovenChain("<c>", "<u>name</u>", "<t>", (loom.reference("b&b", "bold"),)),),
        mentions=(loom.mention("bold", "<c>", 'A "quoted" <title>/?#%', "C++"),),
        aggregations=(Aggregation("<phrase>", ("<c>",), score=0.5, support=("<b>why</b>",)),),
    )  # fmt: skip


def kept(**texts: str) -> tuple[Account, ...]:
    """Accounts of one sentence each, which the text has in their order."""
    return tuple(
        Account(
            name, None, None, None, None, text,
            sentences_of(text, [(text, "kept", (number,), "only this account says it")]),
        )
        for number, (name, text) in enumerate(texts.items())
    )  # fmt: skip


def lone() -> Consolidation:
    """One account that becomes one sentence: the smallest thing a renderer may meet."""
    loom = Loom({"only": "It rained."})
    loom.weave(("It rained.", "only"))
    return Consolidation(SCHEMA, loom.text, tuple(loom.sentences), kept(only="It rained."))


def chorus(accounts: int = 14) -> Consolidation:
    """Many accounts that all say the same sentence."""
    names = [f"voice-{number}" for number in range(accounts)]
    loom = Loom(dict.fromkeys(names, "It rained."))
    loom.weave(("It rained.", *names))
    documents = tuple(
        Account(
            name, None, None, None, None, "It rained.",
            sentences_of("It rained.", [("It rained.", "merged", (0,), "all say it")]),
        )
        for name in names
    )  # fmt: skip
    return Consolidation(SCHEMA, loom.text, tuple(loom.sentences), documents)


def nothing() -> Consolidation:
    """An account of which nothing was used."""
    account = Account(
        "blank", None, None, None, None, "Advertisement.",
        sentences_of("Advertisement.", [("Advertisement.", "unused", (), "not part of the story")]),
    )  # fmt: skip
    return Consolidation(SCHEMA, "", (), (account,))


def crowd(accounts: int = 200, sentences: int = 250, width: int = 20) -> Consolidation:
    """Many accounts and a long output: each output sentence is shared by three accounts."""
    shared = [
        " ".join(f"word{(i * 7 + j * 3) % 997}" for j in range(width - 1)) + f" item{i}."
        for i in range(sentences)
    ]
    held: list[list[int]] = [[] for _ in range(accounts)]
    for i in range(sentences):
        for k in {i % accounts, (i * 3 + 1) % accounts, (i * 7 + 2) % accounts}:
            held[k].append(i)
    filler = [f"Account {k} has a remark of its own, number {n}." for k in range(accounts)
              for n in range(8)]  # fmt: skip
    texts = {}
    for k in range(accounts):
        own = filler[k * 8 : k * 8 + 8]
        texts[f"account-{k}"] = " ".join([*(shared[i] for i in held[k]), *own])
    loom = Loom(texts)
    for i, sentence in enumerate(shared):
        holders = [k for k in range(accounts) if i in held[k]]
        loom.weave((sentence, *(f"account-{k}" for k in holders)), paragraph=i % 6 == 0)
    documents = tuple(
        Account(
            f"account-{k}", None, f"Report number {k}", None, None, texts[f"account-{k}"],
            sentences_of(
                texts[f"account-{k}"],
                [(shared[i], "merged", (i,), "shared") for i in held[k]]
                + [(write_remark, "unused", (), "nobody else says it")
                   for write_remark in filler[k * 8 : k * 8 + 8]],
            ),
        )
        for k in range(accounts)
    )  # fmt: skip
    chain = WovenChain(
        "c0", "item", "MISC",
        tuple(loom.reference(f"account-{k}", f"item{i}.")
              for k in range(accounts) for i in held[k][:2]),
    )  # fmt: skip
    return Consolidation(
        SCHEMA, loom.text, tuple(loom.sentences), documents, chains=(chain,),
        mentions=tuple(loom.mention(f"item{i}.", "c0") for i in range(0, sentences, 5)),
    )  # fmt: skip
