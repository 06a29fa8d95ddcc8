"""The loop that grades what was handed in: a process of its own, and what watches over it."""
