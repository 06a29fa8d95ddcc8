"""The official run: students hand in, the queue is graded, and they read the verdict minutes later."""
