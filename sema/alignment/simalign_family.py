"""SimAlign aligners for any language, with a model that the user names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from sema.alignment.relations import WordRelations
from sema.errors import ResourceError
from sema.model.language import Factory
from sema.model.lexicon import Lexicon
from sema.model.links import Aligner


def simalign_aligners(relations: Callable[[Lexicon | None], WordRelations]) -> dict[str, Factory[Aligner]]:
    """``simalign`` (mutual nearest neighbours), ``simalign-itermax`` and ``simalign-mwmf``, by name.

    ``relations`` gives the language's word relations over its lexicon; they decide the links' kinds.
    """

    def factory(method: str) -> Factory[Aligner]:
        def build(
            *,
            lexicon: Lexicon | None = None,
            model: Annotated[str | None, "folder of a Hugging Face encoder with its tokenizer; must be given"] = None,
            layer: Annotated[int, "hidden layer to take, from 0 (the embeddings) on"] = 8,
            threads: Annotated[int | None, "threads of the encoder; none: one"] = None,
        ) -> Aligner:
            if model is None:
                raise ResourceError("SimAlign needs the option model: the folder of a Hugging Face model and tokenizer")
            from sema.alignment.simalign_backend import SimAlignAligner

            return SimAlignAligner(model, method, layer=layer, relations=relations(lexicon), threads=threads)

        return build

    return {"simalign": factory("inter"), "simalign-itermax": factory("itermax"), "simalign-mwmf": factory("mwmf")}
