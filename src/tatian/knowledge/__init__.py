"""The knowledge base: entities, aliases, links, descriptions."""
