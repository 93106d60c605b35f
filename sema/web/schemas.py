"""Requests and answers of the API."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sema.web.limits import Limits

Lang = Annotated[str, Field(description="a code of GET /languages", examples=["en"], max_length=40)]
Metrics = Annotated[
    list[str] | None, Field(description="names of GET /metrics; none: the defaults", examples=[["sema", "samsa"]])
]
Level = Annotated[Literal["sentence", "passage"], Field(description="what an item is")]
Target = Annotated[
    Annotated[str, Field(max_length=40)] | float,
    Field(description="the level that the output should reach, A1 to C2 or a number", examples=["A2"]),
]


class Request(BaseModel, ABC):
    """A request; unknown fields are refused, so that misspellings are noticed."""

    model_config = ConfigDict(extra="forbid")

    @abstractmethod
    def texts(self) -> list[list[str]]:
        """All texts, list by list, for the limits."""


class ScoreRequest(Request):
    """One system's outputs for some sources."""

    lang: Lang
    sources: list[str] = Field(min_length=1, examples=[["John got home and gave Mary a call."]])
    outputs: list[str] = Field(min_length=1, examples=[["John got home. John gave Mary a call."]])
    references: list[list[str]] | None = Field(None, description="for each source its references")
    targets: list[Target | None] | None = Field(None, description="for each source the level to reach")
    metrics: Metrics = None
    level: Level = "sentence"

    def texts(self) -> list[list[str]]:
        """Sources, outputs, and each item's references."""
        return [self.sources, self.outputs, *(self.references or [])]


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

    def texts(self) -> list[list[str]]:
        """Source and output, and the references."""
        return [[self.source, self.output], self.references or []]


class ShowRequest(SourceRequest):
    """One source and several outputs, for the page."""

    outputs: list[str] = Field(min_length=1)

    def texts(self) -> list[list[str]]:
        """Source and outputs, and the references."""
        return [[self.source, *self.outputs], self.references or []]


class ScenesRequest(Request):
    """Texts to extract Scenes from."""

    lang: Lang
    texts_: list[str] = Field(alias="texts", min_length=1, examples=[["John got home and gave Mary a call."]])

    def texts(self) -> list[list[str]]:
        """The texts."""
        return [self.texts_]


class AlignRequest(Request):
    """Sources and outputs to align."""

    lang: Lang
    sources: list[str] = Field(min_length=1)
    outputs: list[str] = Field(min_length=1)

    def texts(self) -> list[list[str]]:
        """Sources and outputs."""
        return [self.sources, self.outputs]


class SystemScores(BaseModel):
    """A system's corpus scores; ``null`` where no item could be scored."""

    name: str
    scores: dict[str, float | None]


class PerItem(BaseModel):
    """An item's scores or error."""

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


class TooMuch(Exception):
    """A request beyond a limit; the text names the limit and gives advice."""


def check_limits(request: Request, limits: Limits) -> None:
    """Refuse a request with too many or too long texts.

    Raises:
        TooMuch: names the limit.
    """
    lists = request.texts()
    metrics = getattr(request, "metrics", None) or []
    if len(metrics) > limits.metrics:
        raise TooMuch(f"{len(metrics)} metrics; name at most {limits.metrics}")
    if isinstance(request, ShowRequest) and len(request.outputs) > limits.systems:
        raise TooMuch(f"{len(request.outputs)} outputs; give at most {limits.systems}")
    if len(getattr(request, "references", None) or []) > max(limits.items, limits.references):
        raise TooMuch(f"more than {limits.items} items; send fewer at a time, or upload files as a job")
    check_texts(lists, limits)


def check_texts(lists: Sequence[Sequence[str]], limits: Limits) -> None:
    """Refuse too many or too long texts; the first list is of items, every third and later one of references.

    Raises:
        TooMuch: names the limit.
    """
    for place, texts in enumerate(lists):
        most = limits.items if place < 2 else limits.references
        if len(texts) > most:
            what = "items" if place < 2 else "references of an item"
            raise TooMuch(f"{len(texts)} {what}; send at most {most} at a time, or upload files as a job")
        longest = max(map(len, texts), default=0)
        if longest > limits.characters:
            raise TooMuch(
                f"a text of {longest} characters; give at most {limits.characters}, or split it into passages"
            )
    total = sum(len(text) for texts in lists for text in texts)
    if total > limits.total:
        raise TooMuch(f"{total} characters in all; send at most {limits.total} at a time, or upload files as a job")
