"""Which submissions of a class share text, for people to read. It costs nobody a point."""
