"""Forms of violations with codes of their own: what they are, and that they do not fail."""

from pathlib import Path

import pytest
from tables import file_of

from uriproof import check
from uriproof.lint.codes import code_of, severity_of
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine

CODES = file_of(Path(__file__).with_suffix(".toml"))


@pytest.mark.parametrize(("code", "url"), [(code, url) for code in CODES for url in CODES[code]])
def test_codes(code: str, url: str) -> None:
    codes = {code_of(one, url) for one in check(url).violations}
    assert codes == {code}
    assert severity_of(code) == ("error" if code.endswith(("illegal", "escape")) else "note")


def test_a_color_cuts_off_a_drawing() -> None:
    css = b"a { b: url(\"data:image/svg+xml,<svg fill='#fff'/>\") }"
    found = Engine(Settings()).lint("a.css", css).diagnostics
    assert {(one.code, one.severity) for one in found} == {
        ("path-illegal-data", "note"),
        ("fragment-illegal", "error"),
    }
