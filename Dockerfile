# An image to lint with in CI, GitLab's above all: no entry point, so that the jobs' shell runs, and
# git for --since. docker build -t uriproof . && docker run --rm -v "$PWD:/work" uriproof
FROM python:3.13-slim AS build
COPY pyproject.toml README.md LICENSE NOTICE /source/
COPY src /source/src
RUN python -m pip wheel --no-cache-dir --wheel-dir /wheels "/source[lint]"

FROM python:3.13-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    # The folder that is mounted is seldom that of the user that runs here. No other is trusted: git
    # does what the settings of a repository say.
    && git config --system --add safe.directory /work
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir --no-index --find-links /wheels "uriproof[lint]" \
    && rm -rf /wheels
ENV PYTHONUTF8=1
WORKDIR /work
CMD ["uriproof", "lint"]
