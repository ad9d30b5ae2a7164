"""The Ricochet Robots room."""
