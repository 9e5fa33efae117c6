"""What uvicorn serves. Refuses to start without a lasting secret key."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if not settings.SECRET_KEY_GIVEN:
    raise ImproperlyConfigured("Set WORLDWRIGHT_SECRET_KEY: a long random text that stays the same over restarts.")
application = get_asgi_application()
