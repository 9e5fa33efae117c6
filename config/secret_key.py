"""The key that signs sessions and links: given by a variable, or made once for one's own machine."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def local_key(data: Path) -> str:
    """The key in the data folder; made, readable by its owner only, when there is none yet."""
    path = data / "secret_key"
    data.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(handle, "w", encoding="ascii") as file:
        key = secrets.token_urlsafe(64)
        file.write(key)
    return key
