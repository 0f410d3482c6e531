"""Making a knowledge base: sources give pages, the builder merges them into one file."""
