"""Compiled code of the mine: the tick, and the searches over it."""
