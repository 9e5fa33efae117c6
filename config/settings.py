"""Every setting of the studio. Without a single variable they are safe for production; `.env.example` lists all.

``WORLDWRIGHT_LOCAL=1`` (set by ``make run``) is for one's own machine: plain HTTP, open sign-up, a key made there.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from csp.constants import NONCE, SELF
from django.utils.translation import gettext_lazy as _

from config.environment import database, env_flag, env_list, env_number, env_text
from config.secret_key import local_key

BASE_DIR = Path(__file__).resolve().parent.parent
LOCAL = env_flag("WORLDWRIGHT_LOCAL")
DATA = Path(env_text("WORLDWRIGHT_DATA") or BASE_DIR / "var").resolve()
"""Where everything the studio keeps lies: database, files, broker, logs."""

# -- Secrets and transport --------------------------------------------------------------------------------------------

DEBUG = False
_key = env_text("WORLDWRIGHT_SECRET_KEY") or (local_key(DATA) if LOCAL else "")
SECRET_KEY_GIVEN = bool(_key)
"""Whether there is a lasting key. Web and worker refuse to start without; checks and builds need none."""
SECRET_KEY = _key or secrets.token_urlsafe(64)
ALLOWED_HOSTS = env_list("WORLDWRIGHT_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = env_list("WORLDWRIGHT_ORIGINS")

SECURE_SSL_REDIRECT = not LOCAL
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 0 if LOCAL else 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not LOCAL
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not LOCAL
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
if env_flag("WORLDWRIGHT_BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": [SELF],
        "frame-src": [SELF],
        "frame-ancestors": ["'none'"],
    }
}

# -- The application --------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "accounts",
    "scenarios",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["template_partials.templatetags.partials"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "scenarios.navigation.navigation",
            ],
        },
    }
]
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# -- What is kept -----------------------------------------------------------------------------------------------------

DATABASES = {"default": database(env_text("DATABASE_URL"), DATA)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
_bucket = env_text("WORLDWRIGHT_S3_BUCKET")
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "content": (
        {
            "BACKEND": "storages.backends.s3.S3Storage",
            "OPTIONS": {
                "bucket_name": _bucket,
                "endpoint_url": env_text("WORLDWRIGHT_S3_ENDPOINT") or None,
                "region_name": env_text("WORLDWRIGHT_S3_REGION") or None,
                "access_key": env_text("WORLDWRIGHT_S3_ACCESS_KEY") or None,
                "secret_key": env_text("WORLDWRIGHT_S3_SECRET_KEY") or None,
                "default_acl": None,
                "file_overwrite": True,
            },
        }
        if _bucket
        else {
            "BACKEND": "scenarios.services.durable_storage.DurableStorage",
            "OPTIONS": {"location": str(DATA / "content")},
        }
    ),
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
CONTENT_CACHE = DATA / "cache"
CONTENT_CACHE_BYTES = env_number("WORLDWRIGHT_CACHE_MB", 4096) * 1024 * 1024

STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
if LOCAL:
    # No collecting on one's own machine: files are served from where they lie.
    STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    WHITENOISE_USE_FINDERS = True
    WHITENOISE_AUTOREFRESH = True

# -- People -----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "start"
LOGOUT_REDIRECT_URL = "sign_in"
SIGN_UP_OPEN = env_flag("WORLDWRIGHT_SIGN_UP", default=LOCAL)
SIGN_IN_ATTEMPTS = env_number("WORLDWRIGHT_SIGN_IN_ATTEMPTS", 10)
"""Failed sign-ins of one address, or for one name, within a quarter of an hour."""
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
EMAIL_BACKEND = f"django.core.mail.backends.{'console' if LOCAL else 'smtp'}.EmailBackend"
EMAIL_HOST = env_text("WORLDWRIGHT_EMAIL_HOST", "localhost")
EMAIL_PORT = env_number("WORLDWRIGHT_EMAIL_PORT", 25)
EMAIL_HOST_USER = env_text("WORLDWRIGHT_EMAIL_USER")
EMAIL_HOST_PASSWORD = env_text("WORLDWRIGHT_EMAIL_PASSWORD")
EMAIL_USE_TLS = env_flag("WORLDWRIGHT_EMAIL_TLS")
DEFAULT_FROM_EMAIL = env_text("WORLDWRIGHT_EMAIL_FROM", "worldwright@localhost")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# -- Background work --------------------------------------------------------------------------------------------------

_broker = env_text("WORLDWRIGHT_BROKER")
CELERY_BROKER_URL = _broker or "filesystem://localhost/"
if not _broker:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(DATA / "broker" / "messages"),
        "data_folder_out": str(DATA / "broker" / "messages"),
        "control_folder": str(DATA / "broker" / "control"),
        "store_processed": False,
    }
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "interactive"
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True

JOB_LEASE_SECONDS = env_number("WORLDWRIGHT_JOB_LEASE", 30)
JOB_ATTEMPTS = 3
JOB_MEMORY_BYTES = env_number("WORLDWRIGHT_JOB_MEMORY_MB", 4096) * 1024 * 1024
JOB_SECONDS = env_number("WORLDWRIGHT_JOB_SECONDS", 3600)

# -- Limits -----------------------------------------------------------------------------------------------------------

DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
WORKSPACE_ROWS = env_number("WORLDWRIGHT_WORKSPACE_ROWS", 5_000_000)
WORKSPACE_SCALE = env_number("WORLDWRIGHT_WORKSPACE_SCALE", 100)
WORKSPACE_BYTES = env_number("WORLDWRIGHT_WORKSPACE_MB", 20_480) * 1024 * 1024
WORKSPACE_JOBS = env_number("WORLDWRIGHT_WORKSPACE_JOBS", 4)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env_text("WORLDWRIGHT_LOG_LEVEL", "INFO")},
}
