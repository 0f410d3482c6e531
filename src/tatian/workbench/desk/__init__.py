"""The desk: accounts are put in, woven, and the text changed by hand, every change a decision."""
