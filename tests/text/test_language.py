"""English is let through, however short or careless; other languages are named."""

from __future__ import annotations

import pytest

from tatian.errors import NotEnglish
from tatian.text import Document, Metadata
from tatian.text.language import english_share, require_english

OTHERS = {
    "German": (
        "Der Minister sagte am Dienstag, dass die Regierung das Gesetz im Herbst vorlegen werde "
        "und dass niemand mit höheren Steuern rechnen müsse, solange die Wirtschaft wächst."
    ),
    "French": (
        "Le ministre a déclaré mardi que le gouvernement présenterait la loi à l'automne et que "
        "personne ne devait craindre une hausse des impôts tant que l'économie progresse."
    ),
    "Spanish": (
        "El ministro dijo el martes que el gobierno presentará la ley en otoño y que nadie debe "
        "temer una subida de impuestos mientras crezca la economía del país."
    ),
    "Italian": (
        "Il ministro ha detto martedì che il governo presenterà la legge in autunno e che nessuno "
        "deve temere un aumento delle tasse finché l'economia cresce."
    ),
    "Portuguese": (
        "O ministro disse na terça-feira que o governo vai apresentar a lei no outono e que "
        "ninguém deve temer um aumento dos impostos enquanto a economia crescer."
    ),
    "Dutch": (
        "De minister zei dinsdag dat de regering de wet in het najaar zal indienen en dat niemand "
        "hogere belastingen hoeft te vrezen zolang de economie groeit."
    ),
    "Swedish": (
        "Ministern sade på tisdagen att regeringen kommer att lägga fram lagen i höst och att "
        "ingen behöver vara rädd för höjda skatter så länge ekonomin växer."
    ),
    "Polish": (
        "Minister powiedział we wtorek, że rząd przedstawi ustawę jesienią i że nikt nie musi się "
        "obawiać podwyżki podatków, dopóki gospodarka rośnie w tym kraju."
    ),
    "Turkish": (
        "Bakan salı günü hükümetin yasayı sonbaharda sunacağını ve ekonomi büyüdüğü sürece "
        "kimsenin daha yüksek vergilerden korkmaması gerektiğini söyledi, bu karar çok önemli ve "
        "yeni bir dönem için."
    ),
    "Cyrillic": "Министр заявил во вторник, что правительство представит закон осенью.",
    "Greek": "Ο υπουργός είπε την Τρίτη ότι η κυβέρνηση θα παρουσιάσει τον νόμο.",
    "Arabic": "قال الوزير يوم الثلاثاء إن الحكومة ستقدم القانون في الخريف.",
    "Chinese": "部长星期二表示，政府将在秋季提交该法案。",
    "Japanese": "大臣は火曜日に、政府は秋に法案を提出すると述べた。",
}

ENGLISH = {
    "headline": "Army Secretary Francis Harvey quits amid Walter Reed hospital scandal Friday",
    "news": "The minister said on Tuesday that the government would bring in the law in autumn.",
    "speech": "so we think that um the state should not pay for it because people can decide " * 3,
    "names": (
        "Angela Merkel met Emmanuel Macron, Mario Draghi and Pedro Sánchez in Aix-en-Provence on "
        "Friday, and the four leaders of Germany, France, Italy and Spain agreed on a plan."
    ),
    "figures": "12 14 99 3.5 " * 100,
    "nothing": "",
    "list": "Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune Pluto Ceres Eris Haumea " * 2,
}


@pytest.mark.parametrize("kind", ENGLISH)
def test_english_is_accepted(kind: str) -> None:
    require_english(Document(kind, ENGLISH[kind]))


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_is_refused_by_name(language: str) -> None:
    with pytest.raises(NotEnglish, match=f"{language}.*English only"):
        require_english(Document("one", OTHERS[language]))


def test_the_message_says_which_file() -> None:
    document = Document("one", OTHERS["German"], Metadata(path="news/one.txt"))
    with pytest.raises(NotEnglish, match=r"^news/one\.txt: seems to be in German"):
        require_english(document)


def test_a_long_text_without_function_words_of_any_language_is_refused() -> None:
    with pytest.raises(NotEnglish, match="another language than English"):
        require_english(Document("one", "lorka mipsu tarvel oni kuresh balto " * 50))


def test_short_foreign_text_is_accepted() -> None:
    assert english_share("Der Spiegel: Das ist nicht gut") == 1.0


def test_english_with_foreign_quotations_counts_mostly_as_english() -> None:
    mixed = f'{ENGLISH["news"]} {ENGLISH["names"]} He said: "Das ist nicht wahr."'
    assert english_share(mixed) > 0.7


def test_a_long_text_is_judged_by_samples_of_it() -> None:
    assert english_share(OTHERS["German"] * 20_000) < 0.4


def test_words_of_addresses_do_not_count() -> None:
    links = " ".join(f"http://en.example.org/wiki/Page_{number}" for number in range(60))
    require_english(Document("one", f"The ferry ran aground off the harbour in fog. {links}"))
