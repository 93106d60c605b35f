"""SAMSA and SEMA: pure functions of the evidence of one source (or source sentence) against one output.

SAMSA: Sulem, Abend and Rappoport (NAACL 2018), section 4.2. SEMA: formulas 4 and 5 of its paper. Shares here are in
[0, 1], an output without sentences gives 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sema.model.evidence import Evidence


def sema(evidence: Evidence) -> float:
    """SEMA: the mean Scene score with partial credit for Participants, hyponymy links counted (formula 5)."""
    return evidence.mean(partial=True, hyponymy=True)


def sema_part(evidence: Evidence) -> float:
    """SEMA without hyponymy links."""
    return evidence.mean(partial=True, hyponymy=False)


def sema_base(evidence: Evidence) -> float:
    """SEMA without hyponymy links, Participants all or nothing (formula 4)."""
    return evidence.mean(partial=False, hyponymy=False)


def samsa_abl(evidence: Evidence) -> float:
    """SAMSA without the factor ``n_out / n_inp``; 0 for a source without Scenes or with fewer than output sentences."""
    if not evidence.has_scenes or len(evidence.scenes) < evidence.sentences:
        return 0.0
    return evidence.mean(partial=False, hyponymy=False)


def samsa(evidence: Evidence) -> float:
    """SAMSA: :func:`samsa_abl` times ``n_out / n_inp`` (section 4.2)."""
    if not evidence.scenes:
        return 0.0
    return samsa_abl(evidence) * evidence.sentences / len(evidence.scenes)


FAMILY: Mapping[str, Callable[[Evidence], float]] = MappingProxyType(
    {"sema": sema, "sema_part": sema_part, "sema_base": sema_base, "samsa": samsa, "samsa_abl": samsa_abl}
)
