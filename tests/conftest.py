"""The path to the helpers beside the tests, and Hypothesis the same in every run of CI."""

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

# No test depends on how long something takes: a busy machine is no fault.
SLOW = [HealthCheck.too_slow]
settings.register_profile("dev", deadline=None, suppress_health_check=SLOW)
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=SLOW)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
