"""``sema``, and ``python -m sema``: the command line, which hears Ctrl-C before it imports anything large."""

import sys

from sema.cli import signals


def main() -> int:
    """Run the command that the process was started with; returns its exit status."""
    try:
        signals.end_on_signals()
        from sema.cli.main import main as run

        return run()
    except KeyboardInterrupt:  # between two of the places that hear it
        signals.end()
        raise


if __name__ == "__main__":
    sys.exit(main())
