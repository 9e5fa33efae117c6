"""The Celery application of the workers."""

import os
from pathlib import Path

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("worldwright")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["scenarios"])


@app.on_after_configure.connect  # type: ignore[untyped-decorator]
def _make_folders(sender: Celery, **_: object) -> None:
    options = sender.conf.broker_transport_options
    for name in ("data_folder_in", "data_folder_out", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True)
