"""The table of the TSAR 2025 shared task for whole folders of runs."""
