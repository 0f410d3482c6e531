"""Unions by a language model on this machine: the base of the local judge, another adapter."""
