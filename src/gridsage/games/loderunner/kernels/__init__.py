"""Compiled code of the room: `rounds` plays, `lookahead` searches."""
