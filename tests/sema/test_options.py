"""Options: read off constructors, set by name, refused with the nearest name."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Literal

import pytest

from sema.cli.main import COMMANDS
from sema.errors import InputError, UsageError
from sema.features.alignment import AlignmentFeatures
from sema.features.wording import Lengths
from sema.metrics.registry import metric_factory
from sema.options import Settings, options_of, wants
from tests.cases import cases
from tests.commands import environment


class Part:
    def __init__(
        self,
        lexicon: object = None,
        *,
        depth: Annotated[int, "steps up"] = 3,
        share: float = 0.5,
        strict: bool = False,
        method: Literal["fast", "none"] | None = None,
        order: Literal["first", "last"] = "first",
        folder: Path | None = None,
    ) -> None:
        self.lexicon = lexicon
        self.given = (depth, share, strict, method, folder)


def test_options_are_the_keyword_arguments() -> None:
    options = options_of(Part)
    assert list(options) == ["depth", "share", "strict", "method", "order", "folder"]
    assert [str(option).rstrip(": ") for option in options.values()] == [
        "depth=int (default: 3): steps up", "share=float (default: 0.5)", "strict=yes|no (default: no)",
        "method=fast|none (default: not set)", "order=first|last (default: first)", "folder=Path (default: none)",
    ]  # fmt: skip
    assert wants(Part) == ("lexicon",)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, (3, 0.5, False, None, None)),
        ({"part.depth": "4", "part.strict": "yes"}, (4, 0.5, True, None, None)),
        ({"share": "0.25", "method": "none"}, (3, 0.25, False, "none", None)),
        ({"folder": "here"}, (3, 0.5, False, None, Path("here"))),
        ({"folder": "none"}, (3, 0.5, False, None, None)),
        ({"depth": 1, "part.depth": 2}, (2, 0.5, False, None, None)),
    ],
)
def test_values_come_as_text_or_as_what_they_are(values: dict[str, object], expected: tuple[object, ...]) -> None:
    settings = Settings(values)
    settings.check({"part": Part})
    made = settings.build("part", Part, lexicon="words", encoder="unused")
    assert (made.given, made.lexicon) == (expected, "words")


@cases("impossible_options")
def test_impossible_values_are_one_line(name: str, value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        settings = Settings({name: value})
        settings.check({"part": Part})
        settings.of("part", Part)
    assert str(caught.value).startswith(message)


def test_a_value_that_a_component_cannot_use_is_named() -> None:
    def part(*, depth: int = 0, folder: Path | None = None) -> list[str]:
        return [] if folder is None else folder.read_text().split()[:depth]

    for values in ({}, {"part.depth": 1}):
        assert Settings(values).build("part", part) == []
    with pytest.raises(UsageError, match=r"part.depth=2 and part.folder=nowhere cannot .*; give another"):
        Settings({"depth": 2, "part.folder": "nowhere"}).build("part", part)
    with pytest.raises(FileNotFoundError):  # not of the user's options
        Settings(defaults={"part.folder": "nowhere"}).build("part", part)


def test_descriptions_and_features_stay_where_python_drops_docstrings() -> None:
    program = (
        "from sema.cli.main import COMMANDS; from sema.features.alignment import AlignmentFeatures;"
        "from sema.features.wording import Lengths; from sema.metrics.registry import metric_factory;"
        "print(metric_factory('samsa').description, COMMANDS['score'].help.splitlines()[0], sep='|');"
        "print(AlignmentFeatures.features, Lengths.features)"
    )
    done = subprocess.run([sys.executable, "-OO", "-c", program], capture_output=True, text=True, env=environment())
    described = f"{metric_factory('samsa').description}|{COMMANDS['score'].help.splitlines()[0]}"
    assert done.stdout == f"{described}\n{AlignmentFeatures.features} {Lengths.features}\n"
    assert described.startswith("each Scene kept") and AlignmentFeatures.features and Lengths.features
