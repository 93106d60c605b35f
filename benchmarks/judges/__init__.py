"""Learned scores: agreement with people, and behaviour on texts with errors."""
