"""English lexical paraphrases from PPDB, laid over a lexicon that has none (:class:`ParaphraseLexicon`)."""

from sema_ppdb.lexicon import ParaphraseLexicon

__all__ = ["ParaphraseLexicon"]
