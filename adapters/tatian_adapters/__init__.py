"""Adapters of Tatian's local language model: `judge.gguf` and `union.gguf`."""
