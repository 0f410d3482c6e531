"""Rule-based unions: a frame sentence absorbs what only the other sentence says."""
