"""The web server: pages, their API, and security."""
