"""Training of what tells what: how much of a sentence others tell, and which of its words."""
