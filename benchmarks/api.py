"""API inputs: fields of pydantic and formats of JSON Schema, beside what each has itself.

Owns that comparison; imports the frameworks, where they are installed, and the clock. Invariant:
all jobs of a table get the same values, and say of each that it is valid or not as is stated here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from rich.console import Console
from rich.table import Table

from uriproof import is_valid
from uriproof.rule import Grammar

from .goals import Goal
from .texts import INVALID, VALID
from .timing import Job, medians

# As long as the URI.
IRI = "http://user:pw@www.例え.jp:8080/over/thére/今日は/a%20b;v=1?ключ=значение&x=1#nøse"
FIELDS = {
    "valid": {"id": VALID, "home": "https://example.com/a?b=c#d", "mail": "mailto:me@example.com"},
    "one invalid": {"id": INVALID, "home": "https://example.com/", "mail": "mailto:me@example.com"},
}
HTTP_URL = "https://www.example.com/over/there/index.html?name=ferret&x=1#nose"
FORMATS = {"uri": VALID, "iri": IRI, "uri, invalid": INVALID}
MODELS, CHECKS = "a model of three fields", "jsonschema, one format"
HTTP = "one field of pydantic, an http URL"
OURS, ANY_URL, RUST = "uriproof", "pydantic AnyUrl", "jsonschema-rs, its own"
GPL, NO_GPL = "jsonschema, extra format", "jsonschema, extra format-nongpl"


@dataclass(frozen=True)
class Api:
    """Seconds of one validation, by table, tool and kind of value."""

    seconds: dict[tuple[str, str, str], float]
    missing: list[str]


def measure() -> Api:
    """Each table in interleaved rounds. Cost: some seconds; the slowest format takes most."""
    jobs: dict[tuple[str, str, str], Job] = {}
    missing: list[str] = []
    for add in (_models, _http, _rust_models, _formats, _gpl, _no_gpl, _rust):
        try:
            jobs |= add()
        except ImportError as error:
            missing.append(str(error.name))
    return Api(medians(jobs), missing)


def show(console: Console, found: Api) -> None:
    """A table each: microseconds, and how many times that is of ours."""
    for title in (MODELS, HTTP, CHECKS):
        kinds = list(dict.fromkeys(kind for t, _, kind in found.seconds if t == title))
        table = Table(title=f"{title}: microseconds; x is times uriproof")
        table.add_column("tool")
        for kind in kinds:
            table.add_column(kind, justify="right")
            table.add_column("x", justify="right", style="dim")
        for tool in dict.fromkeys(tool for t, tool, _ in found.seconds if t == title):
            cells: list[str] = []
            for kind in kinds:
                seconds = found.seconds.get((title, tool, kind))
                ours = found.seconds[title, OURS, kind]
                shown = (f"{seconds * 1e6:.2f}", f"{seconds / ours:.1f}") if seconds else ("", "")
                cells += shown
            table.add_row(tool, *cells)
        console.print(table)
    if found.missing:
        console.print("Not installed, so not measured: " + ", ".join(found.missing))


def goals(found: Api) -> list[Goal]:
    """What is asked for of valid values."""

    def times(title: str, tool: str, other: str, kind: str) -> float | None:
        mine, theirs = (found.seconds.get((title, t, kind)) for t in (tool, other))
        return mine / theirs if mine and theirs else None

    model = times(MODELS, OURS, ANY_URL, "valid")
    http = times(HTTP, OURS, ANY_URL, "valid")
    iri = times(CHECKS, NO_GPL, OURS, "iri")
    return [
        Goal("three fields of pydantic against AnyUrl", model, 1.5, False, "times"),
        Goal("HttpURI against AnyUrl", http, 1.5, False, "times"),
        Goal("iri of jsonschema, to its extra format-nongpl", iri, 5000.0, True, "times as fast"),
    ]


def _fields(tool: str, model: Any) -> dict[tuple[str, str, str], Job]:
    """A job for each kind of value; an error is made, not shown."""
    from pydantic import ValidationError

    def job(values: dict[str, str]) -> bool:
        try:
            model.model_validate(values)
        except ValidationError:
            return False
        return True

    return {(MODELS, tool, kind): _held(job, values, None) for kind, values in FIELDS.items()}


def _models() -> dict[tuple[str, str, str], Job]:
    from pydantic import AnyUrl, create_model

    from uriproof.adapters.for_pydantic import URI

    names = FIELDS["valid"]
    create: Any = create_model
    ours = create("Ours", **dict.fromkeys(names, (URI, ...)))
    theirs = create("Theirs", **dict.fromkeys(names, (AnyUrl, ...)))
    text = create("Text", **dict.fromkeys(names, (str, ...)))
    if any(getattr(ours(**names), name) is not value for name, value in names.items()):
        raise SystemExit("a value is not what came in")
    return _fields(OURS, ours) | _fields(ANY_URL, theirs) | _fields("pydantic str", text)


def _http() -> dict[tuple[str, str, str], Job]:
    """``HttpURI``, which has a policy, and the rule for URLs to fetch, beside pydantic's types."""
    from pydantic import AnyUrl, HttpUrl, TypeAdapter

    from uriproof import Policy, Rule
    from uriproof.adapters.for_pydantic import HttpURI

    fetched = Annotated[str, Rule(policy=Policy.fetches())]
    tools = {OURS: HttpURI, "uriproof, to fetch": fetched, ANY_URL: AnyUrl, "HttpUrl": HttpUrl}
    made: dict[str, Any] = {tool: TypeAdapter(kind) for tool, kind in tools.items()}
    jobs = {tool: _held(one.validate_python, HTTP_URL, None) for tool, one in made.items()}
    return {(HTTP, tool, "valid"): job for tool, job in jobs.items()}


def _rust_models() -> dict[tuple[str, str, str], Job]:
    """The same fields by jsonschema-rs: for scale."""
    from jsonschema_rs import validator_for

    properties = {name: {"type": "string", "format": "uri"} for name in FIELDS["valid"]}
    valid = validator_for({"properties": properties}, validate_formats=True).is_valid
    return {(MODELS, RUST, kind): _held(valid, v, None) for kind, v in FIELDS.items()}


def _formats() -> dict[tuple[str, str, str], Job]:
    from uriproof.adapters.for_jsonschema import format_checker

    return _checks(OURS, format_checker())


def _gpl() -> dict[tuple[str, str, str], Job]:
    import rfc3987
    from jsonschema import FormatChecker

    checker = FormatChecker()
    checker.checks("uri", raises=ValueError)(lambda text: rfc3987.parse(text, rule="URI"))
    checker.checks("iri", raises=ValueError)(lambda text: rfc3987.parse(text, rule="IRI"))
    return _checks(GPL, checker)


def _no_gpl() -> dict[tuple[str, str, str], Job]:
    from jsonschema import FormatChecker
    from rfc3986_validator import validate_rfc3986
    from rfc3987_syntax import is_valid_syntax

    checker = FormatChecker()
    checker.checks("uri")(lambda text: validate_rfc3986(text, rule="URI"))
    checker.checks("iri")(lambda text: is_valid_syntax("iri", text))
    return _checks(NO_GPL, checker)


def _rust() -> dict[tuple[str, str, str], Job]:
    from jsonschema_rs import validator_for

    def jobs(tool: str, options: dict[str, Any]) -> dict[tuple[str, str, str], Job]:
        made: dict[tuple[str, str, str], Job] = {}
        for kind, text in FORMATS.items():
            schema = {"format": kind.partition(",")[0]}
            valid = validator_for(schema, validate_formats=True, **options).is_valid
            made[CHECKS, tool, kind] = _held(valid, text, "invalid" not in kind)
        return made

    iri = Grammar.load("rfc3987")
    ours = {"uri": is_valid, "iri": iri["IRI"].is_valid}
    return jobs(RUST, {}) | jobs("jsonschema-rs, uriproof", {"formats": ours})


def _checks(tool: str, checker: Any) -> dict[tuple[str, str, str], Job]:
    from jsonschema import Draft202012Validator

    made: dict[tuple[str, str, str], Job] = {}
    for kind, text in FORMATS.items():
        schema = {"format": kind.partition(",")[0]}
        valid = Draft202012Validator(schema, format_checker=checker).is_valid
        made[CHECKS, tool, kind] = _held(valid, text, "invalid" not in kind)
    return made


def _held(job: Callable[[Any], bool], value: Any, wanted: bool | None) -> Job:
    """The job on a value; the run ends where something that is fast is wrong."""
    if wanted is not None and job(value) is not wanted:
        raise SystemExit(f"{value!r} is {'valid' if wanted else 'invalid'}")
    return lambda: job(value)
