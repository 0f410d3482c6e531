"""Training of the mention linker: boosted trees over the features of phrases and pages."""
