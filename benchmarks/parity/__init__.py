"""Parity with other programs and with earlier releases."""
