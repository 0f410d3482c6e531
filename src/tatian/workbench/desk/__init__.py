"""The desk: people add sources, consolidate them, and change the text by decisions."""
