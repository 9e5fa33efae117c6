"""The studio's settings for tests: local, with their data in a folder of their own. DATABASE_URL chooses PostgreSQL."""

import os
import tempfile
from pathlib import Path

_folder = Path(tempfile.mkdtemp(prefix="worldwright-studio-tests-"))
os.environ["WORLDWRIGHT_LOCAL"] = "1"
os.environ["WORLDWRIGHT_DATA"] = str(_folder)
os.environ["WORLDWRIGHT_SIGN_UP"] = "0"

from config.settings import *  # noqa: E402, F403 -- the variables come first

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_BROKER_URL = "memory://"
