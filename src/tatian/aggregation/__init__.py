"""What one phrase names this set of things? (The TESA task.)"""
