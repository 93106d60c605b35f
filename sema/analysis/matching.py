"""Matching Scenes to output sentences: the map M* of SAMSA (Sulem et al., NAACL 2018, section 4.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sema.model.scene_graph import Scene

SIGNATURE = "v2"
"""The rules of matching. By ``v1`` a Scene without a sentence scored 0 altogether, and a sentence of a passage with as
many Scenes as the output has sentences was matched one to one."""


def match_scenes(
    scenes: Sequence[Scene], linked: Sequence[Collection[int]], *, one_to_one: bool = True
) -> list[int | None]:
    """Give each Scene the output sentence that holds most of its leaves.

    ``linked[s]`` holds the source tokens that some link other than hyponymy ties to output sentence ``s``. Scenes are
    taken in the order given; ties go to the earlier sentence. With as many Scenes as sentences a sentence is given
    once only, unless ``one_to_one`` is off (a passage's sentences against the whole output: SEMA, section 4.2);
    otherwise the map is many-to-one. A Scene none of whose leaves is linked stays unmatched (``None``) and
    uses up no sentence.
    """
    exclusive = one_to_one and len(scenes) == len(linked)
    free = list(range(len(linked)))
    matched: list[int | None] = []
    for scene in scenes:
        best, best_score = None, 0
        for sentence in free:
            found = linked[sentence]
            if not found:
                continue
            score = sum(1 for leaf in scene.leaves if leaf in found)
            if score > best_score:
                best, best_score = sentence, score
        matched.append(best)
        if exclusive and best is not None:
            free.remove(best)
    return matched
