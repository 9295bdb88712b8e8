"""The language server, spoken to as an editor does: over its standard input and output."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from uriproof.cli import main
from uriproof.cli.language_server import command
from uriproof.lint.config import read
from uriproof.lint.editor.documents import Document, Workspace
from uriproof.lint.files.source import ENCODINGS, Positions

pytestmark = pytest.mark.prove

pytest.importorskip("pygls", reason="the extra lsp is not installed")

Message = dict[str, Any]
BAD, WORSE = "http://h/é\n", "http://h/é\nhttp://h|/\n"


class Editor:
    """The editor's end of the connection."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.run = subprocess.Popen(
            [sys.executable, "-m", "uriproof", "language-server", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
        self._number = 0
        self.told: list[Message] = []

    def send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.run.stdin is not None
        self.run.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.run.stdin.flush()

    def receive(self) -> Message:
        assert self.run.stdout is not None
        length = 0
        while (line := self.run.stdout.readline()) not in {b"\r\n", b""}:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server has ended"
        message: Message = json.loads(self.run.stdout.read(length))
        return message

    def tell(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self._number or "method" in message:
            self.told.append(message)
        assert "error" not in message, message
        return message["result"]

    def until(self, is_it: Callable[[Message], bool]) -> Message:
        for at, message in enumerate(self.told):
            if is_it(message):
                return self.told.pop(at)
        while not is_it(message := self.receive()):
            self.told.append(message)
        return message

    def begin(self, settings: Any = None, **capabilities: Any) -> Message:
        result: Message = self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": self.folder.as_uri(),
                "capabilities": capabilities,
                "initializationOptions": settings,
            },
        )
        self.tell("initialized")
        return result

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "plaintext") -> list[Message]:
        document = {"uri": self.uri(name), "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return self.said(name)

    def said(self, name: str, version: int | None = 1) -> list[Message]:
        def is_it(message: Message) -> bool:
            params = message.get("params") or {}
            return message.get("method") == "textDocument/publishDiagnostics" and (
                (params["uri"], params.get("version")) == (self.uri(name), version)
            )

        found: list[Message] = self.until(is_it)["params"]["diagnostics"]
        return found

    def change(self, name: str, version: int, *changes: Message) -> None:
        document = {"uri": self.uri(name), "version": version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[*changes])

    def hover(self, name: str, line: int, at: int) -> Any:
        position = {"line": line, "character": at}
        params = {"textDocument": {"uri": self.uri(name)}, "position": position}
        return self.ask("textDocument/hover", params)

    def actions(self, name: str, where: Message, *only: str) -> list[Message]:
        context = {"diagnostics": [], **({"only": [*only]} if only else {})}
        document = {"uri": self.uri(name)}
        params = {"textDocument": document, "range": where, "context": context}
        found: list[Message] = self.ask("textDocument/codeAction", params)
        return found

    def pull(self, name: str, had: str | None = None) -> Message:
        params = {"textDocument": {"uri": self.uri(name)}, "previousResultId": had}
        report: Message = self.ask("textDocument/diagnostic", params)
        return report

    def pull_all(self, **had: str) -> dict[str, Message]:
        """The reports of all files, by name; ``had`` are the results that the editor has."""
        known = [{"uri": self.uri(f"{name}.urls"), "value": value} for name, value in had.items()]
        report = self.ask("workspace/diagnostic", {"previousResultIds": known})
        return {item["uri"].rpartition("/")[2]: item for item in report["items"]}

    def answer(self, method: str, result: Any) -> Message:
        """Answer what the server asks; what it has asked."""
        message = self.until(lambda m: m.get("method") == method and "id" in m)
        self.send({"id": message["id"], "result": result})
        return message

    def shown(self) -> str:
        """The next message that is shown to the person."""
        message = self.until(lambda m: m.get("method") == "window/showMessage")
        return str(message["params"]["message"])

    def end(self) -> int:
        self.ask("shutdown", None)
        self.tell("exit")
        return self.run.wait(120)


def edited_in(folder: Path) -> Iterator[Editor]:
    """An editor, whose server is gone afterwards."""
    one = Editor(folder)
    with suppress(BrokenPipeError), one.run:
        yield one
        one.run.kill()


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    yield from edited_in(tmp_path)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """An editor that has begun, for tests that each open a file of their own."""
    for one in edited_in(tmp_path_factory.mktemp("editor")):
        one.begin(textDocument={"publishDiagnostics": {"relatedInformation": True}})
        yield one


def span(line: int, start: int, end: int) -> Message:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def edited(text: str, action: Message, uri: str) -> str:
    """The text after an action's edits."""
    if "documentChanges" in action["edit"]:
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"]["uri"] == uri
        edits = change["edits"]
    else:
        edits = action["edit"]["changes"][uri]
    positions = Positions(text)
    spans = [
        tuple(positions.offset(p["line"], p["character"]) for p in edit["range"].values())
        for edit in edits
    ]
    for (start, end), edit in sorted(zip(spans, edits, strict=True), key=lambda e: e[0])[::-1]:
        text = text[:start] + edit["newText"] + text[end:]
    return text


def test_a_session(editor: Editor) -> None:
    capabilities = editor.begin()["capabilities"]
    assert capabilities["textDocumentSync"]["change"] == 2
    assert "quickfix" in capabilities["codeActionProvider"]["codeActionKinds"]
    assert capabilities["hoverProvider"]

    text = '<p>\U0001f600 <a href="http://h/a b?c#d">x</a>\n<a href="/ok">\n'
    (said,) = editor.open("page.html", text, "html")
    # The editor counts the emoji as two.
    assert said["range"] == span(0, 25, 26)
    assert (said["code"], said["severity"], said["source"]) == ("path-illegal", 1, "uriproof")

    assert said["codeDescription"]["href"].endswith("/rfc3986#section-3.3")

    first, *others = editor.actions("page.html", span(0, 25, 25))
    assert first["kind"] == "quickfix"
    assert first["isPreferred"] is True
    assert first["title"] == "Change to http://h/a%20b?c#d"
    assert edited(text, first, editor.uri("page.html")) == text.replace("a b", "a%20b")
    assert [other["title"] for other in others if other["kind"] == "quickfix"] == [
        "Suppress path-illegal here"
    ]
    assert editor.actions("page.html", span(1, 0, 0)) == []
    (everything,) = editor.actions("page.html", span(1, 0, 0), "source.fixAll")
    assert edited(text, everything, editor.uri("page.html")) == text.replace("a b", "a%20b")

    hover = editor.hover("page.html", 0, 25)
    assert hover["range"] == span(0, 25, 26)
    assert "RFC 3986 §3.3" in hover["contents"]["value"]
    assert "```abnf" in hover["contents"]["value"]
    hover = editor.hover("page.html", 0, 22)
    assert "host" in hover["contents"]["value"]
    assert hover["range"] == span(0, 22, 23)
    assert editor.hover("page.html", 0, 0) is None

    changes = (span(0, 25, 26), "%20"), (span(1, 9, 12), "/%zz")
    editor.change("page.html", 2, *({"range": one, "text": text} for one, text in changes))
    (said,) = editor.said("page.html", 2)
    assert (said["code"], said["range"]) == ("path-bad-escape", span(1, 10, 11))
    assert [action["title"] for action in editor.actions("page.html", span(1, 10, 10))] == [
        "Change to /%25zz (might change the meaning)",
        "Suppress path-bad-escape here",
    ]

    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri("page.html")})
    assert editor.said("page.html", None) == []
    assert editor.end() == 0


def test_places_after_the_first_are_related(begun: Editor) -> None:
    text = "http://h/a|b\u00e9^c\nhttp://h/\n"
    (said,) = begun.open("places.urls", text)
    assert said["range"] == span(0, 10, 11)
    related = said["relatedInformation"]
    assert [one["location"]["range"] for one in related] == [span(0, 12, 14)]
    assert {one["location"]["uri"] for one in related} <= {begun.uri("places.urls")}
    # A fix and a hover are found from any of the places.
    first, *_ = begun.actions("places.urls", span(0, 13, 13))
    assert edited(text, first, begun.uri("places.urls")).startswith("http://h/a%7Cb%C3%A9%5Ec\n")
    assert begun.hover("places.urls", 0, 13)["range"] == span(0, 12, 14)


def test_whole_texts_and_utf_8(editor: Editor) -> None:
    began = editor.begin(general={"positionEncodings": ["utf-8"]})
    assert began["capabilities"]["positionEncoding"] == "utf-8"
    (said,) = editor.open("list.urls", "http://h/é|")
    assert said["range"] == span(0, 9, 12)
    editor.change("list.urls", 2, {"text": "http://h/"})
    assert editor.said("list.urls", 2) == []
    # An editor that goes away leaves nothing running.
    assert editor.run.stdin is not None
    editor.run.stdin.close()
    assert editor.run.wait(120) == 1


def test_settings_are_read_and_read_again(editor: Editor) -> None:
    settings = editor.folder / "uriproof.toml"
    settings.write_text('exclude = ["*.urls"]\nselct = 1\n', "utf-8")
    (editor.folder / "a.urls").write_text("http://h/|", "utf-8")
    editor.begin()
    assert editor.open("a.urls", WORSE) == []
    assert "uriproof.toml:2: selct: unknown key; did you mean select?" in editor.shown()
    settings.write_text("", "utf-8")
    editor.tell("textDocument/didSave", textDocument={"uri": editor.uri("uriproof.toml")})
    assert len(editor.said("a.urls")) == 2
    editor.tell("workspace/didChangeConfiguration", settings={"uriproof": {"ignore": ["host"]}})
    assert [said["code"] for said in editor.said("a.urls")] == ["path-illegal"]


def test_no_password_is_told(begun: Editor) -> None:
    said = begun.open("password.urls", "http://me:pa|ss@h/")
    assert said
    titles = [action["title"] for action in begun.actions("password.urls", span(0, 12, 13))]
    for told in (said, begun.hover("password.urls", 0, 12), *titles):
        assert "%7C" not in json.dumps(told)
        assert "pa|ss" not in json.dumps(told)


def test_messages_that_make_no_sense_are_survived(begun: Editor) -> None:
    begun.change("unheard-of", 7)
    begun.tell("textDocument/didClose", textDocument={"uri": begun.uri("unheard-of")})
    begun.open("valid.urls", "http://h/")
    for name in "unheard-of", "valid.urls":
        assert begun.hover(name, 99, 99) is None
        assert begun.actions(name, span(99, 99, 99)) == []


def test_without_pygls_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("pygls", "pygls.lsp", "pygls.lsp.server", "lsprotocol"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "uriproof.lint.editor.server", raising=False)
    assert main(["language-server"]) == 2
    assert "uriproof[lsp]" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--config=not there"], ["--isolated", "--config=x"]])
def test_wrong_calls(options: list[str]) -> None:
    run = CliRunner().invoke(command, options)
    assert run.exit_code == 2
    assert "--config" in run.output


TEXTS = st.text(st.sampled_from("ab\r\n\x0c\u2028é中\U0001f600"), max_size=12)


@given(TEXTS, st.sampled_from(sorted(ENCODINGS)), st.integers(0, 12))
def test_offsets_go_to_positions_and_back(text: str, encoding: str, at: int) -> None:
    at = min(at, len(text))
    positions = Positions(text, encoding)
    line, column = positions.position(at)
    within = text[at - 1 : at + 1] == "\r\n" and at > 0
    assert positions.offset(line, column) == at - within
    before = text[: at - within]
    units = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
    name, size = units[encoding]
    last = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert (line, column) == (len(last) - 1, len(last[-1].encode(name)) // size)


def test_the_language_of_a_text(tmp_path: Path) -> None:
    """By a setting, the name of the file, or what the editor says."""
    page, style = "<a href='http://h/a b'>", "a { background: url('http://h/a b') }"
    (tmp_path / "uriproof.toml").write_text('formats = {"*.foo" = "css"}\n')
    workspace = Workspace()
    for name, text, number in (("Untitled-1", page, 1), ("a.foo", style, 1), ("a.bar", style, 0)):
        found = Document(workspace, str(tmp_path / name), text, "html").diagnostics
        assert [(one.file, one.url) for one in found] == [
            (str(tmp_path / name), "http://h/a b")
        ] * number


# What the editor asks for

PULLS = {"textDocument": {"diagnostic": {"dynamicRegistration": False}}}


def codes(report: Message) -> list[str]:
    return [item["code"] for item in report["items"]]


def test_diagnostics_that_are_pulled(editor: Editor) -> None:
    refresh = {"diagnostics": {"refreshSupport": True}}
    capabilities = editor.begin(**PULLS, workspace=refresh)["capabilities"]
    assert capabilities["diagnosticProvider"]["workspaceDiagnostics"] is True
    for name in "a", "b", "c":
        (editor.folder / f"{name}.urls").write_text(BAD if name != "c" else "http://h/\n")
    document = {"uri": editor.uri("a.urls"), "languageId": "", "version": 1, "text": BAD}
    editor.tell("textDocument/didOpen", textDocument=document)
    first = editor.pull("a.urls")
    assert (first["kind"], codes(first)) == ("full", ["path-illegal"])
    again = editor.pull("a.urls", first["resultId"])
    assert again == {"kind": "unchanged", "resultId": first["resultId"]}

    every = editor.pull_all()
    assert {name: codes(one) for name, one in every.items()} == {
        "a.urls": ["path-illegal"],
        "b.urls": ["path-illegal"],
    }
    assert every["a.urls"]["version"] == 1
    had = {name.partition(".")[0]: one["resultId"] for name, one in every.items()}
    assert {one["kind"] for one in editor.pull_all(**had).values()} == {"unchanged"}

    # What is open is reported as it is in the editor, the rest as it is on the disk.
    editor.change("a.urls", 2, {"text": WORSE})
    assert codes(editor.pull("a.urls", first["resultId"])) == ["path-illegal", "host-illegal"]
    (editor.folder / "b.urls").write_text("http://h/\n\n")
    every = editor.pull_all(**had)
    assert (codes(every["a.urls"]), codes(every["b.urls"])) == (
        ["path-illegal", "host-illegal"],
        [],
    )
    # Not open, and gone.
    assert codes(editor.pull("c.urls")) == codes(editor.pull("none.urls")) == []

    (editor.folder / "uriproof.toml").write_text('extend-exclude = ["*.urls"]\n')
    editor.tell("workspace/didChangeWatchedFiles", changes=[])
    editor.answer("workspace/diagnostic/refresh", None)
    assert codes(editor.pull("a.urls")) == []
    assert {name: codes(one) for name, one in editor.pull_all(**had).items()} == {
        "a.urls": [],
        "b.urls": [],
    }
    assert not any("publish" in str(message.get("method")) for message in editor.told)
    assert editor.end() == 0


def test_settings_of_the_editor(editor: Editor) -> None:
    asks = {"workspace": {"configuration": True, "didChangeConfiguration": {"x": 1}}}
    editor.begin({"settings": {"ignore": ["path"], "selekt": []}}, **asks)
    question = editor.answer("workspace/configuration", [None])
    assert question["params"]["items"] == [{"section": "uriproof"}]
    assert "selekt: unknown key; did you mean select?" in editor.shown()
    assert [said["code"] for said in editor.open("a.urls", WORSE)] == ["host-illegal"]
    editor.tell("workspace/didChangeConfiguration", settings=None)
    editor.answer("workspace/configuration", [{"severity": {"host": "note"}, "ignore": None}])
    said = editor.said("a.urls")
    assert [(one["code"], one["severity"]) for one in said] == [
        ("path-illegal", 1),
        ("host-illegal", 3),
    ]


def test_files_of_settings_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at each change of a text."""
    (tmp_path / "uriproof.toml").write_text('ignore = ["path"]\n')
    file = tmp_path / "a.urls"
    file.write_text(BAD)
    loaded: list[str] = []
    load = read.load

    def counted(name: str) -> Any:
        loaded.append(name)
        return load(name)

    monkeypatch.setattr(read, "load", counted)
    workspace = Workspace()
    for text in BAD, WORSE, BAD:
        found = Document(workspace, str(file), text).diagnostics
        assert "path-illegal" not in {one.code for one in found}
    assert len(loaded) == 1
    (tmp_path / "uriproof.toml").write_text("")
    workspace.forget()
    assert Document(workspace, str(file), BAD).diagnostics != []
    assert len(loaded) == 2
    assert not workspace.configure({})
    assert workspace.configure({"extend": "x", "ignore": ["path"]})
    assert Document(workspace, str(file), BAD).diagnostics == []
    assert workspace.problems() == ["settings of the editor: extend: only a file extends another"]
