"""Text of others on its way to a terminal: what would command it is shown instead."""

from __future__ import annotations

import json

from sema.model.escapes import CONTROLS
from sema.model.escapes import visible as visible


def to_json(value: object) -> str:
    """The value as one line of JSON that a terminal can show: such characters are escaped as JSON has them."""
    plain = json.dumps(value, ensure_ascii=False)
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)
