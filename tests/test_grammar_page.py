"""The page of a grammar: complete, by itself, well-formed, and every link leads somewhere."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from commands import Run

from uriproof.grammar import registry
from uriproof.grammar.registry import compile_abnf, load
from uriproof.workbench.to_page import to_page

pytestmark = pytest.mark.prove

VOID = {"meta", "rect", "path"}


class Page(HTMLParser):
    """The ids, links and names of elements of a page; fails where one is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.names: list[str] = []
        self.labels: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.names.append(tag)
        self.ids += [v for k, v in attrs if k == "id" and v]
        self.links += [v for k, v in attrs if k == "href" and v]
        self.labels += [v for k, v in attrs if k == "aria-labelledby" and v]
        assert not {"src", "style", "onclick"} & set(found)
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", registry.names())
def test_a_page_of_each_grammar(name: str) -> None:
    model = load(name).model
    page = Page(to_page(model))
    assert len(page.ids) == len(set(page.ids))
    assert {f"rule-{rule}" for rule in model.rules} <= set(page.ids)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert set(page.labels) <= set(page.ids)
    assert [link for link in page.links if not link.startswith("#")] == [
        source for source in [model.source] if source.startswith("http")
    ]
    assert page.names.count("svg") == len(model.rules)
    assert not {"script", "link", "img", "iframe"} & set(page.names)
    assert "@import" not in page.text
    assert "url(" not in page.text


def test_a_page_of_a_rule_has_what_it_leads_to() -> None:
    page = to_page(load("rfc3986").model, "IPv4address")
    assert [i for i in Page(page).ids if i.startswith("rule-")] == [
        "rule-IPv4address",
        "rule-dec-octet",
        "rule-DIGIT",
    ]
    assert "<title>IPv4address: RFC 3986 Appendix A" in page
    assert "Used by" in page
    assert "#rule-host" not in page


def test_text_is_escaped_and_rules_that_cannot_be_used_are_told() -> None:
    grammar = compile_abnf('; title: a <b> & c\na = "<&>" b\nB = "\'" / 2a2\na2 = %x41\nc = <d e>')
    page = to_page(grammar.model)
    assert "<title>a &lt;b&gt; &amp; c</title>" in page
    assert '&quot;&lt;&amp;&gt;&quot; <a href="#rule-B">b</a>' in page
    assert '2<a href="#rule-a2">a2</a>' in page
    assert "<li><code>c</code>: this has no meaning yet" in page
    Page(page)


def test_command(run: Run) -> None:
    page = to_page(load("rfc3986").model, "host")
    assert run("grammar", "show", "host", "--format", "html") == (0, page, "")
