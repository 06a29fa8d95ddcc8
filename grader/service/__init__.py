"""The official run: students hand in, a queue is graded, and they have the verdict soon after."""
