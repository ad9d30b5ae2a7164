"""Other people's interfaces to our games: Gymnasium, PettingZoo, OpenSpiel."""
