"""``python -m sema`` is the command ``sema``."""

import sys

from sema.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
