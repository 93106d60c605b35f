"""Errors that a user can cause. Each is one sentence that names the place and says what to do."""

from __future__ import annotations

from os import PathLike


class SemaError(Exception):
    """Base of everything this project raises on purpose."""


class InputError(SemaError, ValueError):
    """Input that cannot be used; ``str()`` gives one line, ``FILE:LINE: message``.

    ``line`` is 1-based. Either part of the place may be unknown where the error arises and be filled in later.
    """

    def __init__(self, message: str, *, file: str | PathLike[str] | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.message = " ".join(message.split())
        self.file = None if file is None else str(file)
        self.line = line

    def __str__(self) -> str:
        place = [part for part in (self.file, None if self.line is None else str(self.line)) if part]
        if self.file is None and self.line is not None:
            place = [f"line {self.line}"]
        return ": ".join([":".join(place), self.message]) if place else self.message


class UnknownNameError(InputError):
    """A metric, language, extractor or aligner that is not installed; the message offers the nearest known name."""

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        import difflib

        near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
        super().__init__(f"unknown {what} {name!r}; {hint}")


class ResourceError(SemaError):
    """Something that must be installed or named by the user is missing (a model, an extra, a command)."""
