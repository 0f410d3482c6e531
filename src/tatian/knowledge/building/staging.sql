CREATE TABLE pages (number INTEGER PRIMARY KEY, title TEXT, wikidata TEXT, freebase TEXT,
    said BLOB);
CREATE TABLE redirects (title TEXT PRIMARY KEY, target TEXT) WITHOUT ROWID;
CREATE TABLE anchors (page INTEGER, target TEXT, form TEXT, count INTEGER);
CREATE TABLE listed (target TEXT, form TEXT);
CREATE TABLE seen (form TEXT, count INTEGER);
