"""Requests to the API, with their limits; unknown fields are refused, so that misspellings are noticed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sema.web.limits import CHARACTERS, METRICS, REFERENCES, SYSTEMS

LANG = "a code of GET /languages; of two, as en-to-es, where the outputs are in another language"
Lang = Annotated[str, Field(description=LANG, examples=["en"], max_length=40)]
Metrics = Annotated[
    list[str] | None,
    Field(description="names of GET /metrics; none: the defaults", examples=[["sema", "samsa"]], max_length=METRICS),
]
Text = Annotated[str, Field(max_length=CHARACTERS)]
Source = Annotated[Text, Field(examples=["John got home and gave Mary a call."])]
Output = Annotated[Text, Field(examples=["John got home. John gave Mary a call."])]
References = Annotated[list[Text], Field(max_length=REFERENCES)]
Level = Annotated[Literal["sentence", "passage"], Field(description="what an item is")]
Target = Annotated[
    Annotated[str, Field(max_length=40)] | float,
    Field(
        description="the level that the output should reach: A1 to C2, or a number (of HSK: 1 to 7)", examples=["A2"]
    ),
]


class Request(BaseModel):
    """A request about texts in one language."""

    model_config = ConfigDict(extra="forbid")
    lang: Lang


class ScoreRequest(Request):
    """One system's outputs for some sources."""

    sources: list[Source] = Field(min_length=1)
    outputs: list[Output | None] = Field(min_length=1, description="null: missing, left out")
    references: list[References] | None = Field(None, description="for each source its references")
    targets: list[Target | None] | None = Field(None, description="for each source the level to reach")
    metrics: Metrics = None
    level: Level = "sentence"


class ExplainRequest(Request):
    """One source, one output, their references and the level that the output should reach."""

    source: Source
    output: Output
    references: References | None = None
    target: Target | None = None
    metrics: Metrics = None
    level: Level = "sentence"


class ReadRequest(Request):
    """One source and its outputs, whose language and level are detected where they are not given."""

    source: Source
    outputs: list[Output] = Field([], max_length=SYSTEMS)
    lang: Lang = ""
    level: Level | None = None


class ShowRequest(ReadRequest):
    """One source and several outputs, for the page."""

    outputs: list[Output] = Field(min_length=1, max_length=SYSTEMS)
    references: References | None = None
    target: Target | None = None
    metrics: Metrics = None


class Detected(BaseModel):
    """The language of texts, whether they say it clearly (true if it was given), and what an item is."""

    lang: str
    name: str
    sure: bool
    level: Level


class Problem(BaseModel):
    """The error of a request, with advice."""

    detail: str
