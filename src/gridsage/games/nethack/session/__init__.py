"""The game's own process: our end (client), where it comes from (nursery, cradle), its program, the referee, `.des`."""
