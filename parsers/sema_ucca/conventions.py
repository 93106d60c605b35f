"""The two conventions of UCCA that the English parser follows, by the names that an extractor goes by.

In the first one, that of the Wikipedia corpus and of the papers on SAMSA and SEMA, *old* in *the old bridge* and *his*
in *his ball* are plain Elaborators. UCCA 2.0, that of the EWT corpus, has Scenes of their own there.
"""

from __future__ import annotations

PAPERS = "ucca"
UCCA2 = "ucca2"
CONVENTIONS = (PAPERS, UCCA2)
