"""Showing results to people: tables and evidence in the terminal."""
