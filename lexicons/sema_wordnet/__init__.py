"""WordNet as a compact index: lemmas, synonyms and hypernyms for English and Chinese over one hypernym graph.

:class:`WordNetLexicon` answers from the index that ships in ``data/``; :mod:`sema_wordnet.build` makes the index from
WordNet's own files.
"""

from sema_wordnet.lexicon import ClassLimits, WordNetLexicon

__all__ = ["ClassLimits", "WordNetLexicon"]
