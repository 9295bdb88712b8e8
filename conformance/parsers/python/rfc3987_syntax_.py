"""rfc3987-syntax: a validator of IRIs; asked about ASCII alone, for which an IRI is a URI."""

from loop import serve
from rfc3987_syntax import is_valid_syntax_iri, is_valid_syntax_iri_reference


def judge(text, rule):
    valid = is_valid_syntax_iri if rule == "URI" else is_valid_syntax_iri_reference
    return bool(valid(text)), None


serve(judge)
