"""What evidence of a pair holds, for tests of what is shown of it."""

from typing import Any


def finding(kind: str, source: str, output: str, old: Any, new: Any, weight: float) -> dict[str, Any]:
    """A finding of these words, which are these tokens of the source and of the output."""
    return {
        "kind": kind, "source_text": source, "output_text": output, "source_tokens": [*old], "output_tokens": [*new],
        "weight": weight,
    }  # fmt: skip


def center(*tokens: int) -> dict[str, Any]:
    """A minimal center."""
    return {"tokens": list(tokens)}
