"""True sentences in other words, made from true ones by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tatian.text.content import stem
from tatian.text.lexicon import NUMBER_WORDS
from trace_story import DIGITS, Base, Story, capital, lower_start

RIGHT = tuple("reference fact fusion voice number name words less quoted".split())
_SAME = [
    ("said", "stated"), ("told", "informed"), ("about", "roughly"), ("bought", "purchased"),
    ("began", "started"), ("injured", "hurt"), ("also", "in addition"), ("near", "close to"),
    ("died", "passed away"), ("children", "kids"), ("attempted to", "tried to"),
    ("previously", "earlier"), ("however", "though"), ("ended", "finished"),
    ("several", "a number of"), ("because", "since"), ("received", "got"), ("large", "big"),
    ("announced", "made known"), ("remained", "stayed"), ("arrested", "taken into custody"),
    ("occurred", "happened"), ("film", "movie"), ("company", "firm"), ("killed", "slain"),
    ("following", "after"), ("immediately", "at once"), ("car", "automobile"),
    ("purchase", "buy"), ("helped", "assisted"),
]  # fmt: skip


class Right(Story):
    """Paraphrases; each method yields rewordings of a true sentence."""

    def fusion(self, base: Base) -> Iterator[str]:
        place = self.bases.index(base)
        for other in self.bases[place + 1 : place + 4]:
            if base.has_quotation() and other.has_quotation():
                continue
            mine, theirs = base.person, other.person
            start = base.text.rstrip(" .")
            if not start[-1:].isalnum():
                continue
            if mine and theirs and other.subject and mine.of(base.text) == theirs.of(other.text):
                rest = other.text[other.subject[2] :].strip()
                if not rest.startswith(",") and base.subject:
                    yield f"{start} and {rest}"
                    after = base.subject[2]
                    if not base.text[after:].startswith(","):
                        yield f"{base.text[:after]}, who {rest.rstrip(' .')},{base.text[after:]}"
            elif other[0].lower() not in {"he", "she", "it", "they", "this", "that", "his", "her"}:
                yield f"{start}, and {lower_start(other)}"

    def voice(self, base: Base) -> Iterator[str]:
        tokens, root, subject = base.document.tokens, base.root, base.subject
        word = base.words.get(root)
        if not subject or word is None or base.words[subject[0]].tag == "PRON":
            return
        head = base.text[: subject[2]]
        if base.words[0].tag != "PROPN":
            head = head[:1].lower() + head[1:]
        agents, objects = base.children(root, "obl:agent"), base.children(root, "obj")
        helpers = base.children(root, "aux", "aux:pass")
        plural = base.words[subject[0]].features.get("Number") == "Plur"
        if agents and len(helpers) == 1 and not base.children(root, "conj"):
            start, end = base.below(agents[0])
            verb = self.forms.get((stem(base[root]), "VBD"))
            if verb and end - start < 60 and base.text[start : start + 3] == "by ":
                rest = base.text[tokens[root].end : start] + base.text[end:]
                yield capital(
                    f"{base.text[start + 3 : end]} {verb} {head}{rest}".replace("  ", " ")
                )
        if objects and not helpers and word.fine == "VBD" and not base.children(root, "conj"):
            start, end = base.below(objects[0])
            part = self.forms.get((stem(base[root]), "VBN"))
            plural = (
                base.words[objects[0]].features.get("Number") == "Plur"
                or " and " in base.text[start:end]
            )
            if (
                part
                and tokens[root].end + 1 == start
                and base.words[objects[0]].tag in {"NOUN", "PROPN"}
            ):
                was = "were" if plural else "was"
                rest = base.text[end:]
                if rest.strip() in {".", ""} or rest[:4] in {" on ", " in ", " at ", " for"}:
                    yield capital(f"{base.text[start:end]} {was} {part} by {head}{rest}")

    def number(self, base: Base) -> Iterator[str]:
        spelled = {
            str(v): w
            for w, v in NUMBER_WORDS.items()
            if 1 < v < 20 and not w.endswith(("th", "rd", "nd", "st"))
        }
        for match in DIGITS.finditer(base.text):
            near = base.text[match.end() : match.end() + 10]
            if (
                match[0] in spelled
                and re.match(r" [a-z]{3,}", near)
                and not re.match(r" (?:p\.?m|a\.?m)", near)
            ):
                yield base.put((*match.span(), spelled[match[0]]))
            money = re.match(r" (million|billion)\b", base.text[match.end() :])
            if money and base.text[match.start() - 1 : match.start()] == "$":
                end = match.end() + money.end()
                yield base.put((match.start() - 1, end, f"{match[0]} {money[1]} dollars"))
            if near[:1] == "%" or near[:8] == " percent":
                end = match.end() + (1 if near[:1] == "%" else 8)
                yield base.put((*(match.start(), end), f"{match[0]} per cent"))
        for token in base.document.tokens:
            value = NUMBER_WORDS.get(token.text, 0)
            beside = base.text[token.start - 1 : token.start] + base.text[token.end : token.end + 1]
            if 2 <= value < 20 and token.text in spelled.values() and "-" not in beside:
                yield base.put((token.start, token.end, str(value)))

    def name(self, base: Base) -> Iterator[str]:
        if not base.person or base.person.of(base.text) in base.text[base.person.end :]:
            return
        words = base.person.of(base.text).split()
        if len(words) == 2 and base.text[base.person.end :][:1] != "'":
            yield base.put((0, base.person.end, words[-1]))
        he, she = (
            len(re.findall(rf"\b{p}\b", self.accounts, re.IGNORECASE))
            for p in ("he|his", "she|her")
        )
        alone = len({n.split()[-1] for n in self.known.get("PER", [])}) == 1
        bare = base.subject is not None and base.subject[2] == base.person.end
        if alone and max(he, she) > 3 and min(he, she) == 0 and bare:
            yield base.put((0, base.person.end, "He" if he else "She"))

    def words_(self, base: Base) -> Iterator[str]:
        hits = [(m, new) for old, new in _SAME if (m := re.search(rf"\b{old}\b", base.text))]
        hits = [(m, new) for m, new in hits if not self.in_marks(base.text, m.start())]
        if hits:
            yield base.put(*((m.start(), m.end(), new) for m, new in _apart(hits)))

    def less(self, base: Base) -> Iterator[str]:
        if re.search(
            r"\b(?:not|no|n't|never|only|if|all|every|without|few|less|unless|first|last)\b",
            base.text,
        ):
            return
        for place, word in base.words.items():
            if (
                word.relation in {"obl", "advcl", "acl:relcl", "appos", "obl:unmarked"}
                and word.head == base.root
            ) or word.relation == "appos":
                start, end = base.below(place)
                gone = base.text[start:end]
                lead = gone.split()[0].lower()
                if not 2 <= len(gone.split()) <= 14 or start == 0 or '"' in gone or "“" in gone:
                    continue
                if lead in {
                    "to",
                    "of",
                    "as",
                    "by",
                    "from",
                    "into",
                    "than",
                    "that",
                    "with",
                    "for",
                    "if",
                    "like",
                }:
                    continue
                comma = base.text[max(0, start - 2) : start] == ", "
                after = base.text[end : end + 1]
                start = start - 2 if comma and after in {",", ".", ""} else start
                end = end + 1 if comma and after == "," else end
                if len(base.text) - (end - start) > 35:
                    yield base.put((start, end, ""))

    def quoted(self, base: Base) -> Iterator[str]:
        if base.has_quotation():
            yield base.text


def _apart(hits: Sequence[tuple[re.Match[str], str]]) -> list[tuple[re.Match[str], str]]:
    kept: list[tuple[re.Match[str], str]] = []
    for match, new in sorted(hits, key=lambda hit: hit[0].start()):
        if not kept or match.start() >= kept[-1][0].end():
            kept.append((match, new))
    return kept
