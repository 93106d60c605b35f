"""Requests and answers of the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sema.web.limits import Limits, TooMuch

Lang = Annotated[
    str,
    Field(
        description="a code of GET /languages; of two, as en-to-es, where the outputs are in another language",
        examples=["en"],
        max_length=40,
    ),
]
Metrics = Annotated[
    list[str] | None, Field(description="names of GET /metrics; none: the defaults", examples=[["sema", "samsa"]])
]
Level = Annotated[Literal["sentence", "passage"], Field(description="what an item is")]
Target = Annotated[
    Annotated[str, Field(max_length=40)] | float,
    Field(description="the level that the output should reach, A1 to C2 or a number", examples=["A2"]),
]


class Request(BaseModel):
    """A request; unknown fields are refused, so that misspellings are noticed."""

    model_config = ConfigDict(extra="forbid")


class ScoreRequest(Request):
    """One system's outputs for some sources."""

    lang: Lang
    sources: list[str] = Field(min_length=1, examples=[["John got home and gave Mary a call."]])
    outputs: list[str | None] = Field(
        min_length=1, examples=[["John got home. John gave Mary a call."]], description="null: missing, left out"
    )
    references: list[list[str]] | None = Field(None, description="for each source its references")
    targets: list[Target | None] | None = Field(None, description="for each source the level to reach")
    metrics: Metrics = None
    level: Level = "sentence"


class SourceRequest(Request):
    """One source, its references and the level that its outputs should reach."""

    lang: Lang
    source: str = Field(examples=["John got home and gave Mary a call."])
    references: list[str] | None = None
    target: Target | None = None
    metrics: Metrics = None
    level: Level = "sentence"


class ExplainRequest(SourceRequest):
    """One source and one output."""

    output: str = Field(examples=["John got home. John gave Mary a call."])


class ReadRequest(Request):
    """One source and its outputs, whose language and level are detected where they are not given."""

    source: str = Field(examples=["John got home and gave Mary a call."])
    outputs: list[str] = Field([], examples=[["John got home. John gave Mary a call."]])
    lang: Lang = ""
    level: Level | None = None


class ShowRequest(ReadRequest):
    """One source and several outputs, for the page."""

    outputs: list[str] = Field(min_length=1)
    references: list[str] | None = None
    target: Target | None = None
    metrics: Metrics = None


class ScenesRequest(Request):
    """Texts to extract Scenes from."""

    lang: Lang
    texts: list[str] = Field(min_length=1, examples=[["John got home and gave Mary a call."]])


class AlignRequest(Request):
    """Sources and outputs to align."""

    lang: Lang
    sources: list[str] = Field(min_length=1)
    outputs: list[str] = Field(min_length=1)


class Detected(BaseModel):
    """The language of texts, whether they say it clearly, and whether they are sentences or passages."""

    lang: str
    name: str
    sure: bool
    level: Level


class SystemScores(BaseModel):
    """A system's corpus scores (``null`` where no item has one), and by metric how many items have none."""

    name: str
    scores: dict[str, float | None]
    unscored: dict[str, int] | None = None


class PerItem(BaseModel):
    """An item's scores, ``null`` where there is none, and what failed."""

    item: int
    scores: dict[str, float | None]
    error: str | None = None


class ScoreAnswer(BaseModel):
    """The object that ``sema score --json`` prints, and the items' scores."""

    signature: str
    lang: str
    level: str
    items: int
    systems: list[SystemScores]
    per_item: list[PerItem]
    failed: list[dict[str, Any]] | None = None
    warnings: list[str] | None = None


class Problem(BaseModel):
    """The error of a request, with advice."""

    detail: str


Asked = ScoreRequest | ExplainRequest | ReadRequest | ShowRequest | ScenesRequest | AlignRequest


def check_limits(asked: Asked, limits: Limits) -> None:
    """Refuse a request with too many or too long texts.

    Raises:
        TooMuch: names the limit.
    """
    metrics = getattr(asked, "metrics", None) or []
    if len(metrics) > limits.metrics:
        raise TooMuch(f"{len(metrics)} metrics; name at most {limits.metrics}")
    if isinstance(asked, ReadRequest) and len(asked.outputs) > limits.systems:
        raise TooMuch(f"{len(asked.outputs)} outputs; give at most {limits.systems}")
    items, references = _texts(asked)
    if len(references) > limits.items:
        raise TooMuch(f"more than {limits.items} items; send fewer at a time, or upload files as a job")
    for lists, what, most in ((items, "items", limits.items), (references, "references of an item", limits.references)):
        if (count := max(map(len, lists), default=0)) > most:
            raise TooMuch(f"{count} {what}; send at most {most} at a time, or upload files as a job")
    lengths = [len(text) for texts in (*items, *references) for text in texts if text is not None]
    if (longest := max(lengths, default=0)) > limits.characters:
        raise TooMuch(f"a text of {longest} characters; give at most {limits.characters}, or split it into passages")
    if (total := sum(lengths)) > limits.total:
        raise TooMuch(f"{total} characters in all; send at most {limits.total} at a time, or upload files as a job")


def _texts(asked: Asked) -> tuple[list[Sequence[str | None]], list[list[str]]]:
    """Lists of as many texts as there are items, and the references of each item."""
    match asked:
        case ScoreRequest():
            return [asked.sources, asked.outputs], asked.references or []
        case ExplainRequest():
            return [[asked.source], [asked.output]], [asked.references or []]
        case ReadRequest():
            given = [getattr(asked, "references", None) or []]
            return [[asked.source], *([output] for output in asked.outputs)], given
        case AlignRequest():
            return [asked.sources, asked.outputs], []
        case ScenesRequest():
            return [asked.texts], []
