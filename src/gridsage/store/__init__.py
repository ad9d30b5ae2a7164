"""Keeps traces and results on disk: an index anyone can query, and trace files named by their content."""

from gridsage.store.lines import LineName, Summary
from gridsage.store.queries import Kind, Lineup, Row, Sample, Selection, Wanted
from gridsage.store.store import DIFFERS, NOT_CHECKABLE, VERIFIED, Check, Store, default_home

__all__ = [
    "DIFFERS",
    "NOT_CHECKABLE",
    "VERIFIED",
    "Check",
    "Kind",
    "LineName",
    "Lineup",
    "Row",
    "Sample",
    "Selection",
    "Store",
    "Summary",
    "Wanted",
    "default_home",
]
