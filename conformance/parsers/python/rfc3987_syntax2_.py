"""rfc3987-syntax2: a validator of IRIs; asked about ASCII alone, for which an IRI is a URI."""

from loop import serve
from rfc3987_syntax2 import is_valid_syntax_iri, is_valid_syntax_iri_reference


def judge(text, rule):
    valid = is_valid_syntax_iri if rule == "URI" else is_valid_syntax_iri_reference
    return bool(valid(text)), None


serve(judge)
