"""A Django project in memory: settings, one application, one table.

Owns the settings, which Django takes once a process. Imports Django. Invariant: nothing is written
to a disk.
"""

from __future__ import annotations

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        INSTALLED_APPS=["rest_framework"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        USE_TZ=True,
        ALLOWED_HOSTS=["*"],
        SECRET_KEY="of a test",  # noqa: S106 -- nothing is kept secret with it
        REST_FRAMEWORK={"UNAUTHENTICATED_USER": None, "DEFAULT_AUTHENTICATION_CLASSES": []},
    )
    django.setup()
