"""Forms of violations with codes of their own: what they are, and that they do not fail."""

import pytest

from uriproof import check
from uriproof.lint.codes import code_of, severity_of
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://h/#/#room", "fragment-illegal-hash"),
        ("http://h/#!/a#room", "fragment-illegal-hash"),
        ("http://h/#default#VML", "fragment-illegal-hash"),
        ("http://h/#Gtk-3.0/Button.html#Gtk.Button", "fragment-illegal-hash"),
        ("http://h/a.git#main#/docs", "fragment-illegal-hash"),
        ("http://h/##top", "fragment-illegal"),
        ("http://h/##1", "fragment-illegal"),
        ("http://h/#a#b", "fragment-illegal"),
        ("http://h/#ahttp://h/#a", "fragment-illegal"),
        ("http://h/#PKCS#5_and_PKCS#7", "fragment-illegal-raw"),
        ('http://h/#with-"6.0"-label', "fragment-illegal-raw"),
        ('http://h/#a"', "fragment-illegal"),
        ("http://h/#Map<A,B>", "fragment-illegal"),
        ("http://h/#err->msg", "fragment-illegal-raw"),
        ("http://h/#L26>", "fragment-illegal"),
        ("http://h/#L26->", "fragment-illegal"),
        ("http://h/#a>b", "fragment-illegal"),
        ("http://h/X.html#a[T](T):F[T,U]", "fragment-illegal-raw"),
        ("http://h/X.html#a[T](b:a.T=>a.U)(c:V[T]):V[U]", "fragment-illegal-raw"),
        ("http://h/x#[a](b", "fragment-illegal"),
        ("http://h/x#y[a](http://h/)", "fragment-illegal"),
        ("http://h/Search->-parts", "path-illegal-raw"),
        ("http://h/?a[]=1", "query-illegal-brackets"),
        ("http://h/?a=1]", "query-illegal"),
        ("http://h/a@^6.0/b|c", "path-illegal-raw"),
        ("http://h/dependabot[bot]", "path-illegal-raw"),
        ("http://h/a]", "path-illegal"),
        ("http://h/a|", "path-illegal"),
        ("http://h/[a](b", "path-illegal"),
        ("http://h/?family=a|b^c", "query-illegal-raw"),
        ("http://h/#a[1]|b", "fragment-illegal-raw"),
        ("http://h/?a={C908B3C3-153E}", "query-illegal-raw"),
        ("http://h/#!{b:[1]}", "fragment-illegal-raw"),
        ("http://h/?a={b}}", "query-illegal"),
        ("http://h/?a=`b`", "query-illegal"),
        ('http://h/?q="a"', "query-illegal-quotes"),
        ('http://h/?q=a"', "query-illegal"),
        ('http://h/"a"', "path-illegal"),
        ("http://h/a b", "path-illegal"),
        ("http://h/{a}`b`<c>\\d", "path-illegal"),
        ("data:text/plain;base64,aGVs bG8=", "path-illegal-base64"),
        ("data:image/svg+xml,<svg/>", "path-illegal-data"),
        ("data:text/xml,%3C?xml version='1'?%3E", "query-illegal-data"),
        ("data:image/svg+xml;utf8,100%'", "path-bad-escape-data"),
        ("data:text/plain,?100%'", "query-bad-escape-data"),
        ("data:text/plain;base64,%", "path-bad-escape"),
        ("data:a b", "path-illegal"),
        ("s3://bucket:1781cfeb8a7", "port-illegal-name"),
        ("s3://bucket:key/a", "port-illegal-name"),
        ("at://did:plc:a1/b", "port-illegal-name"),
        ("at://did:abc:123", "port-illegal-name"),
        ("image://alpine:3.15", "port-illegal-name"),
        ("redis://h:8o80/", "port-illegal"),
        ("ssh://git@h:a/b.git", "port-illegal"),
        ("tcp://[::1]::80", "port-illegal"),
        ("http://h:key/a", "port-illegal"),
    ],
)
def test_codes(url: str, code: str) -> None:
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
