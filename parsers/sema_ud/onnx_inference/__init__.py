"""Stanza's trained models without Stanza: their networks as ONNX graphs, run in large batches.

Stanza's own Python (objects for each word, a tree decoder in Python, labels for every pair of words) and what it loads
(torch, transformers) take most of its time. A package that ships models ships them as ``training/ud/packing.py`` writes
them: the four graphs of ``training/ud/networks.py``, whose matrices are in whole numbers of 8 bits, ``dictionary.npz``
with the words that the tokenizer knows and their vectors, and ``models.json`` with vocabularies and options. The words,
tags and trees are Stanza's own. Networks in NumPy gave the same trees in more time
(``parsers/sema_chinese/weights/zh-hans/MODEL_CARD.md``).
"""
