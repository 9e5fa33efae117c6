"""The Celery application of the workers, and the thread in each that sweeps and says the worker lives."""

import logging
import os
import socket
import threading
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from kombu.exceptions import KombuError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("worldwright")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["scenarios"])

SWEEP_SECONDS = 5
_stop = threading.Event()


@app.on_after_configure.connect
def _make_folders(sender: Celery, **_: Any) -> None:
    options = sender.conf.broker_transport_options
    for name in ("data_folder_in", "data_folder_out", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True)


@worker_ready.connect
def _begin_sweeping(sender: Any, **_: Any) -> None:
    queues = ",".join(sorted(queue.name for queue in sender.task_consumer.queues))
    name = f"{socket.gethostname()}-{os.getpid()}"
    threading.Thread(target=_sweep, args=(name, queues), name="sweeper", daemon=True).start()


@worker_shutting_down.connect
def _put_back(**_: Any) -> None:
    from scenarios.services.running import ENDING

    ENDING.set()


@worker_shutdown.connect
def _end_sweeping(**_: Any) -> None:
    _stop.set()


def _sweep(name: str, queues: str) -> None:
    from django.db import Error, close_old_connections

    from scenarios.services.jobs import sweep
    from scenarios.services.workers import forget, note_alive

    while True:
        try:
            note_alive(name=name, queues=queues)
            sweep()
        except (Error, OSError, KombuError):
            logging.getLogger(__name__).exception("A sweep failed; the next one follows.")
        finally:
            close_old_connections()
        if _stop.wait(SWEEP_SECONDS):
            forget(name=name)
            return
