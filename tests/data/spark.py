"""Real Spark for tests: one session with two cores, and why there may be none.

Owns the session. Imports pyspark where it is used. Invariant: what is missing is told in words,
which tests show as the reason of a skip.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

OLDEST_JAVA = 17

CONF = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # briefly used
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.log.level": "OFF",
    "spark.sql.execution.arrow.pyspark.enabled": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def missing() -> str | None:
    """What keeps Spark from running here, or None."""
    if find_spec("pyspark") is None:
        return "pyspark is not installed (PyPI)"
    java = shutil.which("java")
    if java is None:
        return "java is not installed (Debian: default-jdk-headless)"
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', told)
    if found is None or int(found[1]) < OLDEST_JAVA:
        return f"java {OLDEST_JAVA} or later is needed, this is {told.splitlines()[:1]}"
    return None


@contextmanager
def session() -> Iterator[Any]:
    """A session on two cores, whose workers run this Python; ended afterwards."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]")
    for name, value in CONF.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    try:
        yield found
    finally:
        found.stop()
