"""Ctrl-C and SIGTERM in the command's own process, and full memory: one line on standard error and an exit status.

Both are handled before anything large is imported; ``signal`` with its enumerations is large, hence ``_signal``.
"""

import _signal as signal  # type: ignore[import-not-found]
import os

STOPPED = 130
MEMORY_IS_FULL = b"sema: the memory is full; score fewer items at a time, or use fewer workers\n"
heard = False  # whether a signal has raised `KeyboardInterrupt`
_line = b"sema: stopped\n"


def end_on_signals() -> None:
    """Make a signal print one line and end the process. Call it before any work begins, or when all of it is done."""
    _handle(end)


def raise_on_signals() -> None:
    """Make a signal raise ``KeyboardInterrupt``; the next one ends the process at once."""
    _handle(_raise)


def stopped() -> None:
    """Note that the one line has been printed."""
    global _line
    _line = b""
    eval("0")  # if the signal came inside an eval, Python would end by the signal and not with our status


def end(*_: object) -> None:
    """Print the line, if nothing has, and end the process."""
    try:
        os.write(2, _line)
    finally:
        os._exit(STOPPED)


def end_full() -> None:
    """Print that the memory is full, from bytes that are there, and end: Python cannot shut down without memory."""
    try:
        os.write(2, MEMORY_IS_FULL)
    finally:
        os._exit(1)


def _raise(*_: object) -> None:
    global heard
    heard = True
    end_on_signals()
    raise KeyboardInterrupt


def _handle(handler: object) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # a shell's background commands ignore Ctrl-C
            signal.signal(number, handler)
