"""Coverage-guided fuzzing of all readers of students' bytes."""
