CREATE TABLE pages (number INTEGER PRIMARY KEY, title TEXT, wikidata TEXT, freebase TEXT,
    content BLOB);
CREATE TABLE redirects (title TEXT PRIMARY KEY, target TEXT) WITHOUT ROWID;
CREATE TABLE anchors (page INTEGER, target TEXT, form TEXT, count INTEGER);
CREATE TABLE listed (target TEXT, form TEXT);
CREATE TABLE seen (form TEXT, count INTEGER);

-- Made of the pages once all sources are read.
CREATE TABLE titles (title TEXT PRIMARY KEY, page INTEGER) WITHOUT ROWID;
CREATE TABLE keys (key TEXT PRIMARY KEY, title TEXT, page INTEGER) WITHOUT ROWID;
CREATE TABLE led (title TEXT PRIMARY KEY, page INTEGER) WITHOUT ROWID;
CREATE TABLE members (entity INTEGER, page INTEGER, head INTEGER,
    PRIMARY KEY (entity, page)) WITHOUT ROWID;
CREATE TABLE resolved (title TEXT PRIMARY KEY, entity INTEGER, given INTEGER) WITHOUT ROWID;

-- Terms of the pages.
CREATE TABLE raw (form TEXT, entity INTEGER, count INTEGER, weight REAL);
CREATE TABLE ids (form TEXT PRIMARY KEY, id INTEGER) WITHOUT ROWID;
