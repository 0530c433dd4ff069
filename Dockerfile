# Keywright behind gunicorn on port 8000; what it keeps lies in /data.
FROM python:3.13-slim-bookworm

RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libharfbuzz-subset0 libpango-1.0-0 libpangoft2-1.0-0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home keywright \
    && install -d -o keywright /data

WORKDIR /srv/keywright
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/base.txt
COPY . .

ENV KEYWRIGHT_DATA_DIR=/data \
    KEYWRIGHT_STATIC_ROOT=/srv/keywright/collected \
    PYTHONUNBUFFERED=1
# Collecting needs no secret and no database: what it makes of /data here is thrown away.
RUN KEYWRIGHT_DATA_DIR=/tmp/collecting python manage.py collectstatic --noinput \
    && rm -r /tmp/collecting

USER keywright
VOLUME /data
EXPOSE 8000
CMD ["sh", "-c", "python manage.py migrate --noinput && exec python -m tools.supervise --bind 0.0.0.0:8000"]
