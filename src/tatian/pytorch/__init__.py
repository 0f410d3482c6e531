"""Models of a hub at run time, in PyTorch; nothing imports it at load. Needs the extra ``hub``."""
