"""The public face: a rule, and a text, in; a verdict, a report or a tree out.

Owns ``Rule``, the value that texts are validated against, ``Grammar``, which has the rules, and the
functions, which are one line each over a ``Rule``. Imports everything below it, lazily if the
verdict does not need it. Invariant: ``is_valid``, ``check``, ``parse`` and ``require`` agree on
every text.
"""

from __future__ import annotations

from .arguments import flags, iterables, limits, strings, strings_or_none, wrong
from .errors import Value
from .limits import EXPLAINED
from .plug_ins import from_above

TYPE_CHECKING = False  # like that of typing, which takes longer to import than all else here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, NoReturn

    import lark

    from .grammar.compiled import Compiled
    from .grammar.machine.automaton import Automaton
    from .grammar.model import Model
    from .policy import Policy
    from .report import Report
    from .validate.report import Validation

__all__ = ["Grammar", "Rule", "are_valid", "as_grammar", "as_rule", "check"]
__all__ += ["check_bounded", "check_many", "is_valid", "parse", "require"]

GENERIC = "rfc3986"

FORMATS = {
    "uri": ("URI", GENERIC),
    "uri-reference": ("URI-reference", GENERIC),
    "iri": ("IRI", "rfc3987"),
    "iri-reference": ("IRI-reference", "rfc3987"),
    "uri-template": ("URI-Template", "rfc6570"),
}
"""The formats of JSON Schema, each with its rule and grammar (JSON Schema Validation §7.3.5)."""


_ABOUT = {"query": "a query grammar", "scheme": "scheme rules"}
"""The parts of a ``Rule`` that are about a component."""

_ONE_TEXT = "for one text, call is_valid"
_ONE_CHECK = "for one text, call check"


class Rule(Value):
    """The rule that texts are validated against: immutable, hashable, equal by value, picklable.

    ``name`` is a production of ``grammar``, in any case: a bundled grammar, by its name, or your
    own. ``query``, the name of a bundled query grammar (``parameters``, ``key-value``) or a
    ``Grammar``, is a grammar whose start rule the query must also match. With ``schemes``, the text
    before the fragment must also match the grammar of its scheme, if there is a bundled one
    (``uriproof grammar list`` names the schemes). ``policy`` rejects texts that the grammar allows.

    Every function that validates takes a ``Rule``, and ``Annotated[str, Rule("absolute-URI")]`` is
    a field that pydantic validates; other classes validate it if ``uriproof.fields.Checked`` is a
    base. As a validator of attrs, ``attrs.field(validator=Rule("URI"))``, it is called.

    Errors: UnknownRule, UnknownGrammar, with near names; GrammarError, GrammarLimit for a rule of
    your own grammar that cannot be used; ValueError for ``schemes`` with another grammar than
    rfc3986, or a query grammar, ``schemes`` or a policy that the rule has no part for; TypeError.
    Cost: the rule's expression is read once for each grammar.

    >>> strict = Rule("absolute-URI", query="key-value")
    >>> strict.is_valid("http://h/?a=1&b=2"), strict.is_valid("http://h/?a")
    (True, False)
    >>> strict
    Rule('absolute-URI', query='key-value')
    """

    __slots__ = (
        "__weakref__",
        "_match",
        "_reporter",
        "grammar",
        "name",
        "policy",
        "query",
        "schemes",
    )

    name: str
    grammar: Grammar
    query: Grammar | None
    schemes: bool
    policy: Policy | None
    _match: Callable[[str], Any]
    _reporter: Callable[[str, int | None], Report] | None

    def __init__(
        self,
        name: str = "URI",
        *,
        grammar: str | Grammar = GENERIC,
        query: str | Grammar | None = None,
        schemes: bool = False,
        policy: Policy | None = None,
    ) -> None:
        strings(name=name)
        flags(schemes=schemes)
        fill = object.__setattr__
        home = as_grammar(grammar)
        fill(self, "grammar", home)
        fill(self, "name", home.compiled.rule_name(name))
        fill(self, "query", None if query is None else _query(query))
        fill(self, "schemes", schemes)
        fill(self, "policy", _effective(policy))
        fill(self, "_reporter", None)
        fill(self, "_match", self._matcher())

    def is_valid(self, text: str) -> bool:
        """True exactly when the rule accepts the whole text; see ``uriproof.is_valid``."""
        if not isinstance(text, str):
            strings(text=text)
        return True if self._match(text) else False  # noqa: SIM210 -- a call of bool() is slower

    def check(self, text: str) -> Report:
        """Report every character that the rule does not allow; see ``uriproof.check``."""
        if not isinstance(text, str):
            strings(text=text)
        return (self._reporter or self._make_reporter())(text, None)

    def parse(self, text: str) -> lark.Tree[Any]:
        """The tree of the text; see ``uriproof.parse``."""
        from .validate.parse import parse

        compiled = self.grammar.compiled
        known = compiled.regular(self.name) or not self._plain
        strings(text=text)
        given = self.require(text) if known else text
        query = None if self.query is None else self.query.compiled
        tree = parse(compiled, given, self.name, query, known)
        return self._refuse(text) if tree is None else tree

    def require(self, text: str) -> str:
        """The same text, if the rule accepts it; see ``uriproof.require``."""
        return text if self.is_valid(text) else self._refuse(text)

    def are_valid(self, texts: Iterable[str]) -> Iterator[bool]:
        """``is_valid`` of each text, in order; see ``uriproof.are_valid``."""
        from .validate.batch import verdicts

        iterables("str", _ONE_TEXT, texts=texts)
        return verdicts(self._match, texts)

    def check_many(
        self,
        texts: Iterable[str],
        *,
        max_length: int | None = None,
        max_violations: int | None = None,
    ) -> Iterator[Report]:
        """``check`` of each text, in order, with limits; see ``uriproof.check_many``."""
        from .validate.batch import reports

        iterables("str", _ONE_CHECK, texts=texts)
        limits(max_length=max_length, max_violations=max_violations)

        reporter = self._reporter or self._make_reporter()

        def made(text: str) -> Report:
            return reporter(text, max_violations)

        return reports(made, texts, (self.grammar.name, self.name), max_length)

    def pattern(self, target: str) -> str | None:
        """The whole verdict as text for another engine: ``re2``, ``rust``, ``java``, ``postgres``.

        None if one expression cannot say it: with a query grammar, scheme rules or a policy, for a
        rule that is not regular, and for one beyond the capabilities of the target. Errors:
        UnknownTarget, with near names; TypeError. Cost: at most that of the rule's automaton.

        >>> Rule("port").pattern("re2"), Rule(schemes=True).pattern("re2")
        ('\\\\A(?:[0-9]*)\\\\z', None)
        """
        strings(target=target)
        made: str | None = from_above("pattern")(self.grammar.compiled, self.name, target)
        return made if self._plain else None

    def __call__(self, instance: object, attribute: object, value: str) -> None:
        """As a validator of attrs, with bounded work. Errors: InvalidURI, TypeError."""
        if not self.is_valid(value):
            from .report import InvalidURI

            raise InvalidURI(check_bounded(self, value))

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return from_above("core_schema")(self, source, handler)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        return from_above("json_schema")(self, schema, handler)

    @property
    def _plain(self) -> bool:
        """Whether the text is validated only against the rule."""
        return self.query is None and not self.schemes and self.policy is None

    def _matcher(self) -> Callable[[str], Any]:
        """A function that is true for a valid text. Errors: GrammarLimit, ValueError."""
        compiled, name = self.grammar.compiled, self.name
        match = compiled.matcher(name)
        if self.schemes and self.grammar is not Grammar.load(GENERIC):
            raise ValueError(
                f"scheme rules are rules of URIs, not of {compiled.name}; "
                "check with the grammar rfc3986"
            )
        if self.query is not None or self.schemes:
            validation = self._validation()
            for part, asked in (("query", self.query is not None), ("scheme", self.schemes)):
                if asked and part not in validation.plan.paths:
                    raise ValueError(
                        f"{name} of {compiled.name} has no {part}: {_ABOUT[part]} would be without "
                        "effect"
                    )
            match = validation.accepts
        if self.policy is not None:
            from .policy import allowing, require_applicable

            require_applicable(self.policy, compiled, name)
            match = allowing(self.policy, compiled, name, match)
        return match

    def _make_reporter(self) -> Callable[[str, int | None], Report]:
        """A function that makes reports, with a limit on explained violations. Cost: O(n).

        Made for the first text, since imports in a function take longer than to check a text.
        """
        reporter = self._validation().report
        object.__setattr__(self, "_reporter", reporter)
        return reporter

    def _validation(self) -> Validation:
        """All that the text is validated against; its verdict is that without the policy."""
        from .validate.plan import plan_of
        from .validate.report import Validation

        query = None if self.query is None else self.query.compiled
        given = plan_of(self.grammar.compiled, self.name), query, self.schemes
        if self.policy is None:
            return Validation(*given)
        from .policy import Applying

        return Applying(self.policy, *given)

    def _refuse(self, text: str) -> NoReturn:
        from .report import InvalidURI

        raise InvalidURI(self.check(text))

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.grammar, self.query, self.schemes, self.policy

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, self._key()

    def __repr__(self) -> str:
        shown = [repr(self.name)]
        if self.grammar.name != GENERIC or not self.grammar.bundled:
            shown.append(f"grammar={self.grammar._shown}")
        if self.query is not None:
            shown.append(f"query={self.query._shown}")
        shown += ["schemes=True"] * self.schemes
        if self.policy is not None:
            shown.append(f"policy={self.policy!r}")
        return f"Rule({', '.join(shown)})"


def is_valid(text: str, rule: str | Rule = "URI") -> bool:
    """True exactly when the rule accepts the whole text.

    ``rule`` is a ``Rule`` or the name of any production of RFC 3986 Appendix A.

    Errors: UnknownRule; TypeError for anything but ``str``. Never raises on text: control
    characters and lone surrogates are data. Cost: O(n). Spec: RFC 3986 Appendix A.

    >>> is_valid("http://example.com/a?b#c"), is_valid("http://example.com/a b")
    (True, False)
    >>> is_valid("../up", "URI-reference"), is_valid("?x", Rule(query="key-value"))
    (True, False)
    """
    if rule.__class__ is str:
        try:
            return True if _generic[rule]._match(text) else False  # noqa: SIM210 -- as above
        except (KeyError, TypeError):
            pass  # the first use of a rule, or wrong arguments
    return as_rule(rule).is_valid(text)


def check(text: str, rule: str | Rule = "URI") -> Report:
    """Report every character of the text that the rule does not allow.

    n code points in; violations sorted, disjoint, in code-point offsets ``[start, end)``; none
    exactly when the rule accepts the text. ``rule`` as in ``is_valid``.

    Errors: UnknownRule, TypeError. Never raises on text. Cost: O(n).
    Spec: RFC 3986 §3, Appendix A and B.

    >>> check("http://a b/").violations[0].start
    8
    >>> [(v.start, v.production) for v in check("http://h/%zz?[#").violations]
    [(9, 'pct-encoded'), (13, 'query')]
    >>> [(v.start, v.expected) for v in check("http:a.org", Rule(schemes=True)).violations]
    [(5, ('"//"',))]
    """
    return as_rule(rule).check(text)


def parse(text: str, rule: str | Rule = "URI") -> lark.Tree[Any]:
    """The tree of the text, with nodes named after the rules of the grammar.

    The tokens of the tree, joined, are the text, and each has its offsets in it. A rule of
    characters is one token. With a query grammar, the query's node holds what the start rule of
    that grammar does.

    Errors: InvalidURI, whose ``report`` has the violations; UnknownRule, TypeError. Cost: O(n).
    Spec: RFC 3986 Appendix A, read as first match wins (§3).

    >>> [node.data for node in parse("urn:a").iter_subtrees_topdown()]
    ['URI', 'scheme', 'hier-part', 'path-rootless', 'segment-nz']
    """
    return as_rule(rule).parse(text)


def require(text: str, rule: str | Rule = "URI") -> str:
    """The same text, if the rule accepts it.

    Errors: InvalidURI, whose ``report`` has the violations; UnknownRule, TypeError. Cost: O(n).

    >>> require("http://example.com/")
    'http://example.com/'
    """
    return as_rule(rule).require(text)


def are_valid(texts: Iterable[str], rule: str | Rule = "URI") -> Iterator[bool]:
    """``is_valid`` of each text, in order.

    Errors: as ``is_valid``; for a text that is not a ``str`` when its turn comes. Cost: O(n) in
    total, less per text than calling ``is_valid``; memory for one text at a time.

    >>> list(are_valid(["http://a/", "http://a b/"]))
    [True, False]
    """
    return as_rule(rule).are_valid(texts)


def check_many(
    texts: Iterable[str],
    rule: str | Rule = "URI",
    *,
    max_length: int | None = None,
    max_violations: int | None = None,
) -> Iterator[Report]:
    """``check`` of each text, in order, with limits on the work, for untrusted texts.

    A text of more than ``max_length`` code points is not read: its report has one violation with
    the code ``too-long``. Only the first ``max_violations`` of a text are explained:
    ``Report.more`` counts the rest, and then the report has no fix.

    Errors: as ``check``; for a text that is not a ``str`` when its turn comes; ValueError for a
    limit below 1. Cost: O(n) for a text, and at most O(``max_length`` + ``max_violations``) with
    both limits; memory for one report at a time.

    >>> texts = ["http://a/", "http://h/a b c", "x" * 99]
    >>> reports = check_many(texts, max_length=50, max_violations=1)
    >>> [([v.code for v in r.violations], r.more) for r in reports]
    [([], 0), (['path-illegal'], 1), (['too-long'], 0)]
    """
    return as_rule(rule).check_many(texts, max_length=max_length, max_violations=max_violations)


def as_rule(rule: str | Rule) -> Rule:
    """The rule of an argument; a ``str`` names a production of RFC 3986.

    Errors: UnknownRule, TypeError.
    """
    if isinstance(rule, str):
        found = _generic.get(rule)
        if found is None:
            found = Grammar.load(GENERIC)[rule]
            _generic[found.name] = found
        return found
    if not isinstance(rule, Rule):
        raise wrong("rule", rule, "a str or a Rule")
    return rule


def check_bounded(rule: Rule, text: str, most: int | None = None) -> Report:
    """``check`` of an untrusted text with a limit on violations, so that work is bounded.

    For a text of more than 16,384 code points that the grammar does not accept, only the length is
    reported. Errors: TypeError. Cost: O(n); for such a text, only that of reading it.
    """
    from .limits import MOST_DETAILS
    from .validate.batch import too_long

    strings(text=text)
    grammar = rule.grammar
    most_read = rule.policy.max_length if rule.policy is not None else None
    if (
        len(text) <= EXPLAINED
        or (most_read is not None and len(text) > most_read)
        or rule._validation().accepts(text)
    ):
        (report,) = rule.check_many((text,), max_violations=MOST_DETAILS if most is None else most)
        return report
    report = too_long(text, grammar.name, rule.name, EXPLAINED)
    message = (
        f"the text has {len(text):,} characters; violations are explained only up to {EXPLAINED:,}"
    )
    (violation,) = report.violations
    abnf = grammar.compiled.rule(rule.name).text  # the grammar refuses the text
    found = violation._replace(message=message, rule=abnf)
    return type(report)(text, report.rule, report.grammar, {}, (found,))


class Grammar:
    """A grammar, bundled or your own; ``grammar["rule"]`` is a ``Rule`` of it, which validates.

    >>> Grammar.load("key-value").rule().is_valid("a=1&b=2")
    True
    >>> even = Grammar.from_abnf('pairs = *( 2DIGIT )')
    >>> even["pairs"].check("123").violations[0].kind
    'missing'
    """

    def __init__(self, compiled: Compiled) -> None:
        from .grammar.compiled import Compiled

        if not isinstance(compiled, Compiled):
            instead = "call Grammar.load(name) or Grammar.from_abnf(text)"
            raise wrong("compiled", compiled, "a compiled grammar", instead)
        self._compiled = compiled
        self._rules: dict[str, Rule] = {}

    @staticmethod
    def load(name: str) -> Grammar:
        """A bundled grammar, by the name of its file in ``grammars/``.

        Errors: UnknownGrammar, with near names. Cost: loaded once, and only the parts in use.
        """
        strings(name=name)
        known = _loaded.get(name)
        if known is None:
            from .grammar import registry

            known = _loaded[name] = Grammar(registry.load(name))
        return known

    @staticmethod
    def from_abnf(text: str, *, name: str = "grammar", file: str = "<text>") -> Grammar:
        """A grammar from ABNF (RFC 5234, RFC 7405), whose header can import bundled ones.

        ``name`` and ``file`` identify it in reports and errors; if it takes rules from the bundled
        grammar of its name, it is called ``NAME.abnf``. Errors: GrammarError, with every fault, its
        line and column; GrammarLimit, for a text of more than 1,000,000 characters, or at the first
        use of a rule that is too large to compile; UnusableRule, a GrammarError, at the use of a
        rule that leads to an undefined one; TypeError.

        >>> partly = Grammar.from_abnf("a = 1*DIGIT\\nb = a <some words>")
        >>> partly["a"].is_valid("12"), partly.rules
        (True, ('a', 'DIGIT'))
        """
        strings(text=text, name=name, file=file)
        from .grammar.registry import compile_abnf

        return Grammar(compile_abnf(text, name=name, file=file))

    def __reduce__(self) -> tuple[object, ...]:
        """For ``copy`` and ``pickle``: a bundled grammar by its name, another by its model."""
        if self.bundled:
            return Grammar.load, (self.name,)
        return _of_model, (self._compiled.model,)

    @property
    def name(self) -> str:
        return self._compiled.name

    @property
    def bundled(self) -> bool:
        """Whether ``Grammar.load`` returns this one."""
        return _loaded.get(self.name) is self

    @property
    def compiled(self) -> Compiled:
        """The grammar's model and machines, for tools of this repository."""
        return self._compiled

    @property
    def start(self) -> str:
        """The name of the first start rule, which ``rule()`` returns.

        It is named even if it cannot be used: then ``rule()`` raises an error with the reason.
        """
        from .grammar.errors import UnusableRule

        try:
            return self._compiled.start
        except UnusableRule as error:
            return error.rule

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of all rules, those of imported grammars last."""
        return tuple(self._compiled.model.rules)

    def rule_name(self, name: str) -> str:
        """A rule's name as the grammar spells it, from any case, or from an identifier.

        Errors: UnknownRule, with near names; TypeError.
        """
        strings(name=name)
        return self._compiled.rule_name(name)

    def __getitem__(self, name: str) -> Rule:
        """The rule of that name. Errors: UnknownRule, with near names; TypeError; as ``Rule``."""
        known = self._rules.get(name) if isinstance(name, str) else None
        if known is None:
            made = Rule(name, grammar=self)
            known = self._rules.setdefault(made.name, made)
        return known

    def rule(self, name: str | None = None) -> Rule:
        """The rule of that name, or the first start rule. Errors: as ``grammar[name]``."""
        strings_or_none(name=name)
        return self[self._compiled.start if name is None else name]

    def automaton(self, rule: str | None = None) -> Automaton:
        """The rule's minimal automaton, to compare rules or to generate texts.

        Errors: UnknownRule, GrammarLimit. Cost: made once, by the subset construction.
        """
        return self._compiled.automaton(self._named(rule))

    def lark(self, rule: str | None = None, **options: Any) -> lark.Lark:
        """The lark parser of a rule, for a Transformer or a Visitor of your own.

        Its trees are those of ``parse``, except for the names, which are valid names of methods: in
        lower case, with ``_`` for ``-``; ``rule_name`` returns the RFC's spelling. ``options`` are
        passed to lark: ``keep_all_tokens=False`` leaves out the delimiters, ``propagate_positions``
        adds offsets of nodes. A text that the rule does not accept raises lark's
        ``UnexpectedInput``.

        Errors: UnknownRule; GrammarLimit, also for a rule that LALR(1) cannot decide, which
        ``parse`` reads; lark's own for unknown options. Cost: each call makes a parser, so keep it;
        the first one for a rule that is not a start rule of a bundled grammar parses some thousand
        texts to make sure that LALR(1) decides it.

        >>> from lark import Transformer
        >>> class Names(Transformer):
        ...     def reg_name(self, children):
        ...         return str(children[0]).lower()
        ...     def port(self, children):
        ...         return int(children[0])
        ...     def authority(self, children):
        ...         return children
        ...     def host(self, children):
        ...         return children[0]
        >>> parser = Grammar.load("rfc3986").lark("authority", keep_all_tokens=False)
        >>> Names().transform(parser.parse("EXAMPLE.com:80"))
        ['example.com', 80]
        >>> Grammar.load("rfc3986").rule_name("hier_part")
        'hier-part'
        """
        from .grammar.compile.lark_parser import make_parser

        return make_parser(self._compiled, self._named(rule), **options)

    def _named(self, rule: str | None) -> str:
        strings_or_none(rule=rule)
        return self._compiled.start if rule is None else self._compiled.rule_name(rule)

    def __eq__(self, other: object) -> bool:
        """Two are equal if they have the same name and model, for example after pickling."""
        if not isinstance(other, Grammar):
            return NotImplemented
        return self is other or (
            self.name == other.name
            and self.bundled == other.bundled
            and self._compiled.model == other._compiled.model
        )

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def _shown(self) -> str:
        """As an argument: a bundled one by its name."""
        return repr(self.name) if self.bundled else repr(self)

    def __repr__(self) -> str:
        start = self._compiled.model.meant or self.start
        return f"<Grammar {self.name}: {len(self.rules)} rules, start {start}>"


_loaded: dict[str, Grammar] = {}
_generic: dict[str, Rule] = {}
"""Rules of RFC 3986 that were used before, by name: the fast path of the functions."""


def _of_model(model: Model) -> Grammar:
    from .grammar.compiled import Compiled

    return Grammar(Compiled(model=model))


def _restored(
    name: str, grammar: Grammar, query: Grammar | None, schemes: bool, policy: Policy | None
) -> Rule:
    return Rule(name, grammar=grammar, query=query, schemes=schemes, policy=policy)


def as_grammar(
    given: str | Grammar, argument: str = "grammar", wanted: str = "a str or a Grammar"
) -> Grammar:
    """A bundled grammar by its name, or the user's own. Errors: UnknownGrammar, TypeError."""
    if isinstance(given, str):
        return Grammar.load(given)
    if not isinstance(given, Grammar):
        raise wrong(argument, given, wanted)
    return given


def _query(given: str | Grammar) -> Grammar:
    """A bundled query grammar, or the user's own. Errors: UnknownGrammar, listing the bundled ones;
    TypeError.
    """
    if not isinstance(given, str):
        found = as_grammar(given, "query", "a str, a Grammar or None")
        found.rule()  # raises now, not with the first text
        return found
    from .grammar import registry

    if given in registry.names() and _is_query(registry.load(given)):
        return Grammar.load(given)
    from .grammar.errors import UnknownGrammar

    raise UnknownGrammar(given, [n for n in registry.names() if _is_query(registry.load(n))])


def _is_query(grammar: Compiled) -> bool:
    return grammar.model.components.get(grammar.start) == "query"


def _effective(policy: Policy | None) -> Policy | None:
    """The policy if it refuses anything, else None. Errors: TypeError."""
    if policy is None:
        return None
    from .policy import Policy

    if not isinstance(policy, Policy):
        raise wrong("policy", policy, "a Policy or None")
    return None if policy == Policy() else policy
