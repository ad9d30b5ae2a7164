"""The compiled code of the room, one subject a file; `solver.py` is its public face.

slide       how robots move
bounds      lower bounds on the moves still needed
keys        a position as one integer
best_first  the search for a shortest solution
every       all shortest solutions
rating      the difficulty of every mission of a board
"""
