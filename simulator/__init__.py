"""Worldwright's engine: scenarios become worlds, tasks and scored episodes. Pure Python, no web framework."""
