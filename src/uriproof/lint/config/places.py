"""What a file is, by its path: someone else's, generated, or of tests.

Owns the names of such folders and files. Imports only the standard library and the expressions
that are compiled when they are used. Invariant: a path is judged by its names alone; no file is
read.
"""

from __future__ import annotations

from functools import lru_cache

from ...text.patterns import lazy

TESTS = "test data"
"""The kind of folders that only hold inputs of tests."""
_DIVIDED = str.maketrans(".-", "__")

FOLDERS = {
    name: why
    for why, names in {
        "third-party code": (
            *("vendor", "vendored", "_vendor", "third_party", "third-party", "thirdparty"),
            *("external", "extern", "bower_components"),
        ),
        TESTS: (
            *("fixture", "fixtures", "__fixtures__", "testdata", "test-data", "test_data"),
            *("cassette", "cassettes", "vcr_cassettes", "snapshots", "__snapshots__"),
            *("golden", "goldens", "testcases", "test-cases", "__mocks__"),
        ),
        "generated": ("dist", "_build", "generated", "_generated", "coverage"),
    }.items()
    for name in names
}
"""Folders by their names, and what they hold."""

FILES = {".min.js": "*.min.js", ".min.css": "*.min.css", ".js.map": "*.js.map"}
"""Suffixes of generated files, and their patterns."""

_MODULE = lazy(
    r"#\[cfg\(test\)\]\s*+(?:#\[(?!cfg\(test\)\])[^\[\]\n]*+\]\s*+)*+(?:pub\s++)?mod\s++\w++\s*+\{"
)
# The Rust Book, chapter 11-3: unit tests are in a module, which is the last one of the file.
# The names of folders of tests; "t" is Perl's (perldoc prove).
_OF_TESTS = frozenset(("__tests__", "spec", "unittest", "unittests", "e2e", "t"))
_PROSE = (".md", ".rst", ".adoc", ".txt", ".html", ".xml", ".org", ".tex", ".bs")
_WORDS = frozenset(("test", "tests", "spec"))
# With one of these as its last word, a folder is of tests ("App.Core.Tests"). Not with "spec": a
# folder "http-spec" has a specification.
_FOLDER = frozenset(("test", "tests", "testsuite"))
_CAMEL = ("Test", "Tests", "Spec", "IT")


@lru_cache(256)
def in_tests(path: str) -> bool:
    """Whether a file, by a path with slashes, is of tests: code, inputs or recorded answers.

    >>> [in_tests(p) for p in ("tests/a.md", "a/url_test.go", "a/UrlTest.java", "a/contest.md")]
    [True, True, True, False]
    >>> in_tests("latest/spec.md"), in_tests("web/url.spec.ts"), in_tests("docs/test.md")
    (False, True, False)
    >>> in_tests("specs/a.js"), in_tests("specs/a.rst"), in_tests("t/url.t"), in_tests("src/url.t")
    (True, False, True, False)
    >>> in_tests("src/App.Core.Tests/a.xml"), in_tests("it-test/a.hs"), in_tests("a-spec/a.md")
    (True, True, False)
    >>> in_tests("t/local/a.html"), in_tests("lib/t.pm")
    (True, False)
    """
    *above, name = path.split("/")
    for one in map(str.lower, above):
        last = one.translate(_DIVIDED).rpartition("_")[2]
        if one in _OF_TESTS or FOLDERS.get(one) == TESTS or last in _FOLDER:
            return True
        if one == "specs" and not name.endswith(_PROSE):  # those of prose are specifications
            return True
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
