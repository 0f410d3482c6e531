"""Users and permissions: passwords, sessions, roles and signed links."""
