"""Frames as pictures: vectors, pixels and films, drawn from the same data as the page's boards."""
