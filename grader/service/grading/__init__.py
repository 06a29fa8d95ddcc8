"""The grading process with its loop, and the supervisor that restarts it."""
