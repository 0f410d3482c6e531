"""Building a knowledge base: sources yield pages, the builder merges them into one file."""
