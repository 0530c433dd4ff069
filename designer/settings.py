"""Settings of the site: every one has a safe default and can be given in the environment.

docs/operations.md lists the variables. Nothing here needs editing to run Keywright on a laptop or in a
container.
"""

import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from designer import logs

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value not in {"", "0", "1", "false", "true", "no", "yes", "off", "on"}:
        raise ImproperlyConfigured(f"{name} is {value!r}; write 1 or 0.")
    return value in {"1", "true", "yes", "on"}


def _words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def _kept_secret(path: Path) -> str:
    """The secret in this file; made on first use, readable by its owner only."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="ascii")
        try:
            # Unlike a rename, a link never replaces: of two processes that start at once, one wins.
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()


def _database(url: str) -> dict[str, Any]:
    """Django's description of the database behind `sqlite:///PATH` or `postgres://...`."""
    parts = urlsplit(url)
    name = unquote(parts.path.removeprefix("/"))
    if parts.scheme == "sqlite":
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": name,
            "OPTIONS": {
                # Readers never wait for the writer, and a crash loses nothing already committed.
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
                # SQLite has no row locks: a transaction that will write must say so at its start,
                # or two of them can read the same state and the second one fails.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
            },
        }
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": name,
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            # A host that is gone says nothing: without a limit it is waited for for minutes.
            "OPTIONS": {"connect_timeout": "5", **dict(parse_qsl(parts.query))},
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            # Behind PgBouncer in transaction mode, the next query may be another connection's. Django prepares no
            # statements by itself, and PgBouncer keeps the time zone for each client.
            "DISABLE_SERVER_SIDE_CURSORS": True,
        }
    raise ImproperlyConfigured(
        f"DATABASE_URL starts with {parts.scheme!r}; write sqlite:///PATH or"
        " postgres://USER:PASSWORD@HOST/NAME."
    )


def _number(name: str, default: int, least: int = 1) -> int:
    value = os.environ.get(name, "").strip() or str(default)
    if not value.isdecimal() or int(value) < least:
        raise ImproperlyConfigured(f"{name} is {value!r}; write a whole number from {least} on.")
    return int(value)


MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


def _mail_server(url: str) -> SplitResult:
    """The parts of `smtp://USER:PASSWORD@HOST:PORT`, or of nothing."""
    parts = urlsplit(url)
    if url and (parts.scheme not in MAIL_PORTS or not parts.hostname):
        raise ImproperlyConfigured(
            f"KEYWRIGHT_MAIL_URL starts with {parts.scheme!r}; write smtp+tls://USER:PASSWORD@HOST:PORT"
            " (STARTTLS), smtps:// (TLS from the start) or smtp:// (neither)."
        )
    return parts


# Where things are kept ---------------------------------------------------------------------------

DATA_DIR = Path(os.environ.get("KEYWRIGHT_DATA_DIR") or BASE_DIR / "var").absolute()
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
if DATA_DIR == BASE_DIR / "var":
    # An earlier version made it for all to read. A folder that was given is its owner's matter.
    DATA_DIR.chmod(0o700)

DATABASES = {
    "default": _database(
        os.environ.get("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'keywright.sqlite3'}"
    )
}

# Who may reach the site, and how -----------------------------------------------------------------

IS_SECRET_GIVEN = bool(os.environ.get("KEYWRIGHT_SECRET_KEY"))
SECRET_KEY = os.environ.get("KEYWRIGHT_SECRET_KEY") or _kept_secret(DATA_DIR / "secret-key")
DEBUG = _flag("KEYWRIGHT_DEBUG")
ALLOWED_HOSTS = _words("KEYWRIGHT_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = _words("KEYWRIGHT_TRUSTED_ORIGINS")

# Where people find the site, for links in letters: `https://keywright.example.com`.
SITE_URL = os.environ.get("KEYWRIGHT_SITE_URL", "").strip().rstrip("/")
if SITE_URL and not (urlsplit(SITE_URL).scheme in {"http", "https"} and urlsplit(SITE_URL).netloc):
    raise ImproperlyConfigured(
        f"KEYWRIGHT_SITE_URL is {SITE_URL!r}; write where people find the site, like https://keywright.example.com."
    )

# "Behind a proxy that speaks HTTPS, sets X-Forwarded-Proto itself and sets or extends X-Forwarded-For."
# Never say so without such a proxy: anyone could then pretend to have come over HTTPS, or from elsewhere.
HTTPS = _flag("KEYWRIGHT_HTTPS")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = int(timedelta(days=30).total_seconds()) if HTTPS else 0
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
# Subdomains and browsers' preload lists are for the owner of the domain to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# No inline script or style anywhere, so no nonces either.
CONTENT_SECURITY_POLICY = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
}

# The site's parts --------------------------------------------------------------------------------

INSTALLED_APPS = [
    "designer",
    "projects",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    # Before staticfiles, so that `runserver` too leaves static files to WhiteNoise.
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "axes",
]

MIDDLEWARE = [
    # Around all others: it counts and logs what they answer, too.
    "designer.watch.watched",
    # Before what asks for HTTPS and for a host that is known.
    "designer.health.probes",
    "django.middleware.security.SecurityMiddleware",
    "designer.middleware.security_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Before anything is asked about a request that is not answered.
    "projects.turned_away.turned_away",
    # Pages of large designs; static files, above, are compressed already.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "designer.middleware.RefuseNull",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "projects.sessions.noted",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "projects.shares.noted",
    "projects.refused.Refusing",
    "projects.throttle.Throttling",
]

ROOT_URLCONF = "designer.urls"
WSGI_APPLICATION = "designer.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# People ------------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "designs"
LOGOUT_REDIRECT_URL = "landing"

# "open", "invited" (whoever opens an invitation into a team), or "closed".
SIGN_UP = os.environ.get("KEYWRIGHT_SIGN_UP", "").strip() or "open"
if SIGN_UP not in {"open", "invited", "closed"}:
    raise ImproperlyConfigured(f"KEYWRIGHT_SIGN_UP is {SIGN_UP!r}; write open, invited or closed.")
# Given, an account begins with a letter to an address of one of these domains.
SIGN_UP_DOMAINS = [each.removeprefix("@").lower() for each in _words("KEYWRIGHT_SIGN_UP_DOMAINS")]
# Single sign-on: the issuer of an OpenID Connect provider, and what it calls this site.
OIDC_ISSUER = os.environ.get("KEYWRIGHT_OIDC_ISSUER", "").strip()
OIDC_CLIENT_ID = os.environ.get("KEYWRIGHT_OIDC_CLIENT_ID", "").strip()
OIDC_CLIENT_SECRET = os.environ.get("KEYWRIGHT_OIDC_CLIENT_SECRET", "").strip()
OIDC_NAME = os.environ.get("KEYWRIGHT_OIDC_NAME", "").strip() or "single sign-on"
if OIDC_ISSUER and not OIDC_CLIENT_ID:
    raise ImproperlyConfigured("KEYWRIGHT_OIDC_ISSUER needs KEYWRIGHT_OIDC_CLIENT_ID beside it.")
PASSWORD_RESET_TIMEOUT = int(timedelta(days=1).total_seconds())

# Ten wrong passwords for one name from one address, then a quarter of an hour's rest.
AXES_CLIENT_IP_CALLABLE = "projects.proxies.client_address"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_CLIENT_STR_CALLABLE = "designer.logs.somebody"
# Days that it is known who signed in when, and who tried to.
SIGN_INS_KEPT_DAYS = _number("KEYWRIGHT_SIGN_INS_KEPT_DAYS", 30)
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"

# Of each web process (tools/serve.py), which requests that wait may not all hold.
WEB_THREADS = _number("KEYWRIGHT_WEB_THREADS", 24)

# From one network: what visitors send in a minute, wrong passwords in ten, accounts and letters asked for in an hour.
VISITOR_REQUESTS = _number("KEYWRIGHT_VISITOR_REQUESTS", 600)
# Percent of a processor that one network of visitors may take of each web process in the long run.
VISITOR_PERCENT = _number("KEYWRIGHT_VISITOR_PERCENT", 20)
SIGN_INS = _number("KEYWRIGHT_SIGN_INS", 60)
SIGN_UPS = _number("KEYWRIGHT_SIGN_UPS", 60)

# Visitors without an account: designs of one of them, made in an hour from one network, megabytes of one with its
# revisions, and of all together.
SANDBOXES = _number("KEYWRIGHT_SANDBOXES", 20)
SANDBOXES_AN_HOUR = _number("KEYWRIGHT_SANDBOXES_AN_HOUR", 60)
SANDBOX_MB = _number("KEYWRIGHT_SANDBOX_MB", 10)
ALL_SANDBOXES_MB = _number("KEYWRIGHT_ALL_SANDBOXES_MB", 1000)

# Teams that one person may own, people in a team, and megabytes of a team's designs with all their revisions.
TEAMS = _number("KEYWRIGHT_TEAMS", 20)
TEAM_MEMBERS = _number("KEYWRIGHT_TEAM_MEMBERS", 200)
TEAM_MB = _number("KEYWRIGHT_TEAM_MB", 5000)
# Megabytes of all teams together that one person owns.
OWNER_MB = _number("KEYWRIGHT_OWNER_MB", 10_000)
# Megabytes of designs and revisions that one person may save in an hour.
MEMBER_MB_AN_HOUR = _number("KEYWRIGHT_MEMBER_MB_AN_HOUR", 200)

# Letters: invitations, and what accounts need. Without a server the worker writes them to its output.
_mail = _mail_server(os.environ.get("KEYWRIGHT_MAIL_URL", "").strip())
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _mail.scheme else 'console'}.EmailBackend"
EMAIL_HOST = _mail.hostname or "localhost"
EMAIL_PORT = _mail.port or MAIL_PORTS.get(_mail.scheme, 25)
EMAIL_HOST_USER = unquote(_mail.username or "")
EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
EMAIL_USE_TLS = _mail.scheme == "smtp+tls"
EMAIL_USE_SSL = _mail.scheme == "smtps"
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = os.environ.get("KEYWRIGHT_MAIL_FROM") or "Keywright <keywright@localhost>"

# A design of 5 MB, the largest that is read, and the rest of its form.
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
# A transaction of a hundred steps is a form of thousands of fields.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# Time and language -------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

# What is worked out from designs, and what that may take ------------------------------------------

# Child processes of each web process, for what a request waits for; 0 does it in the request's thread.
POOL_PROCESSES = _number("KEYWRIGHT_POOL", 2, least=0)
# Seconds of a processor for what a page waits for, for a file, for a plan, and for a proof.
QUICK_SECONDS = _number("KEYWRIGHT_QUICK_SECONDS", 3)
FILE_SECONDS = _number("KEYWRIGHT_FILE_SECONDS", 20)
PLAN_SECONDS = _number("KEYWRIGHT_PLAN_SECONDS", 20)
PROOF_SECONDS = _number("KEYWRIGHT_PROOF_SECONDS", 300)
# Percent of a processor of each worker that the plans of one network of visitors may take in the long run, while others
# use the site.
LATER_PERCENT = _number("KEYWRIGHT_LATER_PERCENT", 15)
# Memory that each of these may take on top of what its process has when it begins.
QUICK_MEMORY_MB = _number("KEYWRIGHT_QUICK_MEMORY_MB", 384)
PLAN_MEMORY_MB = _number("KEYWRIGHT_PLAN_MEMORY_MB", 768)
PROOF_MEMORY_MB = _number("KEYWRIGHT_PROOF_MEMORY_MB", 768)

# `manage.py worker` does what takes longer; its queues are a table of the database.
# Touched whenever a worker's sign of life was taken: whoever runs it can see that it lives.
BEAT_FILE = os.environ.get("KEYWRIGHT_BEAT_FILE", "").strip() or None
QUEUES = ["plans", "proofs", "mail"]
# What the worker of `plans` does besides: work of those who took much of its time.
LATER_QUEUE = "plans-later"
TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": [*QUEUES, LATER_QUEUE],
    }
}
# The DynamoDB that proofs run on: the address of a DynamoDB Local or of AWS, which uses the
# credentials of this process. Without it, moto in the same process. Nobody else ever chooses it.
PROOF_ENDPOINT = os.environ.get("KEYWRIGHT_PROOF_ENDPOINT", "").strip() or None

# Files that are the same for everyone ------------------------------------------------------------

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Given, it is the folder that `manage.py collectstatic` filled: names there carry their hash and
# are cached for ever. Not given, files are served from static/ as they are; nothing is collected.
STATIC_ROOT = os.environ.get("KEYWRIGHT_STATIC_ROOT") or None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
WHITENOISE_ALLOW_ALL_ORIGINS = False

# What is written to the console ------------------------------------------------------------------

LOG_FORMAT = os.environ.get("KEYWRIGHT_LOG_FORMAT", "").strip() or "plain"
if LOG_FORMAT not in logs.FORMATS:
    raise ImproperlyConfigured(f"KEYWRIGHT_LOG_FORMAT is {LOG_FORMAT!r}; write plain or json.")
LOGGING = logs.config(LOG_FORMAT)
