"""Who may do what: passwords, sessions, tokens, roles and signed links."""
