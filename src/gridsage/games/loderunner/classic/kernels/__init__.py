"""Compiled code of the classic game: `ticks` plays, `ways` measures distances, `archive` searches."""
