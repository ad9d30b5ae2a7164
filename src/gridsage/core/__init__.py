"""The shared words: Game, Model, Agent, Trace, Frame, errors, @kernel."""
