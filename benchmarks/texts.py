"""The texts that are measured: one valid URI, two invalid, and a thousand lines of real input.

Owns the inputs of the table; imports the standard library. Invariant: the single texts have
the same length, and the lines are the same in every run.
"""

from pathlib import Path

# 77 characters with all components, an escape and a port.
VALID = "http://user:pw@www.example.com:8080/over/there/a%20b;v=1?name=ferret&x=1#nose"
# As long, with one space in the path. Of the invalid lines of the list below, three in four have
# one fault; most often it is in the path, and at the median not half of the text goes before it.
INVALID = "http://user:pw@www.example.com:8080/over/there/a b;v=1?name=ferret&x=1#nose12"
# As long, with four faults in three components: one in the port, one in the path, two in the query.
FAULTS = "http://user:pw@www.example.com:8o80/over/there/a b;v=1?name=[ferret]&x=1#nose"

URLS = Path(__file__).parent.parent.parent / "shared" / "data" / "urls-48k.txt"
LINES = 1000


def read_lines() -> list[str] | None:
    """A thousand lines spread evenly over the list of URLs, or None where it is absent."""
    if not URLS.exists():
        return None
    lines = URLS.read_bytes().decode("utf-8").split("\n")
    return lines[:: len(lines) // LINES][:LINES]
