"""The Chinese parser."""
