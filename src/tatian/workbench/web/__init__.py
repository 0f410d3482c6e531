"""The web server: pages, what their scripts ask for, and what keeps both safe."""
