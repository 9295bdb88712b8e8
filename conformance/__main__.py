"""``python -m conformance``: ask one program, or every parser of the list.

Owns the command line. Invariant: exit code 0 if the program gave no wrong verdict, 1 if it did, 2
for a wrong call; of the whole list 0, whatever the parsers say, for that is what is looked for.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

from uriproof.text.drawing import visible

from . import page
from .adapter import NotStarted, Program
from .catalogue import NotInstalled, Parser, parsers
from .confusion import confusions, found_hosts
from .judge import Witness
from .run import RULES, Result, asked
from .texts import FULL, QUICK, Sizes

RESULTS = Path(__file__).resolve().parent / "results.json"
SEED = 3986
SHOWN = 20
"""Classes that are printed; the JSON has all of them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line, and do what it says."""
    options = _parser().parse_args(arguments)
    # Ended from outside, it leaves no program behind either.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if options.command == "run":
        return _run(options)
    if options.command == "minefield":
        return _minefield(options)
    page.write(json.loads(RESULTS.read_text("utf-8")))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="ask a program: run [OPTIONS] -- COMMAND ARGUMENT...")
    run.add_argument("--rule", action="append", choices=RULES, help="only this rule; repeatable")
    run.add_argument("--json", type=Path, metavar="FILE", help="write everything into FILE")
    run.add_argument("--ascii", action="store_true", help="for validators of IRIs: ASCII alone")
    run.add_argument("program", nargs="+", metavar="COMMAND", help="the adapter and its arguments")
    whole = commands.add_parser("minefield", help="ask every parser of conformance/parsers.toml")
    whole.add_argument("--only", action="append", metavar="NAME", help="this parser; repeatable")
    commands.add_parser("page", help="write docs/evidence/minefield.md from the last results")
    for command in (run, whole):
        command.add_argument("--quick", action="store_true", help="seconds, with far fewer texts")
        command.add_argument("--seed", type=int, default=SEED, help=f"default: {SEED}")
    return parser


def _sizes(options: argparse.Namespace) -> Sizes:
    return QUICK if options.quick else FULL


def _run(options: argparse.Namespace) -> int:
    with Program(options.program) as program:
        try:
            results, _ = asked(
                program,
                options.seed,
                _sizes(options),
                ascii_only=options.ascii,
                rules=options.rule or RULES,
            )
        except NotStarted as error:
            print(f"conformance: {error}", file=sys.stderr)
            return 2
    for rule, result in results.items():
        print("\n".join(_lines(rule, result)))
    if not results:
        print(f"The program has nothing like {' or '.join(options.rule or RULES)}: valid is null.")
    failed = any(result["failures"] for result in results.values())
    if failed and program.said:
        print(f"The end of its standard error:\n{visible(program.said)}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    wrong = any(result["accepted"] or result["refused"] for result in results.values())
    return int(wrong or failed)


def _lines(rule: str, result: Result) -> list[str]:
    """What a terminal shows of a rule."""
    lines = [
        (
            f"{rule}: {result['texts']:,} texts, {result['accepted']:,} accepted wrongly, "
            f"{result['refused']:,} refused wrongly"
        )
    ]
    for name, found in result["failures"].items():
        lines.append(f"  {name}: {found['texts']:,} texts, such as {_quoted(found['shortest'])}")
    for found in result["classes"][:SHOWN]:
        what = " + ".join(found["parts"]) or "other texts"
        lines.append(
            f"  {found['verb']}  {_quoted(found['examples'][0]):<24}  {what}, {found['section']}"
        )
    more = len(result["classes"]) - SHOWN
    if more > 0:
        lines.append(f"  and {more} more classes: --json FILE has all of them")
    return lines


def _quoted(text: str) -> str:
    return f'"{visible(text)}"'


def _minefield(options: argparse.Namespace) -> int:
    """Ask all that are installed, compare their hosts, and write the results and the page."""
    began = perf_counter()
    rows: list[Result] = []
    missing: list[Result] = []
    with ExitStack() as stack:
        witnesses: dict[str, Witness] = {}
        for parser in parsers():
            if options.only and parser.name not in options.only:
                continue
            try:
                parser.built()
                row: Result = {"version": parser.installed_version()}
                program = stack.enter_context(parser.program())
                row["rules"], found = asked(
                    program,
                    options.seed,
                    _sizes(options),
                    ascii_only=parser.ascii_only,
                    slow=parser.slow,
                )
            except (NotInstalled, NotStarted) as error:
                missing.append(_described(parser) | {"reason": str(error)})
                print(error, flush=True)
                continue
            witness = witnesses[parser.name] = found["URI"]
            if parser.name in page.FAMILIAR:
                row["typical"] = {t: _said(witness, t) for t in (*page.TYPICAL, page.FAULTY)}
            rows.append(_described(parser) | row)
            print("\n".join([parser.name, *_summary(row["rules"])]), flush=True)
        pairs = confusions(witnesses)
        hosts = found_hosts(pairs, witnesses)
    results = {
        "seed": options.seed,
        "parsers": rows,
        "missing": missing,
        "confusions": pairs,
        "hosts": hosts,
    }
    if not (options.only or options.quick):
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
        page.write(results)
    print(f"{len(rows)} parsers, {len(pairs)} pairs with two hosts, {perf_counter() - began:.0f} s")
    return 0


def _said(witness: Witness, text: str) -> Result:
    answer = witness.answer(text)
    return {"valid": answer.valid is True, "message": answer.message}


def _described(parser: Parser) -> Result:
    names = ("name", "language", "claims", "entry", "package")
    return {name: getattr(parser, name) for name in names}


def _summary(results: dict[str, Result]) -> list[str]:
    return [
        f"  {rule}: {r['texts']:,} texts, {r['accepted']:,} accepted wrongly, "
        f"{r['refused']:,} refused wrongly, {len(r['classes'])} classes"
        for rule, r in results.items()
    ]


if __name__ == "__main__":
    sys.exit(main())
