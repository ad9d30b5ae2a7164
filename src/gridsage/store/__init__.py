"""Keeps traces and results on disk: an index anyone can query, and trace files named by their content."""

from gridsage.store.store import Row, Store, default_home

__all__ = ["Row", "Store", "default_home"]
