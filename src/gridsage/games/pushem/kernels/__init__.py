"""Compiled code of Push'em All: boards and cards, the turn in small actions, whole turns, and the master's search."""
