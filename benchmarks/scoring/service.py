"""How long requests take while the server is under a steady load of short pairs and long passages.

    python -m benchmarks.scoring.service [--minutes 10] [--rate 20] [--lang en]

`sema serve` runs in a process of its own. Requests are sent at fixed times, whether or not earlier ones are answered;
one in forty is a passage of 6 kB, all others are pairs of sentences, all with the default metrics and texts that the
server has not seen. A row for every tenth of the time has the median and the 95th percentile of the seconds of short
requests, the 95th percentile of passages, how many requests were refused, and the server's resident memory; the last
row has its memory half a minute after the load.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import numpy as np

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import numbered_pairs, passages

LONG_EVERY, LONG = 40, 6_000
STEPS = 10
IDLE = 30.0
WAITING = 64
"""The most requests under way at a time; the server refuses more than it can take."""
START, TIMEOUT = 120, 300
"""Seconds in which the server must be ready, and answer a request."""
DIGITS = {"short, median s": 3, "short, p95 s": 3, "long, p95 s": 1, "refused": 0, "resident MB": 0}


class Server:
    """`sema serve` on a free port, with the models of a language."""

    def __init__(self, lang: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "sema", "serve", "--quiet", "--port", str(self.port), "--load", lang]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def wait(self) -> None:
        """Return when it answers."""
        for _ in range(START):
            with suppress(OSError):
                self._answer("GET", "/health")
                return
            time.sleep(1)
        sys.exit("the server does not answer")

    def ask(self, body: bytes) -> float | None:
        """The seconds that a request takes; ``None`` if it is refused."""
        start = time.perf_counter()
        status, text = self._answer("POST", "/score", body)
        if status not in (200, 429):
            sys.exit(f"the server answers {status}: {text[:200]}")
        return time.perf_counter() - start if status == 200 else None

    def _answer(self, method: str, path: str, body: bytes | None = None) -> tuple[int, str]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)) as connection:
            connection.request(method, path, body, {"content-type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    @property
    def resident(self) -> float:
        """Its resident memory in MB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="utf-8").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def body(lang: str, number: int, short: Sequence[Sequence[str]], long: Sequence[str]) -> bytes:
    """The request with a number."""
    if number % LONG_EVERY:
        texts, level = [text[number] for text in short], "sentence"
    else:
        texts, level = [f"Report {number} says this. {text}" for text in long], "passage"
    return json.dumps({"lang": lang, "sources": texts[:1], "outputs": texts[1:], "level": level}).encode()


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=20, help="requests a second")
    parser.add_argument("--lang", default="en")
    arguments = parser.parse(argv)
    seconds, steps = (2.0, 1) if arguments.smoke else (60 * arguments.minutes, STEPS)
    each = LONG_EVERY * max(1, round(seconds * arguments.rate / steps / LONG_EVERY))
    short, long = numbered_pairs(each * steps, 0), passages(arguments.lang, LONG)
    rate = f"{arguments.rate:g} requests a second"
    table = Figures("runs.service", "tenth of the time", digits=DIGITS, aims={"short, p95 s": 0.3},
                    lower=("short, p95 s",), data=f"TurkCorpus tune, {rate} for {seconds / 60:g} minutes")  # fmt: skip
    server = Server(arguments.lang)
    try:
        server.wait()
        asked: list[Future[float | None]] = []
        resident = []
        with ThreadPoolExecutor(WAITING) as pool:
            start = time.perf_counter()
            for number in range(each * steps):
                time.sleep(max(0.0, start + number / arguments.rate - time.perf_counter()))
                asked.append(pool.submit(server.ask, body(arguments.lang, number, short, long)))
                if len(asked) % each == 0:
                    resident.append(server.resident)
        for step, memory in enumerate(resident):
            taken = [request.result() for request in asked[step * each : (step + 1) * each]]
            slow = [seconds for seconds in taken[::LONG_EVERY] if seconds is not None]
            quick = [t for number, t in enumerate(taken) if t is not None and number % LONG_EVERY]
            times = quantile(quick, 0.5), quantile(quick, 0.95), quantile(slow, 0.95)
            table.row(f"{step + 1}", dict(zip(DIGITS, (*times, taken.count(None), memory), strict=True)), n=each)
        time.sleep(0 if arguments.smoke else IDLE)
        table.row("afterwards", {**dict.fromkeys(DIGITS), "resident MB": server.resident})
    finally:
        server.process.terminate()
        server.process.wait()


def quantile(seconds: Sequence[float], share: float) -> float | None:
    """A quantile of requests' seconds; ``None`` without any."""
    return float(np.quantile(seconds, share)) if seconds else None


if __name__ == "__main__":
    run(main)
