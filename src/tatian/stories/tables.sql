CREATE TABLE article (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    story INTEGER,
    day INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    terms BLOB NOT NULL,
    values_ BLOB NOT NULL,
    shingles BLOB NOT NULL,
    vector BLOB NOT NULL,
    text BLOB NOT NULL
);
CREATE INDEX by_story ON article (story);
