"""``tatian campaign``: annotation campaigns from the command line, on the server's database."""
