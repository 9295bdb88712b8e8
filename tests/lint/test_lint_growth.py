"""Growth: ten times the input takes ten times the steps of linting, fixing and rendering.

Steps are counted (``counting``), and so are the characters that come out: no test measures time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product

import pytest
from counting import Counted, growth, steps
from diagnostics import diagnostic

import uriproof
from uriproof.diagnostic import Diagnostic, Edit, Place
from uriproof.lint.codes import codes
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.files.source import Lines, Positions, Source
from uriproof.lint.fix.apply import fix
from uriproof.lint.fix.diff import changed, patch
from uriproof.lint.fix.fixes import chosen, edits_of
from uriproof.lint.found import Found
from uriproof.lint.rules import unused_suppression
from uriproof.lint.suppress.baseline import Baseline
from uriproof.lint.suppress.comments import apply, suppressions
from uriproof.lint.suppress.insert import add_suppressions
from uriproof.render import Style
from uriproof.render.diagnostics import formats, renderer
from uriproof.text.drawing import draw

pytestmark = pytest.mark.prove

MOST = 12.0
SIZE = 15

Work = Callable[[], object]
PREPARED: dict[str, Callable[[int], Work]] = {}


def linear(*varied: Iterable[object]) -> Callable[[Callable[..., Work]], None]:
    """The work on a text of a size, with each combination of what else varies before it."""

    def keep(prepare: Callable[..., Work]) -> None:
        for given in product(*varied):
            name = "-".join([prepare.__name__, *map(str, given)])
            PREPARED[name] = partial(prepare, *given)

    return keep


def said(n: int, url: str, line: str, spread: bool = False) -> list[Diagnostic]:
    """Diagnostics in one long line and URL, or each on a line of its own."""
    found: list[Diagnostic] = []
    for at in range(200, 200 + n):  # all of them so far in that a drawing leaves out as much
        number = at - 199 if spread else 1
        where = ("a.txt", at, at + 1, number, at + 1, number, at + 2)
        about = ("query-illegal", "error", "wrong", url, 0, len(url), line)
        found.append(diagnostic(*where, *about, hint="look", expected=("x",)))  # type: ignore[arg-type]
    return found


SUPPRESSED = {
    "next lines": lambda n: "# uriproof: ignore-next-line\n" * n,
    "next lines, blank lines": lambda n: "# uriproof: ignore-next-line\n" + "\n \n" * n,
    "one line": lambda n: "# uriproof: ignore " * n,
    "one line, codes": lambda n: "# uriproof: ignore[path] so " * n,
    "far from its opener": lambda n: "#" + " " * n + "uriproof: ignore " * n,
    "unknown": lambda n: "# uriproof: ignroe\n" * n,
    "blocks": lambda n: "# uriproof: disable\n" * n + "# uriproof: enable\n" * n,
    "blocks of many codes": lambda n: (
        "".join(f"# uriproof: disable[c{i}]\n" for i in range(n))
        + "# uriproof: enable[other]\n" * n
    ),
    "blocks with a common code": lambda n: (
        "".join(f"# uriproof: disable[a, b, c{i}]\n" for i in range(n))
        + "# uriproof: enable[a]\n# uriproof: enable[b]\n" * n
    ),
    "of the whole file": lambda n: "# uriproof: ignore-file\n" * n,
}


@linear(SUPPRESSED)
def suppressions_read_and_applied(name: str, n: int) -> Work:
    text = Counted(SUPPRESSED[name](n))
    found = said(n, "http://h/", "", spread=True)

    def work() -> None:
        known = suppressions(text, Lines(text))
        apply(found, known)
        list(unused_suppression(known, lambda code: True))

    return work


URLS: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "http://h/" + "[]" * n,
    "unbalanced": lambda n: "http://h/" + "[" * n,
    "braces": lambda n: "data:," + "a|" * n,
    "number signs": lambda n: "http://h/#" + "a#" * n,
    "entities": lambda n: "http://h/#" + "&#" * n,
    "host": lambda n: "http://" + "aé" * n + "/",
    "labels": lambda n: "http://" + "é." * n + "/",
    "astral": lambda n: "http://h/" + "a\U0001f600" * n,
    "bad escapes": lambda n: "http://h/" + "%zz" * n,
    "an at sign each": lambda n: "http://u:p@h/" + "[@" * n,
}


@linear(URLS, [True, False])
def fixes_of_one_url(name: str, linked: bool, n: int) -> Work:
    text = URLS[name](n)
    violations = uriproof.check(text).violations
    found = Found(0, len(text), Counted(text), linked=linked)
    return lambda: edits_of(found, violations, Source("a.ini", found.text))


@linear()
def fixes_of_one_template(n: int) -> Work:
    text = "http://h/" + "%s[" * n
    violations = uriproof.check(text.replace("%s", "%%s"[1:])).violations
    holes = tuple((9 + 3 * i, 11 + 3 * i) for i in range(n))
    return lambda: edits_of(Found(0, len(text), Counted(text), holes=holes), violations)


FILES: dict[str, Callable[[int], str]] = {
    "one line": lambda n: "http://h/%zz " * n,
    "lines": lambda n: "http://h/%zz\n" * n,
    "passwords in one line": lambda n: "http://u:p@h/%zz " * n,
    "passwords in lines": lambda n: "http://u:p@h/%zz\n" * n,
    "one URL": lambda n: "http://h/" + "%zz" * n,
    "one URL with a password": lambda n: "http://u:p@h/" + "%zz" * n,
    "all suppressed": lambda n: "http://h/%zz  # uriproof: ignore\n" * n,
    "unused": lambda n: "http://h/  # uriproof: ignore\n" * n,
    "astral": lambda n: "\U0001f600 http://h/%zz " * n,
}


@linear(FILES)
def speaking_of_a_file(name: str, n: int) -> Work:
    source = Source("a.txt", Counted(FILES[name](n)))
    engine = Engine(Settings(extend_select=("advice",), schemes=("https",), hosts=("a",)))
    return lambda: engine.check(source, engine.reader("a.txt"))


@linear(FILES, ["a.txt", "a.md"])
def mending(name: str, file: str, n: int) -> Work:
    written = FILES[name](n)
    engine = Engine(Settings())
    found = engine.lint(file, written.encode()).diagnostics
    text = Counted(written)

    def work() -> None:
        chosen(text, found, unsafe=True)
        fix(text, found, engine.reader(file), unsafe=True)

    return work


@pytest.mark.parametrize(
    ("name", "char"),
    [*((name, "a") for name in formats()), ("full", "\U0001f600"), ("rdjson", "\U0001f600")],
)
def test_rendering(name: str, char: str) -> None:
    written: dict[int, int] = {}

    def prepare(n: int) -> Work:
        # No shorter than what is cut, so that both sizes are.
        url = Counted(char * (2_000 + 10 * n))
        found = said(n, url, Counted(f"  {url}"))

        def work() -> None:
            pieces: Iterable[str] = renderer(name)(found, Style(), codes)
            written[n] = sum(map(len, pieces))

        return work

    assert growth(prepare, SIZE) <= MOST
    assert written[10 * SIZE] / written[SIZE] <= MOST


@linear([("a\n# b\n", "a\n"), ("# b\n", ""), ("a\n", "# b\na\n"), ("a\nb\n", "b\nc\nd\n")])
def differences(texts: tuple[str, str], n: int) -> Work:
    before, after = texts
    one, size = before * n, len(before)
    edits = [Edit(k * size, (k + 1) * size, after, True) for k in range(n)]
    return lambda: list(patch("a", one, after * n, changed(one, edits))[0])


@linear(["a", "\U0001f600"])
def of_positions(char: str, n: int) -> Work:
    positions = Positions(Counted(char * n))
    return lambda: [positions.offset(*positions.position(at)) for at in range(n)]


@linear()
def the_baseline(n: int) -> Work:
    found = said(n, Counted("a" * n), "")
    baseline = Baseline("baseline.json")
    baseline.add(found[: n // 2])
    return lambda: [baseline.knows(one) for one in found]


LINES = [
    *(("a.py", "x = 1\n"), ("a.css", "a{}\n"), ("a.css", "/*\n"), ("a.html", "a\n")),
    *(("a.html", "<\n"), ("a.xml", "<a\n"), ("a.php", "a\n"), ("a.php", "<?\n")),
    *(("a.lua", "[[\n"), ("a.md", "```\n"), ("a.yaml", "a: |\n"), ("a.js", "`\n")),
    *(("a.sh", "<<A\n"), ("a.ini", "a\n"), ("a.rst", "  a\n")),
]


@linear(LINES)
def suppressions_written(line: tuple[str, str], n: int) -> Work:
    text = Counted(line[1] * n)
    return lambda: add_suppressions(text, line[0], said(n, "", "", spread=True), "so")


@linear(["a", "é", "\U0001f600", "\u0301", "\0"])
def drawing(char: str, n: int) -> Work:
    text = Counted(char * 2 * n)
    return lambda: draw(text, [(2 * at, 2 * at + 1) for at in range(n)])


def test_one_place_in_a_long_line_is_drawn_alone() -> None:
    text = Counted("a" * 1_000_000)
    assert steps(lambda: draw(text, [(500_000, 500_001)])) < 5_000


ADVISED = (
    *("http://h/" + "%2E%2e/../;a&=", "http://h/?" + "a=1&a=2;amp;&&%00%0a"),
    *("http://h/?" + "u=http://h/&", "http://h/#" + "%2525%c0%af", "http://" + "xn--a.A%41."),
    *("http://" + "a:@", "http://" + "0x1.", "http://" + "%D0%B0a.", "1:", "http:", "//"),
)


@linear(ADVISED)
def advice(text: str, n: int) -> Work:
    starts = ("http://h/?", "http://h/#", "http://h/", "http://", "")
    start = next(one for one in starts if text.startswith(one))
    report = uriproof.check(start + text.removeprefix(start) * n, "URI-reference")
    return lambda: report.advice


@linear(formats(), [False, True])
def output_of_many_places(name: str, spread: bool, n: int) -> Work:
    """One diagnostic of many places, in one long line or each in a line of its own."""
    width = 4
    rows = [(number, Counted("a|b\n")) for number in range(1, n + 1)]
    if not spread:
        rows = [(1, Counted("a|b " * n))]
    places = []
    for at in range(1, n * width, width):
        line, column = (at // width + 1, 2) if spread else (1, at + 1)
        places.append(Place(at, at + 1, line, column, line, column + 1))
    one = Diagnostic(
        *("a.txt", "path-illegal", "error", "wrong", tuple(places), tuple(rows)),
        url="http://h/",
        edits=tuple(Edit(p.start, p.end, "%7C", True) for p in places),
    )
    return lambda: list(renderer(name)([one], Style()))


@linear()
def many_places_in_one_url(n: int) -> Work:
    data = ("<a href='http://h/" + "a|\u00e9^ \n" * n + "'>").encode()
    return lambda: Engine(Settings()).lint("a.html", data)


@linear()
def urls_beside_a_format(n: int) -> Work:
    text = "a:\n  format: uri\n  default: http://h/\u00e9\n" + "- b:\n" * n + "c: [é]\n" * n
    json = '{"a":' * n + '{"format": "uri"' + ', "default": "http://h/\u00e9"' * n + "}" * n

    def work() -> None:
        Engine(Settings()).lint("a.yaml", text.encode())
        Engine(Settings()).lint("a.json", json.encode())

    return work


@pytest.mark.parametrize("name", PREPARED)
def test_is_linear(name: str) -> None:
    assert growth(PREPARED[name], SIZE) <= MOST
