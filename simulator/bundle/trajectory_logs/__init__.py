"""Trajectories as the logs of other tools: Inspect's ``.eval`` files, and ATIF, Harbor's format. For looking at.

``python -m simulator.bundle.trajectory_logs FOLDER --format inspect --out DIR`` writes them. No framework is imported.
"""

from simulator.bundle.trajectory_logs.atif import atif_of
from simulator.bundle.trajectory_logs.inspect_log import inspect_log_of
from simulator.bundle.trajectory_logs.writing import LOG_FORMATS, LogFormat, write_logs

__all__ = ["LOG_FORMATS", "LogFormat", "atif_of", "inspect_log_of", "write_logs"]
