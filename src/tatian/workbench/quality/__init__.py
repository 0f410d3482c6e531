"""Quality of a campaign's answers, and decisions where people differ."""
