# Keywright: `python -m tools.supervise` starts the site and its workers, or those of them that are named.
# By itself it serves on port 8000 and keeps what it has in /data; compose.yaml runs it on PostgreSQL.
FROM python:3.13.5-slim-bookworm

RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libharfbuzz-subset0 libpango-1.0-0 libpangoft2-1.0-0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 999 --user-group --no-create-home keywright \
    && install -d -o keywright -g keywright -m 700 /data \
    && install -d -o keywright -g keywright /static

WORKDIR /srv/keywright
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/base.txt
COPY . .

# Nothing but /data and /tmp is written to: the root may be read-only.
ENV KEYWRIGHT_DATA_DIR=/data \
    KEYWRIGHT_STATIC_ROOT=/srv/keywright/collected \
    HOME=/tmp \
    XDG_CACHE_HOME=/tmp/cache \
    PYTHONDONTWRITEBYTECODE=1 \
    MALLOC_ARENA_MAX=2 \
    PYTHONUNBUFFERED=1
# Collecting needs no secret and no database: what it makes of the data folder here is thrown away.
RUN KEYWRIGHT_DATA_DIR=/tmp/collecting python manage.py collectstatic --noinput \
    && rm -r /tmp/collecting \
    && python -m compileall -q designer projects tools

USER keywright
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["sh", "-c", "python manage.py migrate --noinput && exec python -m tools.supervise --bind 0.0.0.0:8000"]
