"""Play games, many games, and say what the results mean."""
