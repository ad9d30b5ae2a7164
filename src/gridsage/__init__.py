"""gridsage: an arena for game AI on grids."""

__version__ = "0.1.0"
