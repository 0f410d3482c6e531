FROM python:3.11-slim

COPY pyproject.toml README.md LICENSE /build/
COPY src /build/src
RUN pip install --no-cache-dir /build && rm -rf /build \
    && useradd --create-home --uid 1000 tatian

USER tatian
WORKDIR /data
ENTRYPOINT ["tatian"]
CMD ["--help"]
