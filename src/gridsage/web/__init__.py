"""The page: play, watch and replay in a browser."""
