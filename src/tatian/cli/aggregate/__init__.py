"""``tatian aggregate``: what one phrase names this set of things, in this text?"""
