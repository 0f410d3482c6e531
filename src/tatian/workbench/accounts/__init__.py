"""Who may do what: passwords, sessions, roles and signed links."""
