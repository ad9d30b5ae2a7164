"""The compiled code of the room, one subject per file; `solver` is its public face.

slide       how robots move
bounds      lower bounds on the moves still needed
pairs       a better bound, over pairs of helpers
keys        a position as one integer
opening     the children of a position
best_first  the search for a shortest solution
every       all shortest solutions
bent        the search on boards with deflectors
rating      the difficulty of every mission of a board
"""
