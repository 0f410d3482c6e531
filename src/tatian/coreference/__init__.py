"""Which phrases talk about the same thing? (The MUC-6 definition.)"""
