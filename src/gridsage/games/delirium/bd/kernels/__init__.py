"""Compiled code of the Boulder Dash cave: its tick, its chances and the search over both."""
