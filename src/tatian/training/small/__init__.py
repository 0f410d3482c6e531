"""Training of the adapter with which a small language model writes unions."""
