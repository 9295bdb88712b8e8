"""``python -m uriproof``: the command line. Imports only ``cli``.

Invariant: from here on nothing is imported from the working directory, where ``-m`` looks first,
and which can be an untrusted checkout. By now Python has looked there for ``uriproof`` and its
imports; the command ``uriproof`` and ``python -P -m uriproof`` never do.
"""

import os
import sys

if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
    _here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if sys.path[0] != _here:  # else it is the folder of uriproof, which other processes need
        del sys.path[0]

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
