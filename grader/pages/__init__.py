"""Results for people and for other tools; knows the model alone."""
