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


def missing_package(name: str | None) -> ResourceError:
    """The error for a Python package that is not installed: names what to install, which works wherever we came from.

    A package that belongs to one of our extras is named with the others of that extra.
    """
    import re
    from importlib.metadata import PackageNotFoundError, requires

    try:
        declared = [re.match(r"([\w.-]+).*extra == ['\"](\w+)['\"]", line) for line in requires("sema-metrics") or []]
    except PackageNotFoundError:  # a checkout that is not installed
        declared = []
    needs = [(found[1], found[2]) for found in declared if found and found[2] not in ("all", "dev", "train", "bench")]
    extra = next((extra for package, extra in needs if package == name), None)
    packages = [package for package, of in needs if of == extra] if extra else [name or "it"]
    return ResourceError(f"the Python package {name!r} is missing: pip install {' '.join(packages)}")
