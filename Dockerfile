FROM python:3.11-slim AS build
COPY pyproject.toml README.md LICENSE /build/
COPY src /build/src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheel /build

FROM python:3.11-slim
RUN --mount=from=build,source=/wheel,target=/wheel \
    pip install --no-cache-dir /wheel/*.whl \
    && useradd --create-home --uid 1000 tatian

USER tatian
WORKDIR /data
ENTRYPOINT ["tatian"]
CMD ["--help"]
