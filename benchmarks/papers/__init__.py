"""Tables and examples of the papers, beside ours."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TABLES: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
"""Tables as printed, by paper and table."""
