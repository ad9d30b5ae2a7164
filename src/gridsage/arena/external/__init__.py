"""Agents that are not ours: each plays in a process of its own, behind walls, on a clock, over a line protocol."""
