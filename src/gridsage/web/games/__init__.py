"""What the page's worker processes do: one file per conversation with a tab, all of them on one session."""
