"""Advice on hosts: names that are none, addresses in disguise, and letters of other scripts.

Owns these rules, with a table of letters. Imports ``report``, ``grammar.registry``, the table of
schemes, and helpers beside it; the readers of hosts when a rule needs them. Invariant: nothing is
looked up.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..grammar import registry
from ..grammar.schemes import HOSTS, NO_AUTHORITY
from ..limits import LONGEST_LABEL, LONGEST_NAME
from ..percent.characters import octet
from ..report import Report
from ._parts import MAPPED, decoded, runs, scheme, shown, stands_for
from ._rule import Has, Place, rule


@rule(
    title="An authority without a host",
    why="""The generic syntax allows an empty host, but these schemes do not (RFC 3986 §3.2.2, RFC
    9110 §4.2.1). Browsers drop the third slash and use the text after it as the host.""",
    good="http://example.com/",
    bad="http:///example.com/",
    trigger=lambda text, has: has.get("host") == "",
)
def empty_host(report: Report) -> Iterator[Place]:
    """Silent where a scheme allows an empty host, as file does; the span is the slashes before
    it."""
    host = report.components["host"]
    if scheme(report) in HOSTS:
        message = f"The host is empty, but {scheme(report)} URIs must have one."
        yield host.start - 2, host.end, "host", message


@rule(
    title="A percent-encoded ASCII character in a host",
    why="""Percent-encoding in a registered name is meant for characters outside ASCII. A parser
    that decodes before it splits the URI sees a different host than one that does not (RFC 3986
    §3.2.2, §7.3, §7.6).""",
    good="http://good.example.com/",
    bad="http://good.com%2Fexample.com/",
    trigger=lambda text, has: "%" in has.get("host", ""),
)
def encoded_ascii_in_host(report: Report) -> Iterator[Place]:
    """Unreserved and control characters are left to the advice about them."""
    for start, end in runs(report.components["host"], _needs_encoding):
        plain = shown(decoded(report.text[start:end]))
        message = (
            f"{plain} is encoded in a host; software that decodes it too early sees another host."
        )
        yield start, end, "host", message


def _needs_encoding(triplet: str) -> bool:
    value = octet(triplet)
    return (
        value is not None
        and chr(value).isascii()
        and not stands_for(triplet, "unreserved")
        and not stands_for(triplet, "CTL", "rfc5234")
    )


def _number_at_end(text: str, has: Has) -> bool:
    host = has.get("host", "")
    return "%" in host or host.removesuffix(".").rpartition(".")[2][:1].isdigit()


@rule(
    title="A registered name that looks like an IPv4 address",
    why="""An IPv4 address is four decimal octets without leading zeros; the grammar reads anything
    else as a registered name (RFC 3986 §3.2.2). Browsers and inet_aton still read octal,
    hexadecimal and shorter forms as addresses, so they pass filters that look for four decimal
    octets (RFC 3986 §7.4, WHATWG URL Standard §3.5). Browsers reject every other name whose last
    label is a number.""",
    good="http://8.8.8.8/",
    bad="http://0177.0.0.1/",
    trigger=_number_at_end,
)
def ipv4_look_alike(report: Report) -> Iterator[Place]:
    """Which hosts look like an address comes from the grammar."""
    from ..percent.hosts.addresses import ends_in_number, read_ipv4

    host = report.components["host"]
    name = decoded(host.text).removesuffix(".")
    if not ends_in_number(name):
        return
    if not registry.load("advice-ipv4-look-alike").accepts("IPv4-look-alike", name):
        if scheme(report) in MAPPED and "%" not in host.text and host.text.isascii():
            message = "This host ends in a number but is not an IPv4 address; browsers reject it."
            yield host.start, host.end, "host", message
        return
    if registry.load("rfc3986").accepts("IPv4address", host.text):
        return
    address = read_ipv4(name)
    message = (
        "This looks like an IPv4 address but is not one; browsers reject it."
        if address is None
        else f"This is a registered name, but browsers and inet_aton read it as {shown(address)}."
    )
    yield host.start, host.end, "host", message


def _beyond_ascii(text: str, has: Has) -> bool:
    host = has.get("host", "")
    return "%" in host or "xn--" in host or not host.isascii()


@rule(
    title="A host outside ASCII that browsers change or reject",
    why="""Browsers decode and map a host before they use it (WHATWG URL Standard §3.5, UTS #46 §4):
    ideographic and full-width full stops become dots, circled and full-width letters and digits
    become plain ones, and soft hyphens and zero-width characters disappear. A check of the host as
    it is written, or after decoding only, sees a different host than the browser connects to (RFC
    3986 §3.2.2, §7.6).""",
    good="http://caf%C3%A9.example.com/",
    bad="http://127%E3%80%820%E3%80%820%E3%80%821/",
    trigger=_beyond_ascii,
)
def mapped_host(report: Report) -> Iterator[Place]:
    """Silent on a host that browsers read as it is written, but for case, and on octets that are no
    UTF-8."""
    host = report.components["host"]
    if scheme(report) not in MAPPED or (host.text.isascii() and "%" not in host.text):
        return
    from urllib.parse import unquote

    from ..percent.hosts.browsers import browser_host
    from ._hosts import decoded_name

    try:
        plain = unquote(host.text, errors="strict")
    except UnicodeDecodeError:
        return
    if plain.isascii():
        return
    read = browser_host(host.text)
    if read is None:
        message = (
            "Browsers reject this host: its characters, or their order, are not allowed in names."
        )
    elif decoded_name(read) != plain.lower():
        message = f"Browsers read this host as {shown(read)}."
    else:
        return
    yield host.start, host.end, "host", message


@rule(
    title="Letters of several scripts in one label",
    why="""Letters of other scripts can look like Latin letters, so that one name reads as another
    (RFC 3986 §7.6, RFC 5890 §4.4). Latin next to Han with kana, bopomofo or hangul is not reported:
    Japanese, Chinese and Korean are written that way (UTS #39 §5.2).""",
    good="http://xn--mnchen-3ya.example.com/",
    bad="http://xn--pple-43d.example.com/",
    trigger=_beyond_ascii,
)
def mixed_script(report: Report) -> Iterator[Place]:
    """Judges each label by itself, and lets the mixtures pass in which languages are written."""
    from ..percent.hosts.scripts import is_highly_restrictive, scripts
    from ._hosts import decoded_labels

    for label in decoded_labels(report.components["host"]):
        if not is_highly_restrictive(label.decoded or ""):
            found = sorted(scripts(label.decoded or ""))
            mixed = " and ".join(script.replace("_", " ") for script in found)
            escaped = (label.decoded or "").encode("unicode_escape").decode("ascii")
            message = f"This label is {shown(escaped)}; it mixes letters of {mixed}."
            yield label.start, label.end, "host", message


def _unusual_host(text: str, has: Has) -> bool:
    host = has.get("host", "")
    labels = host.split(".")
    plain = all(label.isalnum() and len(label) <= LONGEST_LABEL for label in labels)
    return bool(host) and not (plain and len(host) <= LONGEST_NAME and labels[-1].isalpha())


@rule(
    title="A registered name that is not a host name",
    why="""A name in the DNS consists of labels of 1 to 63 letters, digits and hyphens, without a
    hyphen at either end, and has at most 253 characters (RFC 3986 §3.2.2, RFC 1123 §2.1, RFC 1035
    §2.3.4). The DNS itself can hold any name, often with underscores (RFC 2181 §11, RFC 8552 §1.1),
    but software that expects a host name might reject it.""",
    good="http://a-b.example.com/",
    bad="http://a_b.example.com/",
    trigger=_unusual_host,
)
def non_dns_host(report: Report) -> Iterator[Place]:
    """Silent on addresses, and on names with percent-encoding, which have advice of their own."""
    host = report.components["host"]
    if host.text[0] == "[" or "%" in host.text or scheme(report) not in HOSTS:
        return
    if not host.text.isascii():  # an IRI
        return
    name = host.text.removesuffix(".")
    if not registry.load("advice-host-look-alike").accepts("host-name", name):
        reason = "a label has letters, digits, and hyphens between them."
        if registry.load("advice-host-look-alike").accepts("host-name", name.replace("_", "a")):
            reason = "the DNS allows underscores, but some software rejects them in a host."
    elif len(name) > LONGEST_NAME:
        reason = f"it has more than {LONGEST_NAME} characters."
    elif len(name) > LONGEST_LABEL and max(map(len, name.split("."))) > LONGEST_LABEL:
        reason = f"a label has more than {LONGEST_LABEL} characters."
    else:
        return
    yield host.start, host.end, "host", f"This is not a valid host name: {reason}"


@rule(
    title="An address that is not global",
    why="""Loopback, private, link-local and other special-purpose addresses mean a different
    machine to each reader, and in a URI from outside they lead into the internal network (RFC 6890
    §2.2.2, §2.2.3, RFC 3986 §1.1). An IPv6 address can contain an IPv4 address (RFC 4291 §2.5.5,
    RFC 6052 §2.1, RFC 3056 §2, RFC 4380 §4, RFC 5214 §6.1).""",
    good="http://8.8.8.8/",
    bad="http://169.254.169.254/",
    trigger=lambda text, has: (host := has.get("host", ""))[:1] == "[" or host[-1:].isdigit(),
)
def special_purpose_address(report: Report) -> Iterator[Place]:
    """Looks at addresses alone, never at names, and resolves nothing."""
    from ..percent.hosts.addresses import address_of
    from ._hosts import special

    host = report.components["host"]
    address = address_of(host.text)
    for _, what in special(address) if address else ():
        message = f"This address is not global ({what}); elsewhere it means another machine."
        yield host.start, host.end, "host", message
        return


@rule(
    title="A label that starts with xn-- but is not valid Punycode",
    why="""A label that starts with xn-- is the Punycode form of a label with characters outside
    ASCII (RFC 5890 §2.3.2.1, RFC 3492). This one cannot be decoded, or decodes to ASCII only or to
    characters that labels cannot contain (RFC 5891 §5.4, UTS #46 §4.1).""",
    good="http://xn--mnchen-3ya.example.com/",
    bad="http://xn--99999999.example.com/",
    trigger=_beyond_ascii,
)
def undecodable_label(report: Report) -> Iterator[Place]:
    """A label that UTS #46 makes itself again is never reported; browsers accept the others in a
    host that is ASCII, as the URL Standard has it since June 2026."""
    from ..percent.hosts.browsers import to_ascii
    from ..percent.hosts.labels import ACE_PREFIX
    from ._hosts import decoded_labels

    for label in decoded_labels(report.components["host"]):
        if label.decoded is None:
            message = "This label starts with xn-- but does not stand for characters outside ASCII."
            yield label.start, label.end, "host", message
        elif label.text[:4].lower() == ACE_PREFIX and to_ascii(label.text) is None:
            escaped = label.decoded.encode("unicode_escape").decode("ascii")
            message = f"This label stands for {shown(escaped)}, which is not valid in a host name."
            yield label.start, label.end, "host", message


@rule(
    title="Upper-case letters in a host",
    why="""Case does not matter in a host, but the strings differ: producers should write names and
    hexadecimal addresses in lower case (RFC 3986 §3.2.2, §6.2.2.1, RFC 5952 §4.3).""",
    good="http://example.com/",
    bad="http://Example.COM/",
    trigger=lambda text, has: has.get("host") and text != text.lower(),
)
def upper_case_host(report: Report) -> Iterator[Place]:
    """The digits of percent-encoding do not count, for they should be in upper case."""
    host = report.components["host"]
    first, *others = host.text.split("%")
    bare = first + "".join(piece[2:] for piece in others)
    if bare != bare.lower() and scheme(report) not in NO_AUTHORITY:
        message = "The host is in upper case; write it in lower case."
        yield host.start, host.end, "host", message


# The lower-case letters that the confusables data of UTS #39 maps to a single Latin letter:
# Greek, Cyrillic, Armenian. Palochka, which it maps to i, looks like l in lower case.
_LATIN = (
    str.maketrans("\u03b1\u03b3\u03b9\u03bd\u03bf\u03c1\u03c3\u03c5\u03f3", "ayivopouj")
    | str.maketrans("\u0430\u0433\u0435\u043e\u0440\u0441\u0443\u0445", "areopcyx")
    | str.maketrans("\u0455\u0456\u0458\u0461\u0475\u04af\u04bb", "sijwvyh")
    | str.maketrans("\u04bd\u04cf\u0501\u051b\u051d", "eldqw")
    | str.maketrans("\u0561\u0563\u0566\u0570\u0578", "wqqhn")
    | str.maketrans("\u057c\u057d\u0581\u0584\u0585", "nugfo")
)


@rule(
    title="A label of another script that reads as a Latin one",
    why="""Every letter of the label looks like a Latin letter, so readers cannot tell the name from
    the Latin one (RFC 3986 §7.6, RFC 5890 §4.4, UTS #39 §4.1). Under a top-level domain of the same
    script such a label is expected and not reported.""",
    good="http://xn--mnchen-3ya.example.com/",
    bad="http://xn--80ak6aa92e.com/",
    trigger=_beyond_ascii,
)
def whole_script_look_alike(report: Report) -> Iterator[Place]:
    """The letters of the table keep their shape in every normal form (RFC 5892)."""
    from ..percent.hosts.scripts import scripts
    from ._hosts import decoded_labels

    host = report.components["host"]
    found = list(decoded_labels(host))
    if not found or found[-1].end == host.end:
        return
    for label in found:
        text = label.decoded or ""
        latin = text.translate(_LATIN)
        if latin.isascii() and len(scripts(text)) == 1 and "Latin" not in scripts(text):
            message = f"This label reads like {shown(latin)}, but its letters are not Latin."
            yield label.start, label.end, "host", message
