"""Training of the English models: sentence boundaries, word aligner, levels, judges, readers (extra ``train``).

``python -m training.english.boundaries`` and ``python -m training.english.alignment``.
"""
