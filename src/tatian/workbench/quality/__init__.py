"""How good the answers of a campaign are, and what is made of them where people differ."""
