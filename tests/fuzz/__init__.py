"""Fuzzing: every reader, and the way from text to score."""
