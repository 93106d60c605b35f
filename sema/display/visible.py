"""Foreign text for a terminal: control characters are shown as escapes."""

from __future__ import annotations

import json

from sema.model.text import CONTROLS
from sema.model.text import visible as visible


def to_json(value: object) -> str:
    """The value as one line of JSON with control characters escaped."""
    plain = json.dumps(value, ensure_ascii=False)
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)
