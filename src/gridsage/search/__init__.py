"""Searches over any pure Model; they know no game."""
