"""Answers to appeals, from stored results: repeated gradings, and points by changed thresholds."""
