"""Training of what is English: the sentence boundary classifier and the word aligner (needs the extra ``train``).

``python -m sema_english.training.boundaries`` and ``python -m sema_english.training.alignment``.
"""
