"""Advice: every rule is documented, finds its pattern exactly, and leaves good URIs alone.

Owns the table of cases, with exact spans. A new rule is tested here without a line of its own:
its BAD gets its advice, its GOOD gets none at all.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import bound

import uriproof
from uriproof.advice import GROUPS, MET, AdviceRule, advise, is_usual, names, rules

SHARED = Path(__file__).parents[2] / "shared" / "data"
PACKAGE = Path(uriproof.__file__).parent / "advice"


def found(text: str, rule: str = "URI-reference") -> list[tuple[int, int, str]]:
    return [(a.start, a.end, a.code) for a in uriproof.check(text, rule).advice]


# ---------------------------------------------------------------- every rule


def test_each_module_is_a_theme() -> None:
    for group, folder in (("advice", PACKAGE), ("security", PACKAGE / "security")):
        written = "".join(path.read_text("utf-8") for path in sorted(folder.glob("[!_]*.py")))
        codes = re.findall(r'^@rule\(\n    "([^"]+)",$.*?^def (\w+)', written, re.M | re.S)
        assert sorted(code for code, _ in codes) == list(names(group))
        assert all(name == code.replace("-", "_") for code, name in codes)
        assert names(group) == tuple(rule.code for rule in rules(group))


@pytest.mark.prove
@bound("step", 9, 1)
def test_no_usual_text_has_advice(step: int) -> None:
    """Asked of the texts that the corpus has, and of the examples also in upper case."""
    corpus = Path(__file__).parent / "corpus"
    texts = {one for group in GROUPS for rule in rules(group) for one in (rule.good, rule.bad)}
    texts |= {text.upper() for text in texts}
    for file in corpus.glob("*.toml"):
        texts.update(re.findall(r'"(.*)"', file.read_text("utf-8"))[::step])
    for text in texts:
        report = uriproof.check(text, "URI-reference")
        usual = [rule.code for rule in rules() if is_usual(text, (rule.code,))]
        assert not usual or advise(report, usual) == (), text


@given(st.text("htps:/@&?#a.%", max_size=12), st.sampled_from(["", "http://", "https://"]))
def test_a_usual_text_has_no_advice(text: str, before: str) -> None:
    report = uriproof.check(before + text, "URI-reference")
    for code in names():
        if is_usual(report.text, (code,)):
            assert advise(report, [code]) == ()


def test_no_code_is_in_two_groups() -> None:
    every = [code for group in GROUPS for code in names(group)]
    assert len(every) == len(set(every))


EVERY = [pytest.param(rule, group, id=rule.code) for group in GROUPS for rule in rules(group)]


@pytest.mark.parametrize(("rule", "group"), EVERY)
class TestEachRule:
    def test_is_documented(self, rule: AdviceRule, group: str) -> None:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.code)
        assert not rule.code.startswith(("avoid-", "use-", "no-"))
        assert rule.title[0].isupper()
        assert not rule.title.endswith(".")
        assert re.search(r"RFC \d+ (§|Appendix )", rule.why)
        assert rule.why.endswith(".")
        if group == "security":
            assert rule.case.endswith(".")
            assert rule.alarms >= 0
            assert set(rule.instead) <= set(names())

    def test_bad_gets_this_advice_where_it_is_asked_for(self, rule: AdviceRule, group: str) -> None:
        report = uriproof.check(rule.bad, "URI-reference")
        assert report.ok
        assert (rule.code in {a.code for a in report.advice}) == (group == "advice")
        for select in ([rule.code], [group]):
            mine = [a for a in advise(report, select) if a.code == rule.code]
            assert mine
            for advice in mine:
                assert not advice.message[0].islower()
                assert advice.message.endswith(".")
                assert advice.component in report.components
                assert 0 <= advice.start < advice.end <= len(report.text)

    def test_good_gets_none_of_the_group(self, rule: AdviceRule, group: str) -> None:
        report = uriproof.check(rule.good, "URI-reference")
        assert report.ok
        assert not advise(report, [group])


# ---------------------------------------------------------------- exact spans

CASES = [
    # percent-encoded octets
    ("http://h/%c3%a9/%C3%a9", [(9, 15, "lower-case-hex"), (19, 22, "lower-case-hex")]),
    ("http://h/%C3%A9", []),
    ("http://h/%41b%7E%2D", [(9, 12, "encoded-unreserved"), (13, 19, "encoded-unreserved")]),
    ("http://h/%7e", [(9, 12, "encoded-unreserved")]),
    ("http://h/?%61#%62", [(10, 13, "encoded-unreserved"), (14, 17, "encoded-unreserved")]),
    ("http://h/a%2Fb%5Cc", [(14, 17, "encoded-backslash")]),
    ("http://h/?a=%2Fb%5Cc#%2F", []),
    ("http://h/a%00", [(10, 13, "encoded-null")]),
    ("http://h/?a=%0D%0Ab%0A", [(12, 18, "encoded-line-break"), (19, 22, "encoded-line-break")]),
    ("http://h/share?text=a%0Ab&u=%0A", [(28, 31, "encoded-line-break")]),
    ("http://h/%0D%0AX:%201?text=a", [(9, 15, "encoded-line-break")]),
    # what a scheme asks for is no fault
    ("mailto:a%2Fb%5Cc@h.example", []),
    ("news:a%2Fb@h.example", []),
    ("cid:a%2Fb@h.example", []),
    ("data:text/plain,a%2Fb%5C", []),
    ("ftp://h/%2Fetc", []),
    ("imap://h/a%2Fb", []),
    ("urn:example:a%2Fb", []),
    ("mailto:a/../b@h.example", []),
    # what nobody sees, or what turns text around
    ("http://h/%E2%80%AEa", [(9, 18, "encoded-invisible")]),
    (
        "http://h/?a=%E2%80%8Bb#%EF%BB%BF",
        [(12, 21, "encoded-invisible"), (23, 32, "encoded-invisible")],
    ),
    ("http://h/a%C2%AD%C2%85", [(10, 16, "encoded-invisible"), (16, 22, "encoded-invisible")]),
    ("http://h/%E2%80%A8%E2%80%A9", [(9, 18, "encoded-invisible"), (18, 27, "encoded-invisible")]),
    ("http://h/%E3%85%A4", [(9, 18, "encoded-invisible")]),
    ("http://h/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88", []),  # Persian has the joiner
    ("http://h/a%E2%80%8Cb", [(10, 19, "encoded-invisible")]),
    ("http://h/%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9", []),  # an emoji of two
    ("http://h/%E2%9D%A4%EF%B8%8F%E2%80%8D%F0%9F%94%A5", []),
    ("ldap://a%E2%80%AEb/", [(8, 17, "encoded-invisible")]),
    ("data:,%E2%80%AE", []),
    ("http://h/%1B%7F%00", [(9, 15, "encoded-control"), (15, 18, "encoded-null")]),
    ("mailto:a@b.example?body=a%0D%0Ab", []),
    ("data:application/octet-stream,%00%FF%0D", []),
    ("http://h/%C0%AF", [(9, 15, "invalid-utf8")]),
    ("http://h/%E0%80%AF", [(9, 18, "invalid-utf8")]),
    ("http://h/%ED%A0%80", [(9, 18, "invalid-utf8")]),
    ("http://h/%FF%C3%A9%FE", [(9, 12, "invalid-utf8"), (18, 21, "invalid-utf8")]),
    ("http://h/%C3%A9a%C3", [(16, 19, "invalid-utf8")]),
    ("http://h/%F0%9F%98%80", []),
    ("http://h/%F5%80%80%80", [(9, 21, "invalid-utf8")]),
    ("http://h/%252e%252E%25", [(9, 19, "double-encoding")]),
    ("http://h/%2525", [(9, 14, "double-encoding")]),
    ("http://h/%2500/100%25", [(9, 14, "double-encoding")]),
    ("http://h/?a=%2520&b=%2541", [(12, 17, "double-encoding"), (20, 25, "double-encoding")]),
    ("http://h/?to=http%3A%2F%2Fg%2F%2520", []),
    ("http://h/?to=%2Fg%3Fq%3Da%2520b", []),
    # a reference within: what is encoded there has to be encoded once more
    ("http://h/?http%3A%2F%2Fg%2F%2520", []),
    ("http://h/?a=1;to=http%3A%2F%2Fg%2F%2520", []),
    ("http://h/?to=www.g.example%2F%2520", []),
    ("http://h/?to=mailto%3Aa%2520b%40g.example", []),
    ("http://h/#/r?to=http%3A%2F%2Fg%2F%2520", []),
    ("http://h/to/http%3A%2F%2Fg%2Fa%2520b", []),
    ("http://h/to/http://g/a%2520b", []),
    ("http://h/?to=http%3A%2F%2Fg%2F%2520&a=%2520", [(38, 43, "double-encoding")]),
    ("http://h/a://%252e%252e%252fb", [(13, 28, "double-encoding")]),  # leads elsewhere
    ("http://h/?a=b%253Dc", [(13, 18, "double-encoding")]),
    # what stood beside a URI
    ("http://h/a%20", [(10, 13, "encoded-end")]),
    ("http://h/a%C2%A0", [(10, 16, "encoded-end")]),
    ("http://h/a%22", [(10, 13, "encoded-end")]),
    ("http://h/?q=a%3E", [(13, 16, "encoded-end")]),
    ("http://h/a%E2%80%9D%20", [(10, 22, "encoded-end")]),
    ("http://h/#a%20", [(11, 14, "encoded-end")]),
    ("%20a/b", [(0, 3, "encoded-end")]),
    ("%22a%22", [(0, 3, "encoded-end")]),
    ("http://h/?q=%22a%22", []),
    ("http://h/Foo_%28bar%29", []),
    ("http://h/a%2A", []),
    ("http://h/?separator=%20", []),
    ("http://h/share?text=a%20", []),
    ("mailto:a@b.example?body=a%20", []),
    ("data:,a%20", []),
    # text fragments: a bare hyphen is a delimiter there
    ("http://h/#:~:text=a%2Db", []),
    # userinfo
    ("http://user@h/", [(7, 12, "http-userinfo")]),
    ("wss://user@h/", [(6, 11, "http-userinfo")]),
    ("ssh://git@h/", []),
    ("ftp://u:p%40ss@h/", [(8, 14, "userinfo-password")]),
    ("ftp://u:@h/", []),
    ("http://u:@h/", []),
    (
        "http://good.com@h/",
        [(7, 15, "userinfo-host-look-alike"), (7, 16, "http-userinfo")],
    ),
    (
        "http://good.com%2Fa@h/",
        [(7, 19, "userinfo-host-look-alike"), (7, 20, "http-userinfo")],
    ),
    (
        "//1.2.3.4:80@h/",
        [
            (0, 2, "network-path-reference"),
            (2, 9, "userinfo-host-look-alike"),
            (10, 12, "userinfo-password"),
        ],
    ),
    ("ftp://first.last@h/", []),
    ("ldap://good.com@h/", [(7, 15, "userinfo-host-look-alike")]),
    ("ssh://www.good.de@h/", [(6, 17, "userinfo-host-look-alike")]),
    ("ftp://good.de%2Fa@h/", [(6, 17, "userinfo-host-look-alike")]),
    ("sftp://8.8.8.8@h/", [(7, 14, "userinfo-host-look-alike")]),
    ("ldap://good.com#.evil.com:1389/a", [(15, 16, "host-cut-short")]),
    ("http://good.com:80?.evil.com/", [(15, 18, "default-port"), (18, 19, "host-cut-short")]),
    ("http://good.com/#.evil.com", []),
    ("http://good.com#.b", []),
    ("http://h?@g.com", [(9, 10, "at-sign-past-authority")]),
    ("http://h#@g.com", [(9, 10, "at-sign-past-authority")]),
    ("http://h/#@g.com", []),
    ("http://h?mail=a@g.com", []),
    # port
    ("http://h:/", [(8, 9, "empty-port")]),
    ("http://h:80/", [(8, 11, "default-port")]),
    ("https://h:0443/", [(9, 14, "default-port")]),
    ("https://h:80/", []),
    ("ldap://h:389/", [(8, 12, "default-port")]),
    ("coaps://h:05684/", [(9, 15, "default-port")]),
    ("ftp://h:21/", [(7, 10, "default-port")]),
    ("other://h:80/", []),
    ("http://[2606:4700::1111]:80/", [(24, 27, "default-port")]),
    ("http://h:65535/", []),
    ("http://h:65536/", [(9, 14, "port-out-of-range")]),
    ("http://h:00065535/", []),
    ("http://h:0/", [(9, 10, "port-out-of-range")]),
    ("http://h:" + "9" * 5000, [(9, 5009, "port-out-of-range")]),
    # host
    ("http:///x", [(5, 7, "empty-host")]),
    ("http://", [(5, 7, "empty-host")]),
    ("http://:8080", [(5, 7, "empty-host")]),
    ("foo:///x", []),
    ("http://a%2Fb/", [(8, 11, "encoded-ascii-in-host")]),
    ("http://a%40%20b/", [(8, 14, "encoded-ascii-in-host")]),
    ("http://a%00b/", [(8, 11, "encoded-null")]),
    ("http://a%41b/", [(8, 11, "encoded-unreserved")]),
    ("http://0177.0.0.1/", [(7, 17, "ipv4-look-alike")]),
    ("http://0X7F.1/", [(7, 13, "ipv4-look-alike"), (7, 13, "upper-case-host")]),
    ("http://2130706433/", [(7, 17, "ipv4-look-alike")]),
    ("http://127.1/", [(7, 12, "ipv4-look-alike")]),
    ("http://127.0.0.01/", [(7, 17, "ipv4-look-alike")]),
    ("http://1.2.3.256/", [(7, 16, "ipv4-look-alike")]),
    ("http://1.2.3.4.5/", [(7, 16, "ipv4-look-alike")]),
    ("http://8.8.8.8./", [(7, 15, "ipv4-look-alike")]),
    ("http://8.8.8.%38/", [(7, 16, "ipv4-look-alike"), (13, 16, "encoded-unreserved")]),
    ("http://8.8.8.8/", []),
    ("http://1.2.3.example/", []),
    ("http://a.1/", [(7, 10, "ipv4-look-alike")]),
    ("http://a.b.0x7f./", [(7, 16, "ipv4-look-alike")]),
    ("http://a.09/", [(7, 11, "ipv4-look-alike")]),
    ("http://1.a.0x/", [(7, 13, "ipv4-look-alike")]),
    ("http://a.0xg/", []),
    ("app://a.1/", []),
    ("http://1and1.example/", []),
    ("http://127.0.0.1/", [(7, 16, "special-purpose-address")]),
    ("http://10.0.0.1:8080/", [(7, 15, "special-purpose-address")]),
    ("http://[::1]/", [(7, 12, "special-purpose-address")]),
    ("http://[::ffff:169.254.169.254]/", [(7, 31, "special-purpose-address")]),
    ("http://[::ffff:a00:1]/", [(7, 21, "special-purpose-address")]),
    ("http://[::ffff:8.8.8.8]/", []),
    ("http://192.0.0.192/", [(7, 18, "special-purpose-address")]),
    ("http://192.0.0.9/", []),
    ("http://198.51.100.1/", [(7, 19, "special-purpose-address")]),
    ("http://224.0.0.1/", [(7, 16, "special-purpose-address")]),
    ("http://255.255.255.255/", [(7, 22, "special-purpose-address")]),
    ("http://100.64.0.1/", [(7, 17, "special-purpose-address")]),
    ("http://[::]/", [(7, 11, "special-purpose-address")]),
    ("http://[::127.0.0.1]/", [(7, 20, "special-purpose-address")]),
    ("http://[64:ff9b::7f00:1]/", [(7, 24, "special-purpose-address")]),
    ("http://[64:ff9b::808:808]/", []),
    ("http://[64:ff9b:1::808:808]/", [(7, 27, "special-purpose-address")]),
    ("http://[::ffff:0:10.0.0.1]/", [(7, 26, "special-purpose-address")]),
    ("http://[2002:7f00:1::]/", [(7, 22, "special-purpose-address")]),
    ("http://[2002:808:808::]/", []),
    ("http://[2001:0:808:808::80ff:fffe]/", [(7, 34, "special-purpose-address")]),  # Teredo
    ("http://[2606:4700::5efe:10.0.0.1]/", [(7, 33, "special-purpose-address")]),  # ISATAP
    ("http://[ff02::1]/", [(7, 16, "special-purpose-address")]),
    ("http://[fec0::1]/", [(7, 16, "special-purpose-address")]),
    ("http://[3fff::1]/", [(7, 16, "special-purpose-address")]),
    ("http://[2001:20::1]/", []),
    ("http://[2606:4700::1111]/", []),
    ("http://[2606:4700::AB]/", [(7, 22, "upper-case-host")]),
    ("http://[v1.x]/", []),
    ("http://[VF.x]/", [(7, 13, "upper-case-host")]),
    ("http://a_b.example/", [(7, 18, "non-dns-host")]),
    ("http://$(id).example/", [(7, 20, "non-dns-host")]),
    ("http://a..b/", [(7, 11, "non-dns-host")]),
    ("http://-a.example/", [(7, 17, "non-dns-host")]),
    ("http://a-.example/", [(7, 17, "non-dns-host")]),
    ("http://a--b.example./", []),
    ("http://" + "a" * 63 + ".example/", []),
    ("http://" + "a" * 64 + ".example/", [(7, 79, "non-dns-host")]),
    ("http://" + "a." * 126 + "a/", []),
    ("http://" + "a." * 126 + "ab/", [(7, 261, "non-dns-host")]),
    ("other://a_b/", []),
    ("http://xn--mnchen-3ya.de/", []),
    ("http://xn--pple-43d.com/", [(7, 19, "mixed-script")]),
    ("http://%D0%B0pple.com/", [(7, 17, "mixed-script")]),
    ("http://www.xn--80ak6aa92e.com/", [(11, 25, "whole-script-look-alike")]),
    ("http://xn--80ak6aa92e.xn--p1ai/", []),  # under a domain of its own script
    ("http://xn--e1afmkfd.com/", []),  # letters that look like no Latin ones
    ("http://xn--wgv71a119e.jp/", []),  # Han
    ("http://xn--/", [(7, 11, "non-dns-host"), (7, 11, "undecodable-label")]),
    ("http://xn--99999999.example/", [(7, 19, "undecodable-label")]),
    ("http://xn--a-ecp.example/", [(7, 16, "undecodable-label")]),  # U+2488 is no letter
    ("http://xn--e28h.example/", []),  # nor an emoji, but browsers take it
    ("http://127%E3%80%820%E3%80%820%E3%80%821/", [(7, 40, "mapped-host")]),
    ("http://%E2%91%A0.example/", [(7, 24, "mapped-host")]),
    ("http://a%C2%ADb.example/", [(7, 23, "mapped-host")]),
    ("http://a%E2%80%8Bb.example/", [(7, 26, "mapped-host")]),
    ("http://a%EF%BC%8F.example/", [(7, 25, "mapped-host")]),
    ("http://%E2%84%80.example/", [(7, 24, "mapped-host")]),
    ("http://a%E2%80%AEb/", [(7, 18, "mapped-host")]),
    ("http://fa%C3%9F.example/", []),
    ("http://%C3%89.example/", []),  # case alone
    ("other://%E2%91%A0/", []),
    ("http://Example.com/", [(7, 18, "upper-case-host")]),
    ("http://caf%C3%A9.com/", []),
    ("hls://https://h/", []),
    ("compress.zlib://http://h/", []),
    ("view-source://https://h/", []),
    ("rtmp://http://h/", []),
    ("ws://http//h/", [(5, 9, "doubled-scheme")]),
    ("//http//h/", [(0, 2, "network-path-reference"), (2, 6, "doubled-scheme")]),
    ("https://https://h/", [(8, 13, "doubled-scheme"), (13, 14, "empty-port")]),
    ("https://http//h/", [(8, 12, "doubled-scheme")]),
    ("https://http/h/", []),
    # scheme
    ("http:/h", [(4, 6, "missing-slashes")]),
    ("http:h", [(4, 5, "missing-slashes")]),
    ("http:", [(4, 5, "missing-slashes")]),
    ("http::wait", []),  # a command of Tcl
    ("http:://h/", [(4, 5, "missing-slashes")]),
    ("mailto:a@h.example", []),
    ("//h/", [(0, 2, "network-path-reference")]),
    ("/h/", []),
    ("url:http://h/", [(0, 4, "url-prefix")]),
    ("jar:https://h/a!/b", [(4, 9, "nested-scheme")]),
    ("urn:http:h", []),
    ("javascript:alert(1)", [(0, 10, "script-scheme")]),
    ("data:text/html;base64,PA==", [(5, 14, "script-scheme")]),
    ("data:text/html,a", [(5, 14, "script-scheme")]),
    ("data:text/plain,a/../b", []),
    ("data:image/svg+xml;base64,PA==", []),
    ("https://a.de,https://b.de", [(8, 18, "two-urls"), (18, 19, "empty-port")]),
    ("https://a.de/x;https://b.de/", [(15, 20, "two-urls")]),
    ("https://a.de/?u=x,https://b.de/", []),
    ("https://a.de/http://b.de,http://c.de", []),
    ("https://a.de/x,https", []),
    ("urn:example:a,https://b.de", []),
    ("file:///etc/hosts", [(0, 4, "local-file")]),
    ("file:/etc/hosts", [(0, 4, "local-file")]),
    ("file://localhost/etc/hosts", [(0, 4, "local-file")]),
    ("file://server/share", []),
    ("c:/a", [(0, 2, "single-letter-scheme")]),
    ("localhost:8080", [(0, 14, "host-port-as-scheme")]),
    ("example.com:80/a", [(0, 14, "host-port-as-scheme")]),
    ("example.com:a", []),
    ("tel:911", []),
    # path
    ("http://h/a/../../b", [(11, 16, "dot-segments")]),
    ("http://h/./a/..", [(9, 10, "dot-segments"), (13, 15, "dot-segments")]),
    ("http://h/%2E%2E/a", [(9, 15, "dot-segments"), (9, 15, "encoded-unreserved")]),
    ("../../a", []),
    ("./a/../b", [(4, 6, "dot-segments")]),
    ("/../a", [(1, 3, "dot-segments")]),
    ("a/...", []),
    (
        "http://h/..;/a/..;b=1",
        [
            (9, 12, "dot-segment-parameter"),
            (15, 21, "dot-segment-parameter"),
        ],
    ),
    ("http://h/a..;/b", []),
    # query
    ("http://h/?u=http://g/?a=1&b=2", [(12, 25, "nested-unescaped-url")]),
    ("http://h/?http://g/?a=1", [(10, 23, "nested-unescaped-url")]),
    ("http://h/?u=http://g/", []),
    ("http://h/?u=http://g/news#funny&name=H", [(12, 25, "nested-unescaped-url")]),
    ("http://h/?a=1&u=ftp://g/a#b", [(16, 25, "nested-unescaped-url")]),
    ("http://h/?u=http://g/&a=1#b", []),
    ("http://h/?u=http%3A%2F%2Fg%2F#b", []),
    ("http://h/?u=/g?a=1&b=2", [(12, 18, "nested-unescaped-url")]),
    ("http://h/?u=/g?", []),
    ("http://h/?u=a?b://c", []),
    ("http://h/?access_token=a1b2c3d4", [(23, 31, "secret-parameter")]),
    ("http://h/?b&Api-Key=a1b2c3d4", [(20, 28, "secret-parameter")]),
    ("http://h/?sig=a1b2%2B3d4", [(14, 24, "secret-parameter")]),
    ("http://h/?access_token=", []),
    ("http://h/?access_token=YOUR_TOKEN", []),
    ("http://h/?token=12345678", []),
    ("http://h/?page_token=a1b2c3d4", []),
    ("http://h/undefined/a", [(9, 18, "unfilled-value")]),
    ("http://h/?a=null&b=1", [(12, 16, "unfilled-value")]),
    ("http://h/?a=%5Bobject+Object%5D", [(12, 31, "unfilled-value")]),
    ("http://undefined/a", [(7, 16, "unfilled-value")]),
    ("http://h/nullable/?undefined=1", []),
    ("file:///dev/null", [(0, 4, "local-file")]),
    ("http://h/?a=1&amp;b=2", [(13, 18, "html-entity")]),
    ("http://h/?a=1&amp;amp;b=2", [(13, 22, "html-entity")]),
    ("http://h/?amp;b", []),
    ("http://h/a&amp;b#c&amp;d", [(10, 15, "html-entity"), (18, 23, "html-entity")]),
    ("http://h/?a=1&#38;b=2", [(13, 18, "html-entity")]),
    ("http://h/?a=1&#x26;b=2", [(13, 19, "html-entity")]),
    ("http://h/?a=1&#038;b=2", [(13, 19, "html-entity")]),
    ("http://h/?a=1&#39;", [(13, 14, "empty-parameter")]),
    # one voice for one fault
    ("http://h/?&amp;a=1", [(10, 15, "html-entity")]),
    ("http://h/?a=1&amp;b=1&amp;b=2", [(13, 18, "html-entity"), (21, 26, "html-entity")]),
    ("http://h/?a=1&&b=2", [(13, 14, "empty-parameter")]),
    ("http://h/?&a&", [(10, 11, "empty-parameter"), (12, 13, "empty-parameter")]),
    ("http://h/?&", [(10, 11, "empty-parameter")]),
    ("http://h/?=1&a=", [(10, 11, "empty-parameter")]),
    ("http://h/?", []),
    # nothing to say
    ("https://www.example.com:8080/a/b;v=1/c.html?d=e+f&g=%26h#i/j?k", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text[:40] for text, _ in CASES])
def test_exact_spans(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert uriproof.is_valid(text, "URI-reference")
    assert found(text) == expected


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0177.0.0.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0x7F000001", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("1.2.772", "1.2.3.4"),
        ("1.0x", "1.0.0.0"),
        ("0", "0.0.0.0"),  # noqa: S104 -- what it is read as
        ("4294967295", "255.255.255.255"),
        ("127.0.0.%31", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
    ],
)
def test_what_browsers_read_an_ipv4_look_alike_as(host: str, address: str) -> None:
    advice = {a.code: a.message for a in uriproof.check(f"http://{host}/").advice}
    assert advice["ipv4-look-alike"].endswith(f'read it as "{address}".')


@pytest.mark.parametrize(
    "host",
    ["256.1.1.1", "1.2.3.256", "1.2.3.4.5", "4294967296", "08", "1.256.1", "9" * 5000],
)
def test_ipv4_look_alikes_that_browsers_refuse(host: str) -> None:
    advice = {a.code: a.message for a in uriproof.check(f"http://{host}/").advice}
    assert advice["ipv4-look-alike"].endswith("browsers reject it.")


@pytest.mark.parametrize(
    ("octets", "word"),
    [("%C0%AF", "overlong"), ("%F0%80%80%80", "overlong"), ("%ED%B0%80", "surrogate")],
)
def test_what_is_wrong_with_utf8(octets: str, word: str) -> None:
    (advice,) = uriproof.check(f"http://h/{octets}").advice
    assert word in advice.message


# ---------------------------------------------------------------- secrets and violations


@pytest.mark.parametrize(
    "userinfo", ["user:s3cret", "good.com:s3cret", "user:s3cret%41", "u:s3cret%2541%0A%ff"]
)
def test_no_message_has_the_password(userinfo: str) -> None:
    advice = uriproof.check(f"http://{userinfo}@h/").advice
    assert {a.code for a in advice} >= {"userinfo-password"}
    assert not any("s3cret" in a.message or '"A"' in a.message for a in advice)


def test_no_message_has_the_secret_of_a_query() -> None:
    advice = advise("http://h/?token=s3cret%2541%41%ff", GROUPS)
    assert {a.code for a in advice} >= {"secret-parameter", "double-encoding"}
    assert not any("s3cret" in a.message for a in advice)


@pytest.mark.parametrize("before", ["?token=", "?a=b&Api_Key=", "#access_token=", "?a;sig="])
def test_no_report_shows_the_secret_of_a_parameter(before: str) -> None:
    report = uriproof.check(f"http://h/{before}s3 q9=77&b=1")
    shown = [str(report), report.summary, repr(report), json.dumps(report.to_dict())]
    shown += [str(uriproof.InvalidURI(report)), repr(uriproof.URI(f"http://h/{before}s3q9"))]
    assert not any("s3" in one or "q9" in one for one in shown)
    assert report.masked().text == f"http://h/{before}********&b=1"


def test_an_ampersand_that_is_escaped_twice() -> None:
    report = uriproof.check("http://h/?a=1&amp;amp;b=2")
    assert "more than once" in report.advice[0].message
    assert [one.text for one in report.suggestions] == ["http://h/?a=1&b=2"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("http://EXAMPLE.com:80/%zz%41", ["upper-case-host", "default-port"]),  # not the path
        ("http://EXAMPLE .com:80/%41", ["default-port", "encoded-unreserved"]),  # not the host
        ("http://EXAMPLE.com:8o/%41?[", ["upper-case-host", "encoded-unreserved"]),
        ("//h/%41", ["encoded-unreserved"]),  # the scheme is missing, which says it all
    ],
)
def test_components_with_a_violation_get_no_advice(text: str, codes: list[str]) -> None:
    report = uriproof.check(text, "URI")
    assert not report.ok
    assert [advice.code for advice in report.advice] == codes


FRAGMENTS = [
    "http", "HTTP", "file", "data", "url", ":", "/", "//", "@", "?", "#", "[", "]", "&", "=", ";",
    "amp;", "..", ".", "%", "%2", "%41", "%2f", "%00", "%0d", "%ff", "%c3%a9", "%25", "%2541", "80",
    "0x7f", "127.0.0.1", "::1", "v1.", "xn--", "xn--80ak6aa92e", "text/html", ",", "example.com",
    " ", "\n", "\0", "\ud800", "é", "\u0661", "_", "-",
]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join), st.sampled_from(
    ["URI", "URI-reference", "relative-ref", "authority", "host", "path", "query"]
))  # fmt: skip
def test_advice_never_raises_and_keeps_its_promises(text: str, rule: str) -> None:
    report = uriproof.check(text, rule)
    assert report.advice == advise(report)
    advice = advise(report, GROUPS)
    assert list(advice) == sorted(advice, key=lambda a: (a.start, a.end, a.code))
    blamed = {violation.component for violation in report.violations}
    for a in advice:
        assert 0 <= a.start < a.end <= len(text)
        assert a.component in report.components
        assert a.component not in blamed
        component = report.components[a.component]
        assert component.start - 3 <= a.start
        assert a.end <= component.end + 1


def test_long_text_is_read_once() -> None:
    text = f"http://h.de/{'%ff' * 4_000}?{'a=1&' * 4_000}a=1#{'%25' * 4_000}"
    codes = {advice.code for advice in advise(text, GROUPS)}
    assert codes == {"invalid-utf8", "lower-case-hex", "repeated-key"}


def test_advice_loads_only_when_asked_for() -> None:
    program = (
        "import sys, uriproof; uriproof.is_valid('http://h/'); r = uriproof.check('http://h/');"
        "assert 'uriproof.advice' not in sys.modules; r.advice;"
        "assert 'uriproof.advice.host' in sys.modules;"
        "assert 'uriproof.percent.hosts' not in sys.modules;"
        "assert {'ipaddress', 'unicodedata', 'urllib.parse'}.isdisjoint(sys.modules);"
        "uriproof.check('http://127.0.0.1/').advice;"
        "assert 'uriproof.percent.hosts' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# ---------------------------------------------------------------- real strings


# ---------------------------------------------------------------- the group security

ATTACKS = [
    ("http://LOCALHOST./", ["host-trailing-dot", "loopback-name"]),
    ("http://a.localhost:8080/", ["loopback-name"]),
    ("http://%6Cocalhost/", ["loopback-name"]),
    ("http://%E2%93%9Bocalhost/", ["loopback-name"]),
    ("https://foo.localtest.me/", ["loopback-name"]),
    ("http://notlocalhost.de/", []),
    ("http://redis:6379/", ["internal-name"]),
    ("http://REDIS./", ["host-trailing-dot", "internal-name"]),
    ("http://redi%73/", ["internal-name"]),
    ("https://host.docker.internal/", ["internal-name"]),
    ("http://kubernetes.default.svc/", ["internal-name"]),
    ("http://a.svc.cluster.local/", ["internal-name"]),
    ("http://printer%E3%80%82Loca%6C/", ["internal-name"]),
    ("http://router.home.arpa/", ["internal-name"]),
    ("http://local.example.net/", []),
    ("http://docs.example/", []),
    ("http://[v1.x]/", []),
    ("chrome://settings/", []),
    ("http://localhost.example.net/", ["domain-inside-host"]),
    ("http://app.10-0-0-1.sslip.io/", ["address-in-name"]),
    ("http://7f000001.nip.io/", ["address-in-name"]),
    ("http://127.0.0.1.example.net/", ["address-in-name"]),
    ("http://8-8-8-8.pool.example.net/", []),
    ("http://0xa9fea9fe/", ["metadata-host"]),
    ("http://2852039166/", ["metadata-host"]),
    ("http://0251.0376.0251.0376/", ["metadata-host"]),
    ("http://169.254.43518/", ["metadata-host"]),
    ("http://[::ffff:169.254.169.254]/", ["metadata-host"]),
    ("http://[::ffff:a9fe:a9fe]/", ["metadata-host"]),
    ("http://[64:ff9b::a9fe:a9fe]/", ["metadata-host"]),
    ("http://[fd00:0ec2:0::254]/", ["metadata-host"]),
    ("http://169%E3%80%82254%E3%80%82169%E3%80%82254/", ["metadata-host"]),
    ("http://Metadata.Google.Internal./", ["host-trailing-dot", "metadata-host"]),
    ("http://100.100.100.200/", ["metadata-host"]),
    ("http://h.de:0443/", ["other-scheme-port"]),
    ("https://h.de:80/", ["other-scheme-port"]),
    ("http://h.de:22/", ["blocked-port"]),
    ("ftp://h.de:21/", []),
    ("ftp://h.de:22/", ["blocked-port"]),
    ("/login?next=//evil.com", ["network-path-parameter"]),
    ("/login?next=%2F%5Cevil.com", ["network-path-parameter"]),
    ("/login?next=https:evil.com", ["network-path-parameter"]),
    ("/login?next=https:///evil.com", ["network-path-parameter"]),
    ("/login?next=/evil.com&to=https://evil.com", []),
    ("/a?u=java%0Ascript:alert(1)", ["script-parameter"]),
    ("/a?u=%01javascript:alert(1)", ["script-parameter"]),
    ("/a?u=data:text/html,x", ["script-parameter"]),
    ("/a?u=data:text/plain,x", []),
    ("/a?q=what+is+javascript", []),
    ("view-source:java%0Ascript:alert(1)", ["nested-script"]),
    ("jar:javascript:alert(1)!/", ["nested-script", "smuggling-scheme"]),
    ("file://evil.com/x", ["remote-file"]),
    ("file://localhost/x", ["loopback-name"]),
    ("hxxps://evil.com/", ["defanged-scheme"]),
    ("http://h.de/....//etc", ["extra-dots-segment"]),
    ("http://h.de/..././etc", ["extra-dots-segment"]),
    ("http://h.de/%2E%2E%2E%2E//etc", ["extra-dots-segment"]),
    ("http://h.de//evil.com", ["double-slash-path"]),
    ("http://h.de/%2Fevil.com/..", ["double-slash-path", "encoded-slash"]),
    ("http://h.de/%5Cevil.com", ["double-slash-path"]),
    ("http://h.de//a/b", []),
    ("www.evil.com", ["schemeless-host"]),
    ("evil.com/a", ["schemeless-host"]),
    ("notes.org", []),
    ("dict://h.de:11211/stats", ["smuggling-scheme"]),
    ("http://good.com.evil.example/", ["domain-inside-host"]),
    ("http://www.good.com.br/", []),
    ("http://www.gov.bc.ca/", []),
    ("http://evil.net?good.com", ["host-like-query"]),
    ("http://evil.net#good.com/", ["host-like-query"]),
    ("http://h.de/;/admin", ["leading-parameter-segment"]),
    ("http://h.de/admin/%3Bpage", ["leading-parameter-segment"]),
    ("http://h.de/%EF%BC%AE%EF%BC%AE/passwd", ["truncated-character"]),
    ("http://h.de/%C4%8D%C4%8AHost:", ["truncated-character"]),
    ("http://h.de/?url=http%3A%2F%2F0x7f.1%2F", ["internal-target-parameter"]),
    ("http://h.de/?url=http://localhost:22/", ["internal-target-parameter"]),
    ("http://h.de/?url=//0.0.0.0/", ["internal-target-parameter", "network-path-parameter"]),
    ("http://h.de/a%2fb", ["encoded-slash"]),
    ("http://h.de/?a=%2Fb#%2F", []),
    ("mailto:a%2Fb@h.example", []),
    ("ftp://h.de/%2Fetc", []),
    ("http://h.de/?a=1&b=2&%61=3&a=4", ["repeated-key"]),
    ("http://h.de/?a%5B%5D=1&a%5B%5D=2", []),
    ("http://h.de/?a&a", []),
    ("http://h.de/?a=1&amp;b=1&amp;b=2", []),
    ("magnet:?xt=urn:example:a&tr=b&tr=c", []),
    ("https://www.example.com/a/b.html?c=d&e=f#g", []),
]


@pytest.mark.parametrize(("text", "codes"), ATTACKS, ids=[text[:40] for text, _ in ATTACKS])
def test_patterns_of_attacks(text: str, codes: list[str]) -> None:
    assert uriproof.is_valid(text, "URI-reference")
    assert sorted({a.code for a in advise(text, ["security"])}) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("http://\u2460\u2461\u2466.0.0.1/", ["mapped-host"]),
        ("http://127\u30020\uff0e0\uff611/", ["mapped-host"]),
        ("http://exa\xadmple.com/", ["mapped-host"]),
        ("http://fa\xdf.de/", []),
        ("http://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/", []),
        ("http://\u0430pple.com/", ["mixed-script"]),
        ("ftp://u:p\xe4@h/", ["userinfo-password"]),
        ("https://https://\xe9.com/", ["doubled-scheme", "empty-port"]),
        ("http://\xe9_.com/", []),
    ],
)
def test_iris_have_the_same_components(text: str, codes: list[str]) -> None:
    report = uriproof.Grammar.load("rfc3987")["IRI"].check(text)
    assert report.ok
    assert [a.code for a in report.advice] == codes


def test_what_says_more_speaks_alone() -> None:
    both = {a.code for a in advise("http://0xa9fea9fe/", GROUPS)}
    assert both == {"metadata-host"}
    assert {a.code for a in advise("http://0xa9fea9fe/")} == {"ipv4-look-alike"}


def test_what_may_be_selected() -> None:
    text = "http://localhost.:80/"
    assert [a.code for a in advise(text, ["default-port"])] == ["default-port"]
    assert advise(text, []) == ()
    assert advise(uriproof.check(text)) == uriproof.check(text).advice
    with pytest.raises(ValueError, match="did you mean security"):
        advise(text, ["securty"])
    with pytest.raises(TypeError, match="not bytes"):
        advise(b"http://h/")  # type: ignore[arg-type]


@pytest.mark.prove
def test_alarms_are_counted_on_real_urls() -> None:
    file = SHARED / "urls-48k.txt"
    if not file.exists():
        pytest.skip("needs the shared data")
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    told = Counter(code for line in lines for code in {a.code for a in advise(line, ["security"])})
    assert len(lines) == MET
    assert told == Counter({rule.code: rule.alarms for rule in rules("security") if rule.alarms})
