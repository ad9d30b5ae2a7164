"""Two toy games, installed by entry points as a user would."""
