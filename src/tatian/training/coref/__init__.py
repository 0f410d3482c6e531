"""Training of the coreference resolver on top of the tokens body: data, model, run, export."""
