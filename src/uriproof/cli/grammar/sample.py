"""``uriproof grammar sample``: test data for any parser, with the expected verdicts.

May import every other layer. Invariant: the same arguments print the same; the labels valid and
invalid are right, and a text is printed exactly or not at all: if a line of text cannot hold it,
the command ends with a remedy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from ...text.drawing import visible
from ...text.names import did_you_mean
from .._grammars import grammar_option, refusals, subject
from .._group import Refused, examples
from .._options import flag, format_choice, integer, refuse_beside, value
from .._output import print_json

if TYPE_CHECKING:
    from ... import Grammar
    from ...report import Report
    from ...workbench.samples import Miss, Way

_COUNT = 10
_KINDS: dict[str, tuple[Way, ...]] = {
    "illegal": ("illegal",),
    "missing": ("missing",),
    "bad-escape": ("bad-escape",),
    "extra": ("illegal", "missing"),
}
_SHOWN = ("start", "end", "component", "production", "kind")
_TRIES = 5_000
"""Near misses tried in a row for one with the requested violation."""


def _range(_: click.Context, __: click.Parameter, given: str | None) -> tuple[int, int] | None:
    """``MIN-MAX``, or one length."""
    if given is None:
        return None
    low, dash, high = given.partition("-")
    if not (low.isdecimal() and (high.isdecimal() or not dash)) or len(given) > len("99999-99999"):
        raise click.BadParameter("write MIN-MAX in characters, such as 5-40, or one length")
    least, most = int(low), int(high if dash else low)
    if most < least:
        raise click.BadParameter(f"the maximum {most} is less than the minimum {least}")
    return least, most


@click.command(
    short_help="Generate texts that a rule accepts, or nearly.",
    epilog=examples(
        ("uriproof grammar sample URI -n 5", "valid texts"),
        ("uriproof grammar sample URI --invalid", "nearly valid ones"),
    ),
)
@click.argument("rule")
@grammar_option
@integer("-n --count N", f"Number of texts.  [default: {_COUNT}]")
@value("--seed N", "Seed of the random texts.", type=int, default=0)
@value("--length MIN-MAX", "Length in characters.", callback=_range)
@flag("--cover", "Short texts that together use every transition of the rule.")
@flag("--invalid", "Invalid texts that are nearly valid, with the edit made.")
@value("broken --break WHAT", "Invalid texts that violate one component, production or kind.")
@flag("--any-character", "Use all of Unicode; each text is equally likely.")
@format_choice("text", "json", "jsonl")
def command(
    *,
    rule: str,
    grammar: str,
    count: int | None,
    seed: int,
    length: tuple[int, int] | None,
    cover: bool,
    invalid: bool,
    broken: str | None,
    any_character: bool,
    form: str,
) -> int:
    """Print random texts that RULE accepts or, with --invalid, nearly accepts.

    RULE is a rule of the grammar that -g names, or GRAMMAR:RULE, or FILE.abnf:RULE. With --break
    WHAT, the first violation of each text is in that component (host), production (IPv6address)
    or of that kind (illegal, missing, bad-escape, extra).

    Text output has one sample on each line, escaped on a terminal. JSON has the verdict for each
    text and, if it is invalid, the edit and each violation.

    \b
    Exit code: 0  printed
               2  invalid usage, no such text exists, or a line cannot hold it
    """
    if cover:
        refuse_beside("--cover", "length", "invalid", "broken", "any_character")
    chosen, name = subject(rule, grammar)
    with refusals():
        records: Iterable[dict[str, Any]]
        if invalid or broken is not None:
            broken = None if broken is None else _known(chosen, broken)
            records = _misses(chosen, name, broken, seed, length, not any_character)
        else:
            texts = _valid(chosen, name, seed, length, cover, not any_character)
            facts = {"valid": True, "rule": name, "grammar": chosen.name}
            records = ({"text": text, **facts} for text in texts)
        most = count if count is not None or cover else _COUNT
        _print(islice(records, most), form)
    return 0


def _valid(
    grammar: Grammar,
    rule: str,
    seed: int,
    length: tuple[int, int] | None,
    cover: bool,
    readable: bool,
) -> Iterator[str]:
    from ...grammar.machine.sample import cover as covering
    from ...workbench.samples import distinct

    if cover:
        return covering(grammar.automaton(rule))
    least, most = length or (None, None)
    return distinct(grammar.compiled, rule, seed=seed, least=least, most=most, readable=readable)


def _known(grammar: Grammar, what: str) -> str:
    """A component, a kind or a production, as it is spelled. Errors: ValueError."""
    model = grammar.compiled.model
    known = [*dict.fromkeys(model.components.values()), *_KINDS, *model.rules]
    if what in known:
        return what
    if found := model.find(what):
        return found.name
    near = did_you_mean(what, known, listed=f"uriproof grammar show {grammar.name}")
    raise ValueError(f"{what!r} is not a component, production or kind{near}")


def _misses(
    grammar: Grammar,
    rule: str,
    broken: str | None,
    seed: int,
    length: tuple[int, int] | None,
    readable: bool,
) -> Iterator[dict[str, Any]]:
    """Near misses of which the first violation is of a component, production or kind; None for any.

    Errors: ValueError, if ``_TRIES`` in a row have none.
    """
    from ...workbench.samples import misses

    checked = grammar[rule].check

    def within(text: str) -> tuple[int, int] | None:
        """The offsets of the component in a sample."""
        part = checked(text).components.get(broken or "")
        return None if part is None else (part.start, part.end)

    options: dict[str, Any] = {"ways": _KINDS[broken]} if broken in _KINDS else {}
    if broken in grammar.compiled.model.components.values():
        options["within"] = within
    least, most = length or (None, None)
    drawn = misses(
        *(grammar.compiled, rule), seed=seed, least=least, most=most, readable=readable, **options
    )
    left = _TRIES
    for miss in drawn:
        report = checked(miss.text)
        first = report.violations[0] if report.violations else None
        if first and broken in (None, first.kind, first.component, first.production):
            left = _TRIES
            yield _record(miss, report)
        left -= 1
        if not left:
            words = f"{_TRIES:,} near misses of {rule} in a row did not break {broken}"
            raise ValueError(words)


def _record(miss: Miss, report: Report) -> dict[str, Any]:
    return {
        "text": miss.text,
        "valid": False,
        "rule": report.rule,
        "grammar": report.grammar,
        "edit": asdict(miss.edit),
        "violations": [{name: getattr(v, name) for name in _SHOWN} for v in report.violations],
    }


def _print(records: Iterable[dict[str, Any]], form: str) -> None:
    if form == "jsonl":
        for record in records:
            print_json(record)
        return
    if form == "json":
        print_json(records)
        return
    if sys.stdout.isatty():
        for record in records:
            click.echo(visible(record["text"]))
        return
    sys.stdout.flush()
    for number, record in enumerate(records, 1):
        text: str = record["text"]
        if "\n" in text or "\r" in text:
            raise _unprintable(number, text, "has a line break")
        try:
            sys.stdout.buffer.write(text.encode() + b"\n")
        except UnicodeEncodeError:
            raise _unprintable(
                number, text, "has a lone surrogate, which UTF-8 cannot hold"
            ) from None
    sys.stdout.buffer.flush()


def _unprintable(number: int, text: str, why: str) -> click.ClickException:
    return Refused(f"sample {number}, {visible(text[:80])}, {why}; use --format jsonl")
