"""Copies the front-end files of scripts/frontend/package.json into static/vendor, and writes their manifest.

Needs npm, at development time only. ``--check`` needs nothing: it compares the files with the manifest's digests.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "scripts" / "frontend"
VENDOR = ROOT / "static" / "vendor"
MANIFEST = VENDOR / "vendor.json"

FILES = {
    "htmx.min.js": ("htmx.org", "dist/htmx.min.js"),
    "hx-sse.min.js": ("htmx.org", "dist/ext/hx-sse.min.js"),
    "LICENSES/htmx.txt": ("htmx.org", "LICENSE"),
    "tabler.min.css": ("@tabler/core", "dist/css/tabler.min.css"),
}
"""The package and the path in it of each vendored file."""

_SOURCE_MAP = re.compile(rb"\n?(?://# sourceMappingURL=[^\n]*|/\*# sourceMappingURL=.*?\*/)\s*$")


def vendor() -> None:
    """Install by npm, copy, and write the manifest."""
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=FRONTEND, check=True)
    manifest = {}
    for name, (package, source) in sorted(FILES.items()):
        folder = FRONTEND / "node_modules" / package
        described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        content = _SOURCE_MAP.sub(b"\n", (folder / source).read_bytes())
        target = VENDOR / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        manifest[name] = {
            "package": package,
            "version": described["version"],
            "licence": described["license"],
            "source": source,
            "sha256": hashlib.sha256(content).hexdigest(),
        }
    MANIFEST.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def differences() -> list[str]:
    """What of static/vendor is not as its manifest says."""
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    there = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.is_file() and path != MANIFEST}
    wrong = [f"{name} is not in vendor.json" for name in sorted(there - set(manifest))]
    wrong += [f"{name} is absent" for name in sorted(set(manifest) - there)]
    for name in sorted(there & set(manifest)):
        if hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() != manifest[name]["sha256"]:
            wrong.append(f"{name} differs from its sha256 in vendor.json")
    return wrong


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit("\n".join(differences()) or None)
    vendor()
