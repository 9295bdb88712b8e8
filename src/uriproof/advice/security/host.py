"""Attacks by way of the host: names that lead elsewhere than they seem to.

Owns these rules. Imports ``report`` and helpers. Invariant: nothing is looked up in the DNS.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address

from ...report import Report
from .._addresses import purpose
from .._pieces import shown
from .._rule import Place, rule
from .._schemes import scheme
from ._hosts import LOOPBACK, WILDCARD, carried_address, is_below, is_metadata, target
from ._names import OLDEST


@rule(
    "address-in-name",
    title="A name that contains an address",
    why=(
        "Some services of the DNS answer a name with the address that is written in it, so that a "
        "list of refused addresses does not see it (RFC 3986 §7.4). A private address in any "
        "other name is at least misleading."
    ),
    case=(
        "OWASP, Server-Side Request Forgery Prevention Cheat Sheet; PortSwigger, URL validation "
        "bypass cheat sheet: 127.0.0.1.nip.io."
    ),
    alarms=0,
    good="http://10.example.com/",
    bad="http://10.0.0.1.nip.io/",
)
def address_in_name(report: Report) -> Iterator[Place]:
    found = target(report)
    if found is None or found.addresses:
        return
    carried = carried_address(found.name)
    if is_below(found.name, WILDCARD) or (carried and purpose(IPv4Address(carried))):
        leads = f"contains {carried}" if carried else "resolves to an address written in it"
        message = f"this name {leads}: checks of addresses do not see it"
        yield found.host.start, found.host.end, "host", message


@rule(
    "domain-inside-host",
    title="A domain in front of another one",
    why=(
        "The registrable domain is at the end of a name (RFC 3986 §3.2.2, §7.6); what comes "
        "before it is free, and can read like a trusted name: a check of how the name begins "
        "accepts it."
    ),
    case="PortSwigger, URL validation bypass cheat sheet: allowed-domain.com.attacker.com.",
    alarms=7,
    good="http://com.example.net/",
    bad="http://example.com.attacker.net/",
)
def domain_inside_host(report: Report) -> Iterator[Place]:
    found = target(report)
    if found is None or found.addresses or scheme(report) == "":
        return
    labels = found.name.split(".")
    # "example.com.br" and "www.gov.bc.ca" are of a country: more than its letters must come after.
    for at in range(1, len(labels) - 2):
        if labels[at] in OLDEST and max(map(len, labels[at + 1 :])) > len("br"):
            break
    else:
        if labels[0] not in LOOPBACK or len(labels) < 3 or found.name in LOOPBACK:  # noqa: PLR2004
            return
        at = 0
    inside, owner = ".".join(labels[: at + 1]), ".".join(labels[at + 1 :])
    message = f"reads like {shown(inside)}, but belongs to {shown(owner)}"
    yield found.host.start, found.host.end, "host", message


@rule(
    "host-trailing-dot",
    title="A host that ends with a dot",
    why=(
        "The dot at the end of a name is the root of the DNS and leads to the same machine (RFC "
        "3986 §3.2.2), but lists of hosts, cookies, certificates and HSTS compare strings."
    ),
    case=(
        "CVE-2022-30115, curl: HSTS is evaded by a dot behind the host; CVE-2022-27779, curl: "
        "cookies."
    ),
    alarms=1,
    good="http://example.com/",
    bad="http://example.com./",
)
def host_trailing_dot(report: Report) -> Iterator[Place]:
    found = target(report)
    if found and found.host.text.endswith(".") and not found.addresses:
        message = "the same host as without the dot, but a different string in lists of hosts"
        yield found.host.end - 1, found.host.end, "host", message


@rule(
    "loopback-name",
    title="A name that means the reader's own machine",
    why=(
        "Names at and below localhost mean the machine that reads the URI (RFC 6761 §6.3), and so "
        "do some names of the public DNS: a check of addresses sees none of them."
    ),
    case=(
        "OWASP, Server-Side Request Forgery Prevention Cheat Sheet; GitHub Enterprise, by way of "
        "a service on localhost (Orange Tsai, 2017: A New Era of SSRF)."
    ),
    alarms=0,
    good="http://example.com/",
    bad="http://localhost:6379/",
)
def loopback_name(report: Report) -> Iterator[Place]:
    found = target(report)
    if found and is_below(found.name, LOOPBACK):
        message = "this name leads to the reader's own machine"
        yield found.host.start, found.host.end, "host", message


@rule(
    "metadata-host",
    title="A cloud metadata service",
    why=(
        "Machines in a cloud ask a link-local address for their keys; a server that fetches any "
        "URI asks it for whoever sends the URI (RFC 3927 §2.1, RFC 3986 §7.4). Each spelling of "
        "the address counts, and each of its names."
    ),
    case=(
        "Capital One, 2019: keys of 100 million customers' data by way of http://169.254.169.254/."
    ),
    alarms=0,
    instead=("special-purpose-address", "ipv4-look-alike", "mapped-host"),
    good="http://example.com/latest/meta-data/",
    bad="http://169.254.169.254/latest/meta-data/",
)
def metadata_host(report: Report) -> Iterator[Place]:
    found = target(report)
    if found and is_metadata(found):
        message = "a cloud metadata service, which gives out credentials"
        yield found.host.start, found.host.end, "host", message
