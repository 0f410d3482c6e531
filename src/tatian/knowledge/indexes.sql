CREATE UNIQUE INDEX entities_by_title ON entities (title);
CREATE INDEX entities_by_wikidata ON entities (wikidata) WHERE wikidata != '';
CREATE INDEX entities_by_freebase ON entities (freebase) WHERE freebase != '';
CREATE UNIQUE INDEX terms_by_form ON terms (form);
CREATE INDEX terms_by_use ON terms (linked DESC, seen DESC);
CREATE INDEX senses_by_entity ON senses (entity);
