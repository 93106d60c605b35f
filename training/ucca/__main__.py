"""``python -m training.ucca``: see :mod:`training.ucca.cli`."""

from __future__ import annotations

import sys

from training.ucca.cli import main

if __name__ == "__main__":
    sys.exit(main())
