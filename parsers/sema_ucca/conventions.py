"""The two conventions of UCCA that the English parser follows, by extractor name.

In the first one, that of the Wikipedia corpus and of the papers on SAMSA and SEMA, *old* in *the old bridge* and *his*
in *his ball* are plain Elaborators. In UCCA 2.0, that of the EWT corpus, they are Scenes of their own.
"""

from __future__ import annotations

PAPERS = "ucca"
UCCA2 = "ucca2"
CONVENTIONS = (PAPERS, UCCA2)
