"""How the studio is configured and served: settings from variables, URLs, ASGI, Celery."""
