"""The public face: text and names in, a verdict, a report or a tree out.

Owns the four verbs and ``Grammar``. Imports everything below it, lazily where the verdict alone
does not need it. Invariant: ``is_valid``, ``check``, ``parse`` and ``require`` agree on every text.
"""

from __future__ import annotations

from .arguments import flags, iterables, limits, strings, strings_or_none, wrong

TYPE_CHECKING = False  # as that of typing, which takes longer to import than all else here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    import lark

    from .grammar.compiled import Compiled
    from .grammar.machine.automaton import Automaton
    from .grammar.model import Model
    from .report import Report
    from .validate.report import Constraints

__all__ = ["Grammar", "are_valid", "check", "check_many", "find_invalid", "is_valid", "parse"]
__all__ += ["require"]

_matchers: dict[str, Callable[[str], Any]] = {}
_ONE_TEXT = "for one text, call is_valid"
_ONE_CHECK = "for one text, call check"


def is_valid(
    text: str, rule: str = "URI", *, query: str | None = None, scheme_rules: bool = False
) -> bool:
    """True exactly when the rule of RFC 3986 accepts the whole text.

    ``rule`` is any production of RFC 3986 Appendix A; ``query`` names a bundled query grammar
    (``parameters``, ``key-value``) that the query component has to satisfy as well. With
    ``scheme_rules`` the text before the fragment has to satisfy the grammar of its scheme, too,
    where there is a bundled one (``uriproof grammar list`` names the schemes).

    Errors: UnknownRule, UnknownGrammar; TypeError for anything but ``str``. Never raises on text:
    control characters and lone surrogates are data. Cost: O(n). Spec: RFC 3986 Appendix A.

    >>> is_valid("http://example.com/a?b#c"), is_valid("http://example.com/a b")
    (True, False)
    >>> is_valid("../up", "URI-reference"), is_valid("?x", query="key-value")
    (True, False)
    """
    if query is None and scheme_rules is False:
        try:
            return _matchers[rule](text) is not None
        except (KeyError, TypeError):
            pass  # a rule's first use, or what is wrong with the arguments
    return _generic(rule).is_valid(text, rule, query=query, scheme_rules=scheme_rules)


def check(
    text: str, rule: str = "URI", *, query: str | None = None, scheme_rules: bool = False
) -> Report:
    """Report every character of the text that the rule of RFC 3986 does not allow.

    n code points in; violations sorted, disjoint, in code-point offsets ``[start, end)``; none
    exactly when the rule accepts the text. ``query`` and ``scheme_rules`` as in ``is_valid``.

    Errors: UnknownRule, UnknownGrammar, TypeError. Never raises on text. Cost: O(n).
    Spec: RFC 3986 §3, Appendix A and B.

    >>> check("http://a b/").violations[0].start
    8
    >>> [(v.start, v.production) for v in check("http://h/%zz?[#").violations]
    [(9, 'pct-encoded'), (13, 'query')]
    >>> [(v.start, v.expected) for v in check("http:a.org", scheme_rules=True).violations]
    [(5, ('"//"',))]
    """
    return _generic(rule).check(text, rule, query=query, scheme_rules=scheme_rules)


def parse(
    text: str, rule: str = "URI", *, query: str | None = None, scheme_rules: bool = False
) -> lark.Tree[Any]:
    """The tree of the text; its nodes are named by the rules of RFC 3986.

    The tokens of the tree, joined, are the text. With ``query``, the query's node holds the tree
    of that grammar.

    Errors: InvalidURI, whose ``report`` says what is wrong; UnknownRule, UnknownGrammar,
    TypeError. Cost: O(n). Spec: RFC 3986 Appendix A, read as first match wins (§3).

    >>> [node.data for node in parse("urn:a").iter_subtrees_topdown()]
    ['URI', 'scheme', 'hier-part', 'path-rootless', 'segment-nz']
    """
    return _generic(rule).parse(text, rule, query=query, scheme_rules=scheme_rules)


def require(
    text: str, rule: str = "URI", *, query: str | None = None, scheme_rules: bool = False
) -> str:
    """The same text, if the rule of RFC 3986 accepts it.

    Errors: InvalidURI, whose ``report`` says what is wrong; UnknownRule, UnknownGrammar,
    TypeError. Cost: O(n).

    >>> require("http://example.com/")
    'http://example.com/'
    """
    if is_valid(text, rule, query=query, scheme_rules=scheme_rules):
        return text
    return _generic(rule).require(text, rule, query=query, scheme_rules=scheme_rules)


def are_valid(
    texts: Iterable[str], rule: str = "URI", *, query: str | None = None, scheme_rules: bool = False
) -> Iterator[bool]:
    """``is_valid`` of each text, in order.

    Errors: as ``is_valid``; for a text that is no ``str`` when its turn comes. Cost: O(n) in all,
    less per text than calling ``is_valid``; memory for one text at a time.

    >>> list(are_valid(["http://a/", "http://a b/"]))
    [True, False]
    """
    return _generic(rule).are_valid(texts, rule, query=query, scheme_rules=scheme_rules)


def find_invalid(
    texts: Iterable[str], rule: str = "URI", *, query: str | None = None, scheme_rules: bool = False
) -> Iterator[tuple[int, str]]:
    """The texts that the rule does not accept, each with its number, counted from 0.

    Errors: as ``is_valid``; for a text that is no ``str`` when its turn comes. Cost: O(n) in all,
    less per text than calling ``is_valid``; memory for a few hundred texts at a time.

    >>> list(find_invalid(["http://a/", "http://a b/"]))
    [(1, 'http://a b/')]
    """
    return _generic(rule).find_invalid(texts, rule, query=query, scheme_rules=scheme_rules)


def check_many(
    texts: Iterable[str],
    rule: str = "URI",
    *,
    query: str | None = None,
    scheme_rules: bool = False,
    max_length: int | None = None,
    max_violations: int | None = None,
) -> Iterator[Report]:
    """``check`` of each text, in order, with limits on the work, for untrusted texts.

    A text of more than ``max_length`` code points is not read: its report has one violation, of
    the code ``too-long``. Of more than ``max_violations`` in a text the rest are not explained:
    ``Report.more`` counts them, and the report has no fix.

    Errors: as ``check``; for a text that is no ``str`` when its turn comes; ValueError for a
    limit below 0, or none at all for violations. Cost: O(n) for a text, and at most
    O(``max_length`` + ``max_violations``) with both limits; memory for one report at a time.

    >>> texts = ["http://a/", "http://h/a b c", "x" * 99]
    >>> reports = check_many(texts, max_length=50, max_violations=1)
    >>> [([v.code for v in r.violations], r.more) for r in reports]
    [([], 0), (['path-illegal'], 1), (['too-long'], 0)]
    """
    return _generic(rule).check_many(
        texts,
        rule,
        query=query,
        scheme_rules=scheme_rules,
        max_length=max_length,
        max_violations=max_violations,
    )


def _generic(rule: str) -> Grammar:
    """The grammar of the functions above, which name a rule always. Errors: TypeError."""
    if not isinstance(rule, str):
        strings(rule=rule)
    return _loaded.get("rfc3986") or Grammar.load("rfc3986")


def _of_model(model: Model) -> Grammar:
    from .grammar.compiled import Compiled

    return Grammar(Compiled(model=model))


class Grammar:
    """A grammar, bundled or your own, with the functions that validate.

    >>> Grammar.load("key-value").is_valid("a=1&b=2")
    True
    >>> even = Grammar.from_abnf('pairs = *( 2DIGIT )')
    >>> even.check("123").violations[0].kind
    'missing'
    """

    def __init__(self, compiled: Compiled) -> None:
        from .grammar.compiled import Compiled

        if not isinstance(compiled, Compiled):
            instead = "call Grammar.load(name) or Grammar.from_abnf(text)"
            raise wrong("compiled", compiled, "a compiled grammar", instead)
        self._compiled = compiled
        self._checks: dict[str | None, Callable[[str], Report]] = {}

    @staticmethod
    def load(name: str) -> Grammar:
        """A bundled grammar, by the name of its file in ``grammars/``.

        Errors: UnknownGrammar, with near names. Cost: loaded once, and no more than is used.
        """
        strings(name=name)
        known = _loaded.get(name)
        if known is None:
            from .grammar import registry

            known = _loaded[name] = Grammar(registry.load(name))
        return known

    @staticmethod
    def from_abnf(text: str, *, name: str = "grammar", file: str = "<text>") -> Grammar:
        """A grammar from ABNF (RFC 5234, RFC 7405), whose header may import bundled ones.

        ``name`` and ``file`` are what reports and errors call it; one that takes rules from the
        bundled grammar of its name is called ``NAME.abnf``. Errors: GrammarError, with
        every fault, its line and column; GrammarLimit, for a text of more than 1,000,000
        characters, or when a rule is first used that is beyond what can be compiled;
        UnusableRule, a GrammarError, when a rule is used that leads to one which nothing defines;
        TypeError.

        >>> partly = Grammar.from_abnf("a = 1*DIGIT\\nb = a <some words>")
        >>> partly.is_valid("12", "a"), partly.rules
        (True, ('a', 'DIGIT'))
        """
        strings(text=text, name=name, file=file)
        from .grammar.registry import compile_abnf

        return Grammar(compile_abnf(text, name=name, file=file))

    def __reduce__(self) -> tuple[object, ...]:
        """For ``copy`` and ``pickle``: a bundled grammar by its name, another by its model."""
        if _loaded.get(self.name) is self:
            return Grammar.load, (self.name,)
        return _of_model, (self._compiled.model,)

    @property
    def name(self) -> str:
        return self._compiled.name

    @property
    def compiled(self) -> Compiled:
        """The grammar's model and machines, for tools of this repository."""
        return self._compiled

    @property
    def start(self) -> str:
        """The rule that the verbs use by default: the first of the start rules.

        One that cannot be used is named all the same: each verb says why, and others can be given.
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

    def is_valid(
        self,
        text: str,
        rule: str | None = None,
        *,
        query: str | None = None,
        scheme_rules: bool = False,
    ) -> bool:
        """True exactly when the rule accepts the whole text; see ``uriproof.is_valid``."""
        strings(text=text)
        matcher = self._matcher(rule, query, scheme_rules)
        if (
            rule is not None
            and query is None
            and not scheme_rules
            and _loaded.get("rfc3986") is self
        ):
            _matchers[rule] = matcher  # the fast way through uriproof.is_valid, next time
        return bool(matcher(text))

    def are_valid(
        self,
        texts: Iterable[str],
        rule: str | None = None,
        *,
        query: str | None = None,
        scheme_rules: bool = False,
    ) -> Iterator[bool]:
        """``is_valid`` of each text, in order; see ``uriproof.are_valid``."""
        from .validate.batch import verdicts

        iterables("str", _ONE_TEXT, texts=texts)
        return verdicts(self._matcher(rule, query, scheme_rules), texts)

    def find_invalid(
        self,
        texts: Iterable[str],
        rule: str | None = None,
        *,
        query: str | None = None,
        scheme_rules: bool = False,
    ) -> Iterator[tuple[int, str]]:
        """The texts that the rule does not accept; see ``uriproof.find_invalid``."""
        from .validate.batch import find_invalid

        iterables("str", _ONE_TEXT, texts=texts)
        return find_invalid(self._matcher(rule, query, scheme_rules), texts)

    def _matcher(
        self, rule: str | None, query: str | None, scheme_rules: bool
    ) -> Callable[[str], Any]:
        """What tells a valid text by something true, another by None or False."""
        compiled, name = self._compiled, self._named(rule)
        strings_or_none(query=query)
        flags(scheme_rules=scheme_rules)
        if query is None and not scheme_rules:
            return compiled.matcher(name)
        from .validate.report import accepts

        constraints = self._constraints(query, scheme_rules)
        return lambda text: accepts(compiled, text, name, constraints)

    def _named(self, rule: str | None) -> str:
        """The rule that is meant: the start rule by default. Errors: UnknownRule, TypeError."""
        strings_or_none(rule=rule)
        return self._compiled.start if rule is None else self._compiled.rule_name(rule)

    def _constraints(self, query: str | None, scheme_rules: bool) -> Constraints:
        """What else a text is validated against. Errors: UnknownGrammar; ValueError; TypeError."""
        from .validate.report import Constraints

        strings_or_none(query=query)
        flags(scheme_rules=scheme_rules)
        if scheme_rules and self._compiled.name != "rfc3986":
            raise ValueError(
                f"scheme rules are rules of URIs, not of {self._compiled.name}; "
                "check with the grammar rfc3986"
            )
        return Constraints(None if query is None else _query(query), scheme_rules)

    def check(
        self,
        text: str,
        rule: str | None = None,
        *,
        query: str | None = None,
        scheme_rules: bool = False,
    ) -> Report:
        """Report every character that the rule does not allow; see ``uriproof.check``."""
        if query is not None or scheme_rules is not False:
            from .validate.report import make_report

            name = self._named(rule)
            strings(text=text)
            constraints = self._constraints(query, scheme_rules)
            return make_report(self._compiled, text, name, constraints, _advise)
        try:
            made = self._checks.get(rule)
        except TypeError:
            made = None  # not hashable, and so no name: _named says so
        if made is None:
            made = self._checks[rule] = self._check(self._named(rule))
        if not isinstance(text, str):
            strings(text=text)
        return made(text)

    def check_many(
        self,
        texts: Iterable[str],
        rule: str | None = None,
        *,
        query: str | None = None,
        scheme_rules: bool = False,
        max_length: int | None = None,
        max_violations: int | None = None,
    ) -> Iterator[Report]:
        """``check`` of each text, in order, with limits; see ``uriproof.check_many``."""
        from .validate.batch import reports
        from .validate.report import make_report

        iterables("str", _ONE_CHECK, texts=texts)
        limits(max_length=max_length, max_violations=max_violations)
        name, constraints = self._named(rule), self._constraints(query, scheme_rules)

        def made(text: str) -> Report:
            return make_report(self._compiled, text, name, constraints, _advise, max_violations)

        return reports(made, texts, (self.name, name), max_length)

    def _check(self, rule: str) -> Callable[[str], Report]:
        """What checks texts against a rule alone, in its canonical spelling."""
        from .validate.plan import plan_of
        from .validate.report import UNCONSTRAINED, report

        plan = plan_of(self._compiled, rule)
        return lambda text: report(plan, text, UNCONSTRAINED, _advise)

    def parse(
        self,
        text: str,
        rule: str | None = None,
        *,
        query: str | None = None,
        scheme_rules: bool = False,
    ) -> lark.Tree[Any]:
        """The tree of the text; see ``uriproof.parse``."""
        from .validate.parse import parse, parse_if_valid

        name = self._named(rule)
        if query is not None or scheme_rules or self._compiled.regular(name):
            self.require(text, rule, query=query, scheme_rules=scheme_rules)
            return parse(self._compiled, text, name, None if query is None else _query(query))
        strings(text=text)
        flags(scheme_rules=scheme_rules)
        tree = parse_if_valid(self._compiled, text, name)
        if tree is None:
            from .report import InvalidURI

            raise InvalidURI(self.check(text, rule))
        return tree

    def require(
        self,
        text: str,
        rule: str | None = None,
        *,
        query: str | None = None,
        scheme_rules: bool = False,
    ) -> str:
        """The same text, if the rule accepts it; see ``uriproof.require``."""
        if self.is_valid(text, rule, query=query, scheme_rules=scheme_rules):
            return text
        from .report import InvalidURI

        raise InvalidURI(self.check(text, rule, query=query, scheme_rules=scheme_rules))

    def automaton(self, rule: str | None = None) -> Automaton:
        """The rule's minimal automaton: what it accepts, to compare and to make texts from.

        Errors: UnknownRule, GrammarLimit. Cost: made once, by the subset construction.
        """
        return self._compiled.automaton(self._named(rule))

    def lark(self, rule: str | None = None, **options: Any) -> lark.Lark:
        """The lark parser of a rule, for a Transformer or a Visitor of your own.

        LALR(1) where that decides the rule, else Earley, which is slower. Its trees are those of
        ``parse``, but for the names, which are such that methods can have them: in lower case,
        with ``_`` for ``-``; ``rule_name`` gives the RFC's spelling back. Earley's differ in two
        more ways: of several readings of a text, it may take another than the first alternative;
        and a leaf that no terminal reads in linear time has its parts as children. ``options`` go
        to lark as they are: ``keep_all_tokens=False`` leaves the delimiters out,
        ``propagate_positions`` adds offsets. A text that the rule does not accept raises lark's
        ``UnexpectedInput``.

        Errors: UnknownRule, GrammarLimit; lark's own for options that it does not take. Cost: a
        parser is made by each call, so keep it; the first one of a rule that is no start rule of
        a bundled grammar parses some thousand texts to choose the way.

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

    def __repr__(self) -> str:
        start = self._compiled.model.meant or self.start
        return f"<Grammar {self.name}: {len(self.rules)} rules, start {start}>"


_loaded: dict[str, Grammar] = {}


def _query(name: str) -> Compiled:
    """A bundled grammar whose start rule is a query. Errors: UnknownGrammar, listing these."""
    from .grammar import registry

    if name in registry.names() and _is_query(registry.load(name)):
        return registry.load(name)
    from .grammar.errors import UnknownGrammar

    known = [n for n in registry.names() if _is_query(registry.load(n))]
    raise UnknownGrammar(name, known)


def _is_query(grammar: Compiled) -> bool:
    return grammar.model.components.get(grammar.start) == "query"


def _advise(report: Report) -> tuple[Any, ...]:
    from .advice import advise

    return advise(report)
