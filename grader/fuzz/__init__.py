"""Coverage-guided fuzzing of whatever reads bytes that a student made."""
