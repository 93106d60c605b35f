"""Aligners that any language can offer beside its own: SimAlign over a model that the user names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sema.alignment.relations import WordRelations
from sema.errors import ResourceError
from sema.model.links import Aligner

if TYPE_CHECKING:
    from sema.languages import AlignerFactory, RunOptions


def simalign_aligners(relations: Callable[[], WordRelations]) -> dict[str, AlignerFactory]:
    """``simalign`` (mutual nearest neighbours), ``simalign-itermax`` and ``simalign-mwmf``, by name.

    ``relations`` gives the language's word relations, which decide the links' kinds.
    """

    def factory(method: str) -> AlignerFactory:
        def build(options: RunOptions) -> Aligner:
            if options.model is None:
                raise ResourceError(
                    "SimAlign needs an encoder: --model FOLDER (a Hugging Face model and its tokenizer)"
                )
            from sema.alignment.simalign_backend import SimAlignAligner

            return SimAlignAligner(options.model, method, layer=options.layer, relations=relations())

        return build

    return {"simalign": factory("inter"), "simalign-itermax": factory("itermax"), "simalign-mwmf": factory("mwmf")}
