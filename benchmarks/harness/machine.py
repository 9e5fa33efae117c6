"""The machine and the versions a measurement belongs to."""

from __future__ import annotations

import os
import platform
import sqlite3
from pathlib import Path

import apsw

from simulator import __version__


def machine() -> dict[str, str]:
    """Processor, cores, system, Python and SQLite, as text."""
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "sqlite": f"{apsw.sqlite_lib_version()} (apsw {apsw.apsw_version()}); sqlite3 has {sqlite3.sqlite_version}",
        "worldwright": __version__,
        "load": f"{os.getloadavg()[0]:.1f}",
    }


def resident() -> dict[str, int]:
    """Bytes of this process in memory: all, and those that no file backs. Empty where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return {}
    fields = (line.split() for line in status.read_text().splitlines() if line.startswith(("VmRSS", "RssAnon")))
    return {name.rstrip(":"): int(kilobytes) * 1024 for name, kilobytes, _ in fields}


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
