"""Keeps traces and results on disk: an index anyone can query, and trace files named by their content."""

from gridsage.store.store import DIFFERS, NOT_CHECKABLE, VERIFIED, Check, Row, Store, default_home

__all__ = ["DIFFERS", "NOT_CHECKABLE", "VERIFIED", "Check", "Row", "Store", "default_home"]
