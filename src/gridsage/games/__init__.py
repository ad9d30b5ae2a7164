"""The five rooms, one folder a game."""
