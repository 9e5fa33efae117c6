"""How the studio is configured and served: settings from variables, URLs, ASGI, Celery."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
