"""English lexical paraphrases from PPDB, added to a lexicon that has none (:class:`ParaphraseLexicon`)."""

from sema_ppdb.lexicon import ParaphraseLexicon

__all__ = ["ParaphraseLexicon"]
