"""The database behind the workbench: SQLite in a file, or PostgreSQL by its URL."""
