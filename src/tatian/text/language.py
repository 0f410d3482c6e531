"""Whether a text is English, so that other languages are refused clearly instead of mangled."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePath

from tatian.errors import NotEnglish
from tatian.text.documents import Document
from tatian.text.lexicon import STOP_WORDS, word_set

FEWEST_WORDS = 20
"""A shorter text in Latin letters is taken for English: headlines are mostly names."""

LEAST_SHARE = 0.4
"""Below this share of its language evidence a text is not English."""

PROSE = 0.1
"""Prose has its language's function words in at least this share of its words; lists do not."""

FUNCTION_WORDS = {
    "German": word_set(
        "der die das und ist nicht ein eine einen einem einer mit von zu auf für den dem des sich "
        "auch wird werden wurde haben hat sind war im am als wie bei nach aus über oder aber noch "
        "nur wenn dass ich sie er wir ihr es kann zum zur durch um vor bis gegen"
    ),
    "French": word_set(
        "le la les des une un et est dans pour que qui pas sur avec ce cette ces son sa ses il "
        "elle ils nous vous je ne se au aux du de en par plus ont été être sont mais ou où comme "
        "leur leurs d' l' qu' c' n' s' j'"
    ),
    "Spanish": word_set(
        "el la los las de del que y en un una unos es por con para no se su sus al lo como más "
        "pero fue ha han este esta estos está son sin sobre también entre cuando muy ya o le les "
        "nos desde hasta porque"
    ),
    "Portuguese": word_set(
        "o a os as de do da dos das que e em um uma é por com para não se no na nos nas ao à mais "
        "mas foi como seu sua são está também pelo pela até isso ele ela eles quando muito já ou "
        "sobre entre depois"
    ),
    "Italian": word_set(
        "il lo la i gli le di del della dei delle che e in un una è per con non si su al alla da "
        "dal dalla nel nella sono come più ma anche ha hanno questo questa suo sua ci se o essere "
        "stato dopo l' d' un'"
    ),
    "Dutch": word_set(
        "de het een en van is dat niet zijn voor op met te die in er aan ook als bij om maar naar "
        "was door wordt worden heeft hebben nog dan over uit tot wel geen deze dit hij zij wij ik"
    ),
    "Swedish": word_set(
        "och att det som en ett i på är av för med den till inte om har de från var men när kan "
        "ska så han hon vi jag sig efter över också eller under mot"
    ),
    "Danish or Norwegian": word_set(
        "og at det som en et i på er av af for med den til ikke om har de fra var men når kan skal "
        "så han hun vi jeg sig seg etter efter over også eller under mot mod blev ble"
    ),
    "Polish": word_set(
        "i w na z się nie jest do że to o jak za po od przez ale dla są był była było oraz tym "
        "jego jej już tylko może który która które ich przed czy także"
    ),
    "Czech or Slovak": word_set(
        "a v na je se že to s z do o i jako za po od ale pro jsou byl byla bylo také nebo jeho "
        "její už jen může který která které sa som nie pre ako tak podle"
    ),
    "Romanian": word_set(
        "și în de la a cu pe un o nu că este din care pentru mai se au fost sau dar prin după "
        "sunt al ale lui sa cea cel această acest"
    ),
    "Turkish": word_set(
        "ve bir bu da de için ile olarak çok daha olan gibi kadar en ne o ama sonra her değil var "
        "ki mi olduğu tarafından ya"
    ),
    "Finnish": word_set(
        "ja on ei se että oli hän ovat myös mutta kun kuin jos joka olla ole tai sekä mukaan niin "
        "vain jo siitä tämä sen hänen"
    ),
    "Hungarian": word_set(
        "a az és hogy nem is egy meg van volt de ez ki ha mint csak még már vagy lesz azt ezt el "
        "után szerint"
    ),
    "Indonesian or Malay": word_set(
        "yang dan di ini itu dengan untuk dari tidak ke pada adalah akan dalam juga oleh saya "
        "mereka ada bisa karena telah sebagai"
    ),
}
"""Words every text of a language is full of; many belong to several languages."""

SCRIPTS = {
    "Greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "Russian or another language in Cyrillic script": r"\u0400-\u052f",
    "Hebrew": r"\u0590-\u05ff",
    "Arabic, Persian or another language in Arabic script": r"\u0600-\u06ff\u0750-\u077f",
    "Hindi or another language of India": r"\u0900-\u0dff",
    "Thai": r"\u0e00-\u0e7f",
    "Japanese": r"\u3040-\u30ff",
    "Korean": r"\u1100-\u11ff\uac00-\ud7af",
    "Chinese or Japanese": r"\u3400-\u4dbf\u4e00-\u9fff",
}

ENGLISH = "English"
UNKNOWN = "another language than English"

_SCRIPTS = {name: re.compile(f"[{chars}]") for name, chars in SCRIPTS.items()}
_WORD = re.compile(r"[^\W\d_]++['’]?")
_ENGLISH_WORDS = frozenset(word for word in STOP_WORDS if word.isalpha() and len(word) > 1) | {
    "a",
    "i",
}
_SAMPLE = 20_000


def english_share(text: str) -> float:
    """How much of what gives a text's language away speaks for English, from 0 to 1.

    A text with too few words to tell (a headline, a table of figures) gets 1.
    """
    return _judge(text)[1]


_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
"""The "en" of an address is no French word."""


def require_english(document: Document) -> None:
    """Raise `NotEnglish`, naming the language it seems to be, unless the document is English."""
    language, share = _judge(document.text)
    if share < LEAST_SHARE:
        path = document.metadata.path
        named = path is not None and PurePath(path).name.startswith(f"{document.id}.")
        which = "" if named else f"'{document.id}' "
        raise NotEnglish(f"{which}seems to be in {language}: Tatian reads English only", path=path)


def _judge(text: str) -> tuple[str, float]:
    """The likeliest language and how much speaks for English."""
    sample = _ADDRESS.sub(" ", _sample(text))
    letters = sum(map(str.isalpha, sample))
    scripts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()}
    latin = 1 - sum(scripts.values()) / letters if letters else 1.0
    if latin < LEAST_SHARE:
        kana = "Japanese" if scripts["Japanese"] else None
        return kana or max(scripts, key=lambda name: scripts[name]), latin
    words = [match.lower().replace("’", "'") for match in _WORD.findall(sample)]
    if len(words) < FEWEST_WORDS:
        return ENGLISH, 1.0
    counts = Counter(words)
    english = sum(counts[word] + counts[word + "'"] for word in _ENGLISH_WORDS)
    others = {name: sum(counts[word] for word in listed) for name, listed in FUNCTION_WORDS.items()}
    best = max(others, key=lambda name: others[name])
    if max(english, others[best]) < PROSE * len(words):
        return (ENGLISH, 1.0) if len(words) < 10 * FEWEST_WORDS else (UNKNOWN, 0.0)
    share = english / (english + others[best])
    return (ENGLISH if share >= LEAST_SHARE else best), share


def _sample(text: str) -> str:
    """The whole of a short text; beginning, middle and end of a long one."""
    if len(text) <= 3 * _SAMPLE:
        return text
    middle = len(text) // 2
    return " ".join((text[:_SAMPLE], text[middle : middle + _SAMPLE], text[-_SAMPLE:]))
