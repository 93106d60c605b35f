"""Scoring: ratings, speed, memory."""
