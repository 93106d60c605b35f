"""Training of the English models: sentence boundaries, word aligner, levels, judges, readers (extra ``train``).

``python -m sema_english.training.boundaries`` and ``python -m sema_english.training.alignment``.
"""
