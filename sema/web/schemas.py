"""Requests and answers of the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sema.web.limits import Limits, TooMuch

LANG = "a code of GET /languages; of two, as en-to-es, where the outputs are in another language"
Lang = Annotated[str, Field(description=LANG, examples=["en"], max_length=40)]
Metrics = Annotated[
    list[str] | None, Field(description="names of GET /metrics; none: the defaults", examples=[["sema", "samsa"]])
]
Source = Annotated[str, Field(examples=["John got home and gave Mary a call."])]
Output = Annotated[str, Field(examples=["John got home. John gave Mary a call."])]
Level = Annotated[Literal["sentence", "passage"], Field(description="what an item is")]
Target = Annotated[
    Annotated[str, Field(max_length=40)] | float,
    Field(description="the level that the output should reach, A1 to C2 or a number", examples=["A2"]),
]


class Request(BaseModel):
    """A request; unknown fields are refused, so that misspellings are noticed."""

    model_config = ConfigDict(extra="forbid")
    lang: Lang


class ScoreRequest(Request):
    """One system's outputs for some sources."""

    sources: list[Source] = Field(min_length=1)
    outputs: list[Output | None] = Field(min_length=1, description="null: missing, left out")
    references: list[list[str]] | None = Field(None, description="for each source its references")
    targets: list[Target | None] | None = Field(None, description="for each source the level to reach")
    metrics: Metrics = None
    level: Level = "sentence"


class ExplainRequest(Request):
    """One source, one output, their references and the level that the output should reach."""

    source: Source
    output: Output
    references: list[str] | None = None
    target: Target | None = None
    metrics: Metrics = None
    level: Level = "sentence"


class ReadRequest(Request):
    """One source and its outputs, whose language and level are detected where they are not given."""

    source: Source
    outputs: list[Output] = []
    lang: Lang = ""
    level: Level | None = None


class ShowRequest(ReadRequest):
    """One source and several outputs, for the page."""

    outputs: list[Output] = Field(min_length=1)
    references: list[str] | None = None
    target: Target | None = None
    metrics: Metrics = None


Scoring = ScoreRequest | ExplainRequest | ShowRequest


class ScenesRequest(Request):
    """Texts to extract Scenes from."""

    texts: list[Source] = Field(min_length=1)


class AlignRequest(Request):
    """Sources and outputs to align."""

    sources: list[Source] = Field(min_length=1)
    outputs: list[Output] = Field(min_length=1)


class Detected(BaseModel):
    """The language of texts, whether they say it clearly (true if it was given), and what an item is."""

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


def check_limits(asked: Request, limits: Limits) -> None:
    """Refuse a request with too many or too long texts.

    Raises:
        TooMuch: names the limit.
    """
    given = {name: value for name, value in asked if value is not None}
    is_one = "source" in given
    sources = [given["source"]] if is_one else given.get("sources") or given["texts"]
    outputs = [given["output"]] if "output" in given else given.get("outputs", [])
    references = [given.get("references", [])] if is_one else given.get("references", [])
    items = 1 if is_one else max(map(len, (sources, outputs, references)))
    lengths = [len(text) for texts in (sources, outputs, *references) for text in texts if text is not None]
    files, split = "send at most {} at a time, or upload files as a job", "give at most {}, or split it into passages"
    for count, most, advice in (
        (len(given.get("metrics", [])), limits.metrics, "{} metrics; name at most {}"),
        (len(outputs) if is_one else 0, limits.systems, "{} outputs; give at most {}"),
        (items, limits.items, f"{{}} items; {files}"),
        (max(map(len, references), default=0), limits.references, f"{{}} references of an item; {files}"),
        (max(lengths, default=0), limits.characters, f"a text of {{}} characters; {split}"),
        (sum(lengths), limits.total, f"{{}} characters in all; {files}"),
    ):
        if count > most:
            raise TooMuch(advice.format(count, most))
