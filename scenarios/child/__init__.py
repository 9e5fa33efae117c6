"""What runs in a job's own process: the engine, on files in a folder. Knows nothing of Django, database or storage.

``python -m scenarios.child FOLDER`` reads ``task.json`` and ``source/``, writes ``out/`` and ``result.json``, and tells
its progress as lines of JSON on standard output. It ends, with all its processes, when its standard input closes.
"""
