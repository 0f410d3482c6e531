"""Nouns and box names that say what kind of thing a page is about."""

from __future__ import annotations

from tatian.knowledge.entities import Kind
from tatian.text.lexicon import word_set

PERSON = word_set(
    """
    abbot abolitionist academic accountant acrobat activist actor actress admiral adventurer
    adviser advisor advocate agriculturalist agronomist airman all-rounder ambassador anarchist
    anatomist anchor anchorman animator anthropologist antiquarian apologist apostle
    archaeologist archbishop archduchess archduke archer architect aristocrat artist assassin
    astrologer astronaut astronomer athlete author authoress autobiographer aviator
    bacteriologist baker ballerina bandleader banker baritone baron baroness baronet bassist
    bassoonist batsman billionaire biochemist biographer biologist biophysicist bishop blogger
    bodybuilder bodyguard bookseller boss botanist bowler boxer boy broadcaster broker brother
    builder bureaucrat businessman businessperson businesswoman caliph campaigner cardinal
    cardiologist caricaturist cartographer cartoonist celebrity cellist ceo chairman chairperson
    chancellor chef chemist chief chieftain child choreographer chronicler cinematographer
    clarinetist clergyman cleric climatologist climber clown co-founder coach collector colonel
    columnist comedian comedienne commander commentator commissioner communist composer
    comptroller conductor congressman congresswoman conqueror conquistador conservationist
    consort consul contralto convict cook cornerback cosmologist cosmonaut councillor counsel
    count countess courtesan courtier cousin cricketer criminal critic crusader cryptanalyst
    cryptographer curator cyclist czar dancer daughter dauphin deacon dean defender democrat
    demographer dentist deputy descendant designer detective diarist dictator diplomat director
    disciple dissident diver doctor dramatist driver druid drummer duchess duke earl
    ecclesiastic ecologist economist editor educationalist educator egyptologist elector
    embryologist emperor empress engineer engraver entertainer entomologist entrepreneur envoy
    epidemiologist essayist ethnographer ethnologist ethologist evangelist executive explorer
    farmer father feminist fencer figure film-maker filmmaker financier flautist flutist
    folklorist follower footballer forger founder friar frontman frontwoman gambler gangster
    gardener general geneticist geographer geologist geometer geophysicist girl goalkeeper
    golfer governor grammarian granddaughter grandson guerrilla guitarist guru gymnast harpist
    harpsichordist headmaster heir heiress hermit hero heroine herpetologist highwayman
    historian horticulturist host humanist humanitarian humorist humourist hunter hurdler
    husband hymnist illusionist illustrator imam immunologist impresario individual
    industrialist infielder instrumentalist intellectual inventor investigator investor jockey
    journalist judge jurist justice keyboardist khan king kingpin knight lama laureate lawman
    lawyer leader lecturer legislator lexicographer librarian librettist lieutenant linebacker
    linguist logician lord lyricist magician magistrate magnate maharaja major man manager
    margrave mariner marquess marquis marshal martyr master mathematician matriarch mayor
    mechanic medallist medievalist merchant metallurgist meteorologist mezzo-soprano
    microbiologist midfielder millionaire mineralogist minister missionary mistress mobster
    model monarch monk moralist mother mountaineer mp musician musicologist mystic narrator
    nationalist naturalist navigator neurologist neuroscientist neurosurgeon newscaster
    newsreader nobleman noblewoman notary novelist nun nurse nutritionist oboist occultist
    oceanographer officer official oncologist ophthalmologist optician orator orchestrator
    organist orientalist ornithologist orphan outfielder outlaw pacifist painter palaeontologist
    paleontologist pamphleteer parliamentarian partisan pastor pathologist patriarch patriot
    patron pediatrician penciller people percussionist performer person personality pharaoh
    pharmacist pharmacologist philanthropist philhellene philologist philosopher photographer
    photojournalist physician physicist physiologist physiotherapist pianist pilgrim pilot
    pioneer pirate pitcher planter player playmaker playwright poet poetess polemicist
    politician pollster polymath pope popularizer preacher premier presenter president priest
    priestess primatologist prince princess principal printer printmaker prioress prisoner
    privateer prodigy producer professor programmer promoter prophet prosecutor protester
    psychiatrist psychoanalyst psychologist publicist publisher puppeteer quarterback queen
    rabbi racer racewalker rapper rebel referee reformer regent reporter republican researcher
    restaurateur revolutionary revolutionist rhetorician robber rower ruler runner sage sailor
    saint samurai satirist saxophonist scholar scientist screenwriter scriptwriter sculptor
    sculptress seaman secretary seismologist senator settler shah shogun shooter showman singer
    singer-songwriter sinologist sister skateboarder skater skier slave sniper snowboarder
    socialist socialite sociologist soldier soloist son songwriter soprano speaker spy statesman
    stateswoman statistician stockbroker storyteller strategist striker student stuntman
    suffragette suffragist sultan surgeon surrealist surveyor swimmer swordsman tactician
    taxonomist teacher technician technologist televangelist tenor terrorist theologian
    theoretician theorist thinker toxicologist trader translator traveler traveller treasurer
    triathlete troubadour trumpeter tsar tsarina tutor tycoon typographer tyrant usurper
    vaudevillian vibraphonist vicar vice-president viceroy victim violinist violist virologist
    virtuoso viscount vizier vocalist volcanologist volleyballer warlord warrior weightlifter
    whistleblower wicketkeeper widow wife winemaker wizard woman wrestler writer yogi youtuber
    zionist zoologist
    """
)
LOCATION = word_set(
    """
    abbey aerodrome airfield airport alley amphitheatre archipelago area arena arrondissement
    atoll avenue bailiwick barangay barrio basin bay bayou beach bight borough boulevard bridge
    building caldera caliphate camp campus canal canton canyon cape capital castle cathedral
    cave cavern cemetery chapel château city city-state cityscape coast coastline colony
    commonwealth commune continent conurbation cordillera cottage country county courthouse cove
    crater creek dam delta democracy department dependency desert district dominion duchy dune
    electorate emirate empire enclave escarpment estate estuary exclave exurb fell fjord forest
    fort fortress freeway gardens geyser ghetto glacier glen gorge governorate grasslands gulf
    hamlet harbor harbour headland highlands highway hill hillfort hills hotel inlet island
    islands isle islet isthmus jail khanate kibbutz kingdom lagoon lake lakes landform landmark
    landmass lighthouse locality loch lowland mainland mansion marsh massif mausoleum megacity
    metropolis micronation microstate minster moat monarchy monastery monument moor moraine
    motorway mount mountain mountains municipality nation nation-state neighborhood
    neighbourhood oasis obelisk oblast observatory ocean outcrop outpost pagoda palace parish
    park parkway pass peak peninsula pier plain plains plateau plaza pond port powerplant
    prefecture principality prison promontory province pyramid quarter raion ranch range ravine
    realm reef region republic reserve reservoir resort ridge rift river rivers road ruins
    sanctuary sea seamount seaport settlement shipyard shire shore shrine site skyscraper slum
    sound spring square stadium state steppe strait straits stratovolcano stream street stupa
    subcontinent subregion suburb sultanate summit superpower tableland temple terminal
    territory thoroughfare tower town township trench tributary tunnel valley velodrome venue
    viaduct vilayet village voivodeship volcano wadi ward watercourse waterfall waterfalls
    waterway wetland wilderness woodland zone zoo
    """
)
ORGANISATION = word_set(
    """
    academy administration agency airforce airline airlines alliance army assembly association
    authority automaker bakery band bank battalion brewery brigade brokerage bureau business
    cabinet cartel chain charity choir club co-operative coalition college commission committee
    company confederation conglomerate consortium contractor cooperative corporation corps
    council court denomination distributor duo ensemble enterprise faction faculty federation
    firm firms fleet foundation franchise fraternity guild gymnasium hospital institute
    institution junta label laboratory league legislature library lobby lodge maker manufactory
    manufacturer militia ministry mission multinational museum navy network newspaper
    ngo operator orchestra organisation organization outfit paramilitary parliament partnership
    party police polytechnic press provider quartet quintet regiment regulator retailer school
    secretariat sect seminary senate society sorority squad studio subsidiary supermarket
    supplier symphony syndicate team theatre thinktank tribunal trio troupe trust university
    utility vendor watchdog
    """
)
CONCEPT = word_set(
    """
    accident accord acid act age agreement aircraft airplane album algorithm alloy alphabet
    amendment animal anime asteroid attack automobile award bacterium battle beer being belief
    beverage bird bone book branch breed browser campaign cancer car cell century championship
    character cheese class coin collection comet comic competition compound concept condition
    conflict constellation constitution creature crisis crusade crystal cup currency cyclone
    dance day deity device dialect dinosaur disaster discipline disease dish disorder doctrine
    drink drug earthquake effect election element encyclopedia energy engine enzyme equation era
    eruption event fabric family famine festival field film fire fish flag flood flower food
    form format fruit fuel function fungus galaxy game gas gemstone gene genre genus god goddess
    grass gun holiday honour hormone hurricane hypothesis idea ideology incident infection
    insect instrument isotope journal kind language law liquid locomotive machine magazine
    mammal manga manuscript massacre material measure medal medicine metal method mineral
    missile mixture molecule monster month moon motorcycle movement movie muscle musical nebula
    novel novella number opera order organ painting particle period phenomenon philosophy phrase
    phylum planet plant play poem policy polymer practice primate principle prize procedure
    process program programme property protein protocol quantity race rank rebellion religion
    reptile revolution rifle rock rocket rodent salt satellite science script sculpture season
    series set shark ship show siege single sitcom software song sort spacecraft species spirit
    sport star statue storm study style subfamily subject subspecies superfamily symbol symptom
    syndrome system tank technique technology term theorem theory tissue title tool tournament
    train treatment treaty tree type unit uprising vegetable vehicle videogame virus vitamin war
    weapon website whale wine word year
    """
)

_BOX_NAMES: dict[Kind, str] = {
    "person": (
        "academic, actor, architect, artist, astronaut, biography, boxer, chef, clergy, "
        "comedian, cricketer, criminal, cyclist, driver, economist, engineer, golfer, "
        "gymnast, journalist, judge, military person, model, monarch, musical artist, "
        "nobility, officeholder, person, philosopher, player, politician, pope, president, "
        "prime minister, racing driver, royalty, rugby biography, saint, scientist, senator, "
        "skater, sportsperson, swimmer, wrestler, writer"
    ),
    "location": (
        "airport, ancient site, body of water, bridge, building, castle, church, city, "
        "commune, continent, country, county, dam, district, former country, glacier, "
        "historic site, island, islands, lake, mountain, mountain range, municipality, park, "
        "place, protected area, province, religious building, river, road, sea, settlement, "
        "stadium, state, station, street, subdivision, town, valley, venue, village, volcano, "
        "world heritage site"
    ),
    "organisation": (
        "agency, airline, band, bank, brand company, broadcaster, club, college, company, "
        "court, football club, geopolitical organization, government agency, hospital, law "
        "enforcement agency, legislature, library, military unit, museum, national military, "
        "network, newspaper, nfl team, orchestra, organisation, organization, parliament, "
        "party, political party, publisher, radio station, record label, school, school "
        "district, sports league, sports team, team, television channel, union, university"
    ),
}
BOXES: dict[str, Kind] = {
    name: kind for kind, names in _BOX_NAMES.items() for name in names.split(", ")
}
"""How the name of an infobox ends, and what the things it describes are."""
