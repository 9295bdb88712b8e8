"""What a file is, by its path: the project's own, of tests, or vendored.

Owns the names of such folders and files. Imports only the standard library and the expressions
that are compiled when they are used. Invariant: a path is judged by its names alone; no file is
read.
"""

from __future__ import annotations

from functools import lru_cache

from ...text.patterns import lazy

TESTS = "tests"
VENDORED = "vendored files"
"""What is not linted like the rest. In files of tests, wrong URLs are meant to be wrong; vendored
ones are copies of what others wrote, or made from files that are also there, minified or bundled,
so that what is wrong in them is to be corrected elsewhere."""
_ONLY_BUILT = "copied or built"
_DIVIDED = str.maketrans(".-", "__")

FOLDERS = {
    name: why
    for why, names in {
        "third-party code": (
            *("vendor", "vendored", "_vendor", "third_party", "third-party", "thirdparty"),
            *("node_modules", "bower_components"),
        ),
        TESTS: (
            *("fixture", "fixtures", "__fixtures__", "testdata"),
            *("cassette", "cassettes", "vcr_cassettes", "snapshots", "__snapshots__"),
            *("golden", "goldens", "testcases", "__mocks__"),
        ),
        "generated": ("_build", "generated", "_generated"),
        _ONLY_BUILT: ("dist", "external", "extern", "coverage"),
    }.items()
    for name in names
}
"""Folders by their names, and what they hold."""

FILES = (".min.js", ".min.css", ".js.map")
"""Suffixes of generated files."""

_MODULE = lazy(
    r"#\[cfg\(test\)\]\s*+(?:#\[(?!cfg\(test\)\])[^\[\]\n]*+\]\s*+)*+(?:pub\s++)?mod\s++\w++\s*+\{"
)
# The Rust Book, chapter 11-3: unit tests are in a module, which is the last one of the file.
# The names of folders of tests; "t" is Perl's (perldoc prove).
_OF_TESTS = frozenset(("__tests__", "unittest", "unittests", "e2e", "t"))
_OF_DOCS = frozenset(("docs", "doc"))
# In pages for readers and other prose, a test or a specification is mostly the subject.
_PAGES = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".org", ".tex", ".bs")
_PROSE = (*_PAGES, ".txt", ".html", ".xml")
_WORDS = frozenset(("test", "tests", "spec"))
# With one of these as its last word, a folder is of tests ("App.Core.Tests"). Not with "spec": a
# folder "http-spec" has a specification.
_FOLDER = frozenset(("test", "tests", "testsuite"))
# With these after it, too: "interop-test-files", "test_data".
_INPUTS = frozenset(("cases", "data", "files", "inputs", "resources", "vectors"))
_CAMEL = ("Test", "Tests", "Spec", "IT")
# What is copied into a tree, or built there: scripts and styles in "dist/" or "external/", whose
# other files can be one's own, and those with the number of a release ("jquery-3.6.0.js").
_BUILT = (".js", ".cjs", ".mjs", ".css")
_RELEASE = lazy(r"[-.]v?\d{1,4}\.\d[\d.]{0,20}\Z")


@lru_cache(256)
def kind_of(path: str) -> str:
    """What a file is, by a path with slashes: ``TESTS`` (code, inputs or recorded answers),
    ``VENDORED``, or empty for any other.

    Folders count by their names at any depth, the outermost first; but below ``docs``, prose is
    about what the names of folders say.

    >>> [kind_of(p) for p in ("tests/a.md", "a/url_test.go", "a/UrlTest.java", "a/contest.md")]
    ['tests', 'tests', 'tests', '']
    >>> [kind_of(p) for p in ("latest/spec.md", "web/url.spec.ts", "how-to-test.md", "spec/a.md")]
    ['', 'tests', '', '']
    >>> [kind_of(p) for p in ("specs/a.js", "specs/a.rst", "t/url.t", "src/url.t", "lib/t.pm")]
    ['tests', '', 'tests', '', '']
    >>> [kind_of(p) for p in ("src/App.Core.Tests/a.xml", "it-test/a.hs", "a-spec/a.md")]
    ['tests', 'tests', '']
    >>> [kind_of(p) for p in ("docs/ab-test/a.md", "ab-test/a.md", "uri-test-files/a.txt")]
    ['', '', 'tests']
    >>> paths = "vendor/a/test/b.go", "js/jquery-3.6.0.js", "a.min.css", "dist/a.js", "dist/a.py"
    >>> [kind_of(path) for path in paths]
    ['vendored files', 'vendored files', 'vendored files', 'vendored files', '']
    """
    *above, name = path.split("/")
    is_page, is_prose, is_built = map(name.endswith, (_PAGES, _PROSE, _BUILT))
    for folder in above:
        one = folder.lower()
        *more, last = one.translate(_DIVIDED).split("_")
        if is_prose and last in _OF_DOCS:
            return ""
        if one in _OF_TESTS or FOLDERS.get(one) == TESTS:
            return TESTS
        if (last in _FOLDER and not (more and is_page)) or (
            last in _INPUTS and not _FOLDER.isdisjoint(more[-1:])
        ):
            return TESTS
        if one in {"spec", "specs"} and not is_prose:  # those of prose are specifications
            return TESTS
        # As it is written: "Vendor" is the subject of specifications, and a namespace.
        if (why := FOLDERS.get(folder)) and (is_built or why != _ONLY_BUILT):
            return VENDORED
    if name.endswith(FILES) or (is_built and _RELEASE.search(name.rpartition(".")[0])):
        return VENDORED
    return TESTS if not is_page and _is_test(name) else ""


def _is_test(name: str) -> bool:
    """Whether a file is of tests by its own name."""
    stem, *suffixes = name.split(".")
    if not suffixes:
        return False
    if suffixes[-1] == "snap" or not _WORDS.isdisjoint(suffixes[:-1]):
        return True
    words = stem.lower().replace("-", "_").split("_")
    if len(words) > 1 and (words[0] == "test" or words[-1] in _WORDS):
        return True
    return name == "conftest.py" or any(
        stem.endswith(one) and stem[: -len(one)][-1:].islower() for one in _CAMEL
    )


def begin_of_tests(path: str, text: str) -> int:
    """Where the module of tests in a program begins; at the end of the text if it has none.

    >>> begin_of_tests("src/a.rs", "fn a() {}\\n#[cfg(test)]\\nmod tests {}")
    10
    """
    module = _MODULE.search(text) if path.endswith(".rs") else None
    return module.start() if module else len(text)
