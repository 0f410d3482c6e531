"""The trained resolver: word-level antecedent ranking on the shipped encoder."""

from __future__ import annotations
