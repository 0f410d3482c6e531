"""The web server: an API described by OpenAPI, pages, and what keeps both safe."""
