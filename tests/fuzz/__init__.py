"""Fuzzing: every reader, and the path from text to score."""
