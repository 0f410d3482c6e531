"""How the shipped weights of the analysis are made; needs PyTorch, and nothing else imports it."""
