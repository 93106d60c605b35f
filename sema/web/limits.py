"""The server's limits, beyond which requests get a 4xx with advice; error messages without the server's paths."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.exceptions import HTTPException

CHARACTERS = 10_000  # of one text
REFERENCES = 20  # texts of one item
METRICS = 20  # of one request
SYSTEMS = 8  # outputs of one source, or files of one job


@dataclass(frozen=True)
class Limits:
    """The limits of a server."""

    body: int = 1_000_000  # bytes of a request
    upload: int = 20_000_000  # bytes of a request with files
    items: int = 200  # sources of one request (files have `job_items`)
    sending: float = 30.0  # seconds in which a request must be received
    seconds: float = 120.0  # how long a request may wait and work (a job has `job_seconds`)
    waiting: int = 16  # requests with little text in work or waiting
    waiting_long: int = 8  # requests with much text in work or waiting
    job_items: int = 10_000  # items of a job
    job_seconds: float = 3600.0  # seconds of a job's work
    jobs: int = 32  # jobs kept, finished or not; a new one replaces the oldest finished one
    jobs_waiting: int = 4  # unfinished jobs
    job_kept: float = 3600.0  # seconds after which a finished job is removed


class TooMuch(HTTPException):
    """A request beyond a limit; the text names the limit and gives advice."""

    def __init__(self, detail: str) -> None:
        super().__init__(413, detail)


class Busy(HTTPException):
    """Too many requests are waiting."""

    def __init__(self) -> None:
        super().__init__(429, "too many requests are waiting; try again in a few seconds", {"retry-after": "5"})


_FOLDER = re.compile(r"""(?<![\w:/\\.])(?:[A-Za-z]:|~)?[\\/](?:[^\s'"<>|:;,()\\/]+[\\/])+[^\s'"<>|:;,()\\/]*""")
HIDDEN = "the server's files"


def without_folders(message: str) -> str:
    """The message with every path of two or more parts replaced."""
    return _FOLDER.sub(HIDDEN, message)
