"""What one sentence says everything these sentences say, once?"""
