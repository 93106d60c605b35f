"""Stanza's trained models without Stanza: their networks run by NumPy, in large batches.

Stanza's own Python (objects for each word, a tree decoder in Python, labels for every pair of words) and what it loads
(torch, transformers) take most of its time. This package reads the same weights and gives the same words, tags and
trees for models of one architecture: a tokenizer without character language model, a tagger with linear classifiers, a
graph parser; the lemma of a word is the word. :class:`~sema_ud.numpy_inference.files.Unsupported` says that a model is
of another kind, which is Stanza's own then.
"""
