"""Searches over any pure Model; they know no game."""

from gridsage.search.alphabeta import AlphaBeta
from gridsage.search.astar import astar
from gridsage.search.beam import beam
from gridsage.search.bfs import bfs
from gridsage.search.dfs import dfs
from gridsage.search.ida import ida
from gridsage.search.mcts import TreeSearch
from gridsage.search.result import Found

__all__ = ["AlphaBeta", "Found", "TreeSearch", "astar", "beam", "bfs", "dfs", "ida"]
