"""The server's limits, beyond which requests get a 4xx with advice; error messages without the server's paths."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.exceptions import HTTPException


@dataclass(frozen=True)
class Limits:
    """The limits of a server."""

    body: int = 1_000_000  # bytes of a request
    upload: int = 20_000_000  # bytes of a request with files
    items: int = 200  # sources of one request (files have `job_items`)
    systems: int = 8  # outputs of one uploaded job
    references: int = 20  # reference texts of an item
    characters: int = 10_000  # of one text
    total: int = 200_000  # characters of all texts of a request
    metrics: int = 20  # of one request
    sending: float = 30.0  # seconds in which a request must be received
    seconds: float = 120.0  # how long a request may wait and work (a job has `job_seconds`)
    waiting: int = 16  # requests in work or waiting
    waiting_long: int = 8  # of these, requests with more text than one turn takes: short ones always find room
    job_items: int = 10_000  # items of a job
    job_seconds: float = 3600.0  # seconds of a job
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
