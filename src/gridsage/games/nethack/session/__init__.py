"""The game's own process: the parent's end (client), the child program, the referee, and the `.des` compiler."""
