"""The closed word classes of English that every step asks about, written down once.

All keys are lower case: ask with ``word.lower()``. Abbreviations keep their final full stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from msgspec import Struct


class Pronoun(Struct, frozen=True, omit_defaults=True):
    """What a pronoun can refer to; None where it says nothing about it."""

    person: Literal[1, 2, 3]
    number: Literal["singular", "plural"] | None = None
    gender: Literal["male", "female", "neuter"] | None = None
    reflexive: bool = False
    possessive: bool = False


class RelativeDate(Struct, frozen=True):
    """How far a word such as "yesterday" lies from the day it was written, in some unit."""

    amount: int
    unit: Literal["day", "week", "month", "year"]


def word_set(listed: str) -> frozenset[str]:
    """A class of words written as one line of text."""
    return frozenset(listed.split())


def _ordered(listed: str) -> list[str]:
    return listed.split()


def _phrases(listed: str) -> frozenset[str]:
    return frozenset(phrase.strip() for phrase in listed.split(",") if phrase.strip())


ARTICLES = word_set("a an the")
DEMONSTRATIVES = word_set("this that these those")
POSSESSIVE_DETERMINERS = word_set("my your his her its our their whose")
QUANTIFIERS = word_set(
    "all any both each either enough every few fewer less many more most much neither no none "
    "several some such what which whatever whichever another half various certain"
)
DETERMINERS = ARTICLES | DEMONSTRATIVES | POSSESSIVE_DETERMINERS | QUANTIFIERS

PREPOSITIONS = word_set(
    "about above across after against along alongside amid among amongst around as at atop before "
    "behind below beneath beside besides between beyond by despite down during except for from in "
    "inside into like near of off on onto opposite out outside over past per regarding round since "
    "than through throughout till to toward towards under underneath unlike until unto up upon "
    "versus via with within without"
)
CONJUNCTIONS = word_set(
    "and or but nor so yet because although though while whereas if unless whether when whenever "
    "where wherever since until once that than as lest"
)
AUXILIARIES = word_set(
    "am is are was were be been being do does did doing done have has had having will would shall "
    "should can could may might must ought need dare"
)
NEGATIONS = word_set("not n't n’t no never neither nor none nobody nothing nowhere cannot without")
CLITICS = word_set("'s 're 've 'll 'd 'm n't ’s ’re ’ve ’ll ’d ’m n’t")
QUESTION_WORDS = word_set("who whom whose what which when where why how")

PRONOUNS: Mapping[str, Pronoun] = MappingProxyType(
    {
        "i": Pronoun(1, "singular"),
        "me": Pronoun(1, "singular"),
        "my": Pronoun(1, "singular", possessive=True),
        "mine": Pronoun(1, "singular", possessive=True),
        "myself": Pronoun(1, "singular", reflexive=True),
        "we": Pronoun(1, "plural"),
        "us": Pronoun(1, "plural"),
        "our": Pronoun(1, "plural", possessive=True),
        "ours": Pronoun(1, "plural", possessive=True),
        "ourselves": Pronoun(1, "plural", reflexive=True),
        "you": Pronoun(2),
        "your": Pronoun(2, possessive=True),
        "yours": Pronoun(2, possessive=True),
        "yourself": Pronoun(2, "singular", reflexive=True),
        "yourselves": Pronoun(2, "plural", reflexive=True),
        "he": Pronoun(3, "singular", "male"),
        "him": Pronoun(3, "singular", "male"),
        "his": Pronoun(3, "singular", "male", possessive=True),
        "himself": Pronoun(3, "singular", "male", reflexive=True),
        "she": Pronoun(3, "singular", "female"),
        "her": Pronoun(3, "singular", "female"),
        "hers": Pronoun(3, "singular", "female", possessive=True),
        "herself": Pronoun(3, "singular", "female", reflexive=True),
        "it": Pronoun(3, "singular", "neuter"),
        "its": Pronoun(3, "singular", "neuter", possessive=True),
        "itself": Pronoun(3, "singular", "neuter", reflexive=True),
        "they": Pronoun(3, "plural"),
        "them": Pronoun(3, "plural"),
        "'em": Pronoun(3, "plural"),
        "their": Pronoun(3, "plural", possessive=True),
        "theirs": Pronoun(3, "plural", possessive=True),
        "themselves": Pronoun(3, "plural", reflexive=True),
        "themself": Pronoun(3, "singular", reflexive=True),
    }
)
INDEFINITE_PRONOUNS = word_set(
    "anybody anyone anything everybody everyone everything nobody none nothing somebody someone "
    "something one oneself"
)

STOP_WORDS = (
    DETERMINERS
    | PREPOSITIONS
    | CONJUNCTIONS
    | AUXILIARIES
    | NEGATIONS
    | CLITICS
    | QUESTION_WORDS
    | INDEFINITE_PRONOUNS
    | frozenset(PRONOUNS)
    | word_set(
        "there here then thus hence also too very just only even still already again ever quite "
        "rather else however therefore moreover furthermore meanwhile instead otherwise indeed "
        "perhaps maybe own same other others s t re ve ll d m ca wo sha ai gon wan gonna wanna"
    )
)

_UNITS = _ordered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = _ordered("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINAL_UNITS = _ordered(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_ORDINAL_TENS = _ordered(
    "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
)

NUMBER_WORDS: Mapping[str, int] = MappingProxyType(
    {
        **{word: value for value, word in enumerate(_UNITS)},
        **{word: 20 + 10 * place for place, word in enumerate(_TENS)},
        **{
            f"{ten}-{unit}": 20 + 10 * place + value
            for place, ten in enumerate(_TENS)
            for value, unit in enumerate(_UNITS[1:10], 1)
        },
        "dozen": 12,
        "hundred": 100,
        "thousand": 1_000,
        "million": 1_000_000,
        "billion": 1_000_000_000,
        "trillion": 1_000_000_000_000,
    }
)
"""Cardinals as English writes them, "twenty-one" included."""

ORDINAL_WORDS: Mapping[str, int] = MappingProxyType(
    {
        **{word: value for value, word in enumerate(_ORDINAL_UNITS)},
        **{word: 20 + 10 * place for place, word in enumerate(_ORDINAL_TENS)},
        **{
            f"{ten}-{unit}": 20 + 10 * place + value
            for place, ten in enumerate(_TENS)
            for value, unit in enumerate(_ORDINAL_UNITS[1:10], 1)
        },
        "hundredth": 100,
        "thousandth": 1_000,
        "millionth": 1_000_000,
    }
)

_MONTHS = _ordered(
    "january february march april may june july august september october november december"
)
MONTHS: Mapping[str, int] = MappingProxyType(
    {
        **{word: number for number, word in enumerate(_MONTHS, 1)},
        **{f"{word[:3]}.": number for number, word in enumerate(_MONTHS, 1) if word != "may"},
        "sept.": 9,
    }
)
"""1 to 12, full names and abbreviations with their stop."""

_WEEKDAYS = _ordered("monday tuesday wednesday thursday friday saturday sunday")
WEEKDAYS: Mapping[str, int] = MappingProxyType(
    {
        **{word: number for number, word in enumerate(_WEEKDAYS)},
        **{f"{word[:3]}.": number for number, word in enumerate(_WEEKDAYS)},
        "tues.": 1,
        "thur.": 3,
        "thurs.": 3,
    }
)
"""Monday 0 to Sunday 6, as `datetime.date.weekday` counts."""

RELATIVE_DATES: Mapping[str, RelativeDate] = MappingProxyType(
    {
        "today": RelativeDate(0, "day"),
        "tonight": RelativeDate(0, "day"),
        "this morning": RelativeDate(0, "day"),
        "this afternoon": RelativeDate(0, "day"),
        "this evening": RelativeDate(0, "day"),
        "yesterday": RelativeDate(-1, "day"),
        "last night": RelativeDate(-1, "day"),
        "the day before yesterday": RelativeDate(-2, "day"),
        "tomorrow": RelativeDate(1, "day"),
        "the day after tomorrow": RelativeDate(2, "day"),
        "last week": RelativeDate(-1, "week"),
        "this week": RelativeDate(0, "week"),
        "next week": RelativeDate(1, "week"),
        "last month": RelativeDate(-1, "month"),
        "this month": RelativeDate(0, "month"),
        "next month": RelativeDate(1, "month"),
        "last year": RelativeDate(-1, "year"),
        "this year": RelativeDate(0, "year"),
        "next year": RelativeDate(1, "year"),
    }
)

MALE_TITLES = _phrases(
    "mr., mr, mister, sir, lord, king, prince, duke, baron, earl, father, fr., pope, sheikh, "
    "brother, messrs., emperor, señor, monsieur, herr"
)
FEMALE_TITLES = _phrases(
    "mrs., mrs, ms., ms, miss, madam, madame, mme., mlle., dame, lady, queen, princess, duchess, "
    "baroness, countess, sister, mother, empress, señora, frau"
)
TITLES = (
    MALE_TITLES
    | FEMALE_TITLES
    | _phrases(
        "dr., dr, prof., prof, rev., hon., st., mx., gen., lt., col., maj., capt., cpl., sgt., "
        "pvt., cmdr., comdr., adm., brig., sen., rep., gov., pres., supt., det., insp., amb., "
        "atty., sec., treas., msgr., br., sr., jr., esq., imam, rabbi, ph.d., m.d., lt. gen., "
        "maj. gen., brig. gen., lt. col., vice adm., rear adm., gen, lt, col, maj, capt, sgt, adm, "
        "sen, rep, gov"
    )
)
"""Forms of address, abbreviated or whole, that stand before (a few after) a person's name."""
MALE_NAMES = word_set(
    "aaron abdul abraham adam adolf adrian ahmed alan albert alberto alec alexander alfonso alfred "
    "allan alvin ambrose andre andreas andrew andy angus anthony antonio archibald arnold arthur "
    "barry bartholomew ben benedict benjamin bernard bert bob boris brad brandon brendan brian "
    "bruno bryan carl carlos cecil charles christopher clarence claude clement clifford clive "
    "colin conrad curtis cyril daniel darren dave david dennis derek diego dmitri dominic donald "
    "douglas duncan dwight eddie edgar edmund eduardo edward edwin elijah elmer emil emmanuel "
    "enrique eric ernest ethan eugene ezra felix ferdinand fernando floyd francesco francisco "
    "franz fred frederic frederick friedrich fritz gabriel gareth gary gavin geoffrey george "
    "gerald gerard gilbert giovanni giuseppe glenn graham greg gregory gunther gustav hans harold "
    "harry harvey hassan hector heinrich henri henry herbert herman horace hubert hugh hugo "
    "humphrey ian ibrahim igor isaac ivan jacob jacques jake james jason javier jeff jeffrey "
    "jeremy jerome jerry jim jimmy joachim joe joel johann johannes john johnny jonathan jorge "
    "joseph joshua juan jules julian julius karl keith kenneth kevin klaus kurt kyle lars laurence "
    "leo leon leonard leonardo leopold leroy lionel louis lucas ludwig luigi luis luke malcolm "
    "manuel marc marcel marco marcus mario martin marvin matthew maurice maximilian melvin michael "
    "miguel mike mikhail mohamed mohammed muhammad nathan nathaniel ned neil nicholas nigel "
    "nikolai noah norman oliver omar oscar oswald otto owen pablo patrick paul pedro percy pete "
    "peter phil philip philippe phillip pierre rafael ralph ramon randolph raphael raul raymond "
    "reginald ricardo richard robert roberto rodney rodrigo roger roland rolf ronald rudolf "
    "rudolph rupert salvador samuel sean sebastian sergei seth siegfried simon stanley stefan "
    "stephen steve steven stuart ted terence theodore thomas tim timothy toby todd tom tommy tony "
    "travis trevor ulrich umberto vernon vince vincent vladimir wallace walter wilfred wilhelm "
    "willem william willie winston wolfgang xavier yusuf zachary"
)
FEMALE_NAMES = word_set(
    "ada adele agatha agnes aisha alexandra alice alicia alison amanda amelia amy angela anita ann "
    "anna anne annie antonia audrey barbara beatrice bella bertha betty beverly brenda bridget "
    "camilla carla caroline catherine cecilia celia cheryl christina christine cindy claire clara "
    "claudia cora cynthia deborah debra diane dolores donna doris dorothy edith eileen elaine "
    "eleanor elena elisabeth eliza elizabeth ella ellen eloise elsa elsie emily emma erica erin "
    "esther ethel eva eve evelyn fatima fiona frances freda frieda gabriela gemma georgina "
    "gertrude gina gladys gloria greta gwen hannah harriet heidi helen helena helga henrietta "
    "hilda hillary ida ingrid irene irina isabel isabella jacqueline jane janet janice jasmine "
    "jeanne jenna jennifer jenny jessica jill joan joanna josephine joyce judith judy julia "
    "juliana julie juliet karen karin kate katherine kathleen kathryn kathy katie kimberly kirsten "
    "kristen kristin laura lauren leah lena lillian linda lisa liz lois lorraine louisa louise "
    "lucia lucille lucy lydia mabel madeleine maggie marcia margaret margarita marianne marilyn "
    "marjorie marlene martha mary matilda maud maureen megan melanie melissa michelle mildred "
    "millie minnie miranda miriam moira molly monica muriel myra myrtle nadia nancy naomi natalia "
    "natalie natasha nellie nicole nina nora norma olga olivia ophelia pamela patricia paula "
    "pauline penelope phoebe phyllis polly priscilla rachel rebecca renee rita roberta rosa "
    "rosalind rosemary rosie roxanne ruth sabrina sally samantha sandra sara sarah selma serena "
    "sharon sheila shirley sonia sophia sophie stella stephanie susan susanna suzanne sylvia "
    "tamara tanya tara teresa tessa thelma theresa tiffany tina ursula valerie vanessa vera verna "
    "veronica vivian wanda wendy wilma winifred yolanda yvonne zoe"
)
"""Given names that are hardly ever of the other sex, a place or a common word."""

ROLE_TITLES = _phrases(
    "president, vice president, president-elect, prime minister, deputy prime minister, premier, "
    "chancellor, minister, foreign minister, defense minister, defence minister, finance minister, "
    "interior minister, justice minister, secretary, secretary of state, army secretary, defense "
    "secretary, foreign secretary, home secretary, press secretary, treasury secretary, secretary "
    "general, secretary-general, undersecretary, deputy secretary, attorney general, solicitor "
    "general, surgeon general, district attorney, prosecutor, judge, justice, chief justice, "
    "magistrate, senator, representative, congressman, congresswoman, governor, lieutenant "
    "governor, mayor, councilman, councilwoman, councillor, alderman, commissioner, ambassador, "
    "envoy, consul, general, major general, brigadier general, lieutenant general, colonel, "
    "lieutenant colonel, major, captain, lieutenant, sergeant, corporal, private, admiral, "
    "commander, commodore, marshal, chief, police chief, fire chief, sheriff, deputy, officer, "
    "inspector, superintendent, detective, constable, trooper, agent, director, executive "
    "director, managing director, chairman, chairwoman, chairperson, chair, ceo, cfo, chief "
    "executive, chief executive officer, spokesman, spokeswoman, spokesperson, editor, professor, "
    "doctor, coach, head coach, manager, pope, cardinal, archbishop, bishop, reverend, pastor, "
    "speaker, house speaker, majority leader, minority leader, opposition leader, leader, first "
    "lady, first minister, king, queen, prince, princess, emperor, sultan, emir, ayatollah, czar, "
    "administrator, lawmaker, candidate, nominee, analyst, attorney, lawyer, actor, actress, "
    "singer, author, defender, striker, midfielder, goalkeeper, quarterback, pitcher"
)
"""Offices and occupations that stand before a name without an article: "President Obama"."""

ROLE_HEADS = frozenset(title.partition(" of ")[0].split()[-1] for title in ROLE_TITLES)
"""The nouns of those offices: "secretary" of "secretary of state", "minister"."""

NEVER_FINAL = word_set(
    "mr. mrs. ms. mx. messrs. mme. mlle. dr. drs. prof. rev. hon. gen. lt. col. maj. capt. cpl. "
    "sgt. cmdr. comdr. adm. brig. sen. sens. rep. reps. gov. govs. pres. supt. insp. amb. atty. "
    "msgr. vs. cf. e.g. i.e. eg. ie. viz. approx. mt. ft. incl. esp. resp. attn. a.k.a."
)
"""Abbreviations after which a sentence goes on, whatever the next word looks like."""

BEFORE_NUMBERS = word_set(
    "no. nos. nr. vol. vols. p. pp. fig. figs. eq. eqs. sec. ch. chap. art. ed. est. ca. c. b. d. "
    "tel. ext. para. pt. v. pl. apt. ver."
)
"""Abbreviations only where a number follows; elsewhere they may be words ("I said no.")."""

MAYBE_FINAL = word_set(
    "jr. sr. st. esq. inc. corp. co. cos. ltd. llc. plc. bros. assn. dept. univ. etc. al. u.s. "
    "u.k. u.n. u.s.a. e.u. d.c. n.y. l.a. a.m. p.m. a.d. b.c. b.c.e. c.e. ph.d. m.d. b.a. m.a. "
    "b.s. m.s. m.sc. b.sc. j.d. r.n. jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. "
    "mon. tue. tues. wed. thu. thur. thurs. fri. sat. sun. ave. blvd. rd. hwy. bldg. ala. ariz. "
    "ark. calif. colo. conn. del. fla. ga. ill. ind. kan. kans. ky. la. md. mass. mich. minn. "
    "miss. mo. mont. neb. nebr. nev. okla. ore. pa. penn. tenn. tex. va. vt. wash. wis. wyo. n.h. "
    "n.j. n.m. n.c. n.d. r.i. s.c. s.d. w.va. p.e.i. ont. que. oz. gal. lb. lbs. hr. hrs. mins. "
    "secs. yr. yrs. intl. natl. govt. mfg. mgr. asst. p.s. r.i.p. t.v. o.k. op. div. comp. trans. "
    "eng. pvt."
)
"""Abbreviations that may also be the last word of a sentence, where one stop does both jobs."""

CAPITALIZED_ABBREVIATIONS = word_set(
    "gen. col. maj. rep. reps. rev. hon. mt. ft. co. mar. jun. sep. dec. mon. wed. fri. sat. sun. "
    "ala. ark. conn. del. ill. ind. kan. la. mass. mich. miss. mo. mont. neb. ore. pa. penn. tex. "
    "va. wash. que. op. div. comp. trans. eng. pres. sr. ave. ga. md. ont. colo. cos. adm. ky."
)
"""Those that are words of their own, or nothing, in lower case ("he sat.")."""

REPORTING_VERBS = word_set(
    "say says said saying tell tells told telling report reports reported reporting announce "
    "announces announced announcing state states stated stating claim claims claimed claiming add "
    "adds added adding explain explains explained explaining note notes noted noting argue argues "
    "argued arguing confirm confirms confirmed confirming deny denies denied denying insist "
    "insists insisted insisting warn warns warned warning suggest suggests suggested suggesting "
    "admit admits admitted admitting allege alleges alleged alleging acknowledge acknowledges "
    "acknowledged acknowledging declare declares declared declaring predict predicts predicted "
    "predicting estimate estimates estimated estimating believe believes believed believing write "
    "writes wrote written quote quotes quoted remark remarks remarked reply replies replied "
    "respond responds responded recall recalls recalled conclude concludes concluded maintain "
    "maintains maintained assert asserts asserted emphasize emphasizes emphasized stress stresses "
    "stressed reveal reveals revealed disclose discloses disclosed mention mentions mentioned "
    "describe describes described testify testifies testified tweet tweets tweeted ask asks asked "
    "comment comments commented complain complains complained accord according"
)
