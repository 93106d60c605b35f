"""``sema``, and ``python -m sema``: the command line, which handles Ctrl-C before it imports anything large."""

import sys

from sema.cli import signals


def main() -> int:
    """Run the command that the process was started with; returns its exit status."""
    try:
        signals.end_on_signals()
        from sema.cli.main import main as run

        return run()
    except KeyboardInterrupt:  # raised between two places that handle it
        signals.end()
        raise
    except MemoryError:  # while the command line is imported
        signals.end_full()
        raise


if __name__ == "__main__":
    sys.exit(main())
