"""``python -m uriproof``: the command line. Imports ``cli`` alone; holds nothing of its own."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
