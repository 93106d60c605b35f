"""``python -m sema_ucca.training``: see :mod:`sema_ucca.training.cli`."""

from __future__ import annotations

import sys

from sema_ucca.training.cli import main

if __name__ == "__main__":
    sys.exit(main())
