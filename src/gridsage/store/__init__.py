"""Keeps traces and results on disk."""
