"""Choosing and tuning by a metric."""
