"""The properties and classes of Wikidata that a knowledge base keeps."""

from __future__ import annotations

from tatian.knowledge.entities import Kind

RELATIONS = {
    "P31": "type",
    "P279": "subclass of",
    "P106": "occupation",
    "P39": "position",
    "P27": "nationality",
    "P102": "party",
    "P108": "employer",
    "P69": "education",
    "P463": "member of",
    "P54": "team",
    "P641": "sport",
    "P101": "field",
    "P140": "religion",
    "P172": "ethnicity",
    "P19": "place of birth",
    "P20": "place of death",
    "P551": "residence",
    "P26": "spouse",
    "P3373": "sibling",
    "P166": "award",
    "P800": "notable work",
    "P1303": "instrument",
    "P17": "country",
    "P131": "located in",
    "P30": "continent",
    "P36": "capital",
    "P37": "official language",
    "P38": "currency",
    "P47": "borders",
    "P35": "head of state",
    "P6": "head of government",
    "P122": "form of government",
    "P452": "industry",
    "P159": "headquarters",
    "P112": "founded by",
    "P169": "chief executive",
    "P488": "chair",
    "P127": "owned by",
    "P749": "parent organisation",
    "P361": "part of",
    "P136": "genre",
    "P50": "author",
    "P57": "director",
    "P170": "creator",
    "P175": "performer",
    "P276": "location",
}
"""Property and the relation that a fact of it has, the most telling first."""

SINCE, UNTIL = ("P580", "P571"), ("P582", "P576")
"""Qualifiers that say from when and until when a statement holds."""

_CLASSES: dict[Kind, str] = {
    "person": "Q5",
    "location": (
        "Q515 Q1549591 Q6256 Q3624078 Q7275 Q35657 Q532 Q3957 Q486972 Q5119 Q1093829 Q15284 "
        "Q484170 Q747074 Q23442 Q4022 Q8502 Q46831 Q23397 Q165 Q9430 Q5107 Q82794 Q34442 "
        "Q41176 Q811979 Q12280 Q1248784 Q55488 Q483110 Q22698 Q46169 Q473972 Q3257686 Q123705 "
        "Q188509 Q2983893 Q10864048 Q13220204 Q15978299 Q107390 Q48091 Q1221156 Q47168 "
        "Q498162 Q1637706 Q3024240 Q28171280 Q56061 Q15642541 Q2221906 Q35509 Q33837 "
        "Q1402592 Q39816 Q8072 Q150784 Q185113 Q93352 Q40080 Q12323 Q16970 Q23413 Q24354 "
        "Q570116 Q1496967 Q7930989 Q1907114 Q174844 Q200250 Q902814 Q5084 Q13212489 Q194203 "
        "Q262166 Q42744322 Q50337 Q34876 Q1620908 Q133442 Q202435 Q6465"
    ),
    "organisation": (
        "Q43229 Q783794 Q4830453 Q6881511 Q891723 Q167037 Q163740 Q7278 Q3918 Q875538 "
        "Q3914 Q9826 Q38723 Q476028 Q12973014 Q847017 Q13393265 Q4438121 Q15944511 Q215380 "
        "Q5741069 Q245065 Q484652 Q327333 Q2659904 Q35749 Q11204 Q1616075 Q15265344 "
        "Q11032 Q22687 Q46970 Q2085381 Q31855 Q16917 Q7075 Q33506 Q176799 "
        "Q245016 Q37726 Q4508 Q17149090 Q178706 Q294163 Q207320 Q79913 Q157031 Q48204 Q178790 "
        "Q1320047 Q18127 Q149566 Q11446438 Q2088357 Q216337"
    ),
}
CLASSES: dict[str, Kind] = {
    name: kind for kind, names in _CLASSES.items() for name in names.split()
}
"""What an item is, by what it is an instance of: human, city, country, business ..."""

DISAMBIGUATION = frozenset(("Q4167410", "Q22808320", "Q101352", "Q202444"))
LISTS = frozenset(("Q13406463", "Q12139612"))
SKIPPED = frozenset(
    ("Q4167836", "Q11266439", "Q4663903", "Q15184295", "Q14204246", "Q17633526", "Q21286738")
)
"""Categories, templates, portals, modules, project pages, news articles: no things at all."""
