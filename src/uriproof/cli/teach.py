"""``uriproof teach``: the page to learn the grammar with, on this machine.

May import every other layer. Invariant: this module has only the options; ``teach.handle`` answers
the page.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import click

from ..limits import GREATEST_PORT
from ..text.drawing import visible
from ._group import Refused, examples
from ._inputs import read_text
from ._options import flag, integer

PORT = 8766


@click.command(
    short_help="Learn the grammar: a page with a playground and lessons.",
    epilog=examples(
        ("uriproof teach", "opens a browser"),
        ("uriproof teach --lesson 0", "at the first lesson"),
        ("uriproof teach --check own.toml", "checks your own lesson"),
    ),
)
@click.argument("files", metavar="[FILE]...", nargs=-1)
@integer("--port N", f"Port to listen on.  [default: {PORT}, or a free one]", 0, GREATEST_PORT)
@flag("--no-browser", "Print the address only.")
@integer("--lesson N", "Start at this lesson.", 0)
@flag("--check", "Only check the lessons in FILE.")
def command(
    *,
    files: tuple[str, ...],
    port: int | None,
    no_browser: bool,
    lesson: int | None,
    check: bool,
) -> int:
    """Serve the page for learning the grammar on this machine, and open it in a browser.

    FILE is your own lesson (.toml) or grammar (ABNF) to open. The page works without a network, and
    is served to this machine only. Stop it with Ctrl-C.

    \b
    Exit code: 0  stopped with Ctrl-C, or the lessons are correct
               1  a lesson has mistakes
               2  invalid usage, or the port cannot be used
    """
    paths = [Path(name) for name in files]
    for path in paths:
        if not path.is_file():
            raise Refused(f"file {path} does not exist")
    if check:
        return _checked(paths)
    if lesson is not None:
        _require_lesson(lesson)
    return _served(paths, port, _place(paths, lesson), browse=not no_browser)


def _require_lesson(number: int) -> None:
    """Errors: BadParameter, if there is no such lesson."""
    from ..teach.lessons.shelf import bundled

    numbers = [lesson.number for lesson in bundled().values()]
    if number not in numbers:
        first, last = min(numbers), max(numbers)
        raise click.BadParameter(f"{number} is not in {first} to {last}.", param_hint="--lesson")


def _place(paths: list[Path], lesson: int | None) -> str:
    """The fragment of the page's address, which opens the lesson or file."""
    if lesson is not None:
        return f"#/lesson/{lesson}"
    for path in paths:
        if path.suffix == ".toml":
            return f"#/lesson?source={quote(f'given/{path.name}', safe='')}"
        return f"#/play?v=1&abnf={quote(read_text(str(path)), safe='')}"
    return ""


def _served(paths: list[Path], port: int | None, place: str, *, browse: bool) -> int:
    from ..teach.serve import Server

    try:
        server = Server(PORT if port is None else port, paths)
    except OSError as error:
        if port is not None:
            words = f"port {port} cannot be used: {error.strerror or error}"
            raise Refused(words) from error
        server = Server(0, paths)
    with server:
        url = server.url + place
        click.echo(f"The page is at {url}\nStop it with Ctrl-C.")
        if browse:
            _browse(url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
    return 0


def _browse(url: str) -> None:
    """Open a graphical browser; a text browser would take over the terminal."""
    import os
    import threading
    import webbrowser

    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return
    windows = isinstance(found, webbrowser.BackgroundBrowser)
    if windows or not isinstance(found, webbrowser.GenericBrowser) or "BROWSER" in os.environ:
        threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()


def _checked(paths: list[Path]) -> int:
    if not paths:
        raise click.UsageError("--check needs the FILE of a lesson.")
    from ..teach.lessons import check_lesson

    wrong = 0
    for path in paths:
        name = visible(str(path))
        problems = check_lesson(read_text(str(path)))
        wrong += bool(problems)
        for problem in problems:
            click.echo(f"{name}: {visible(str(problem))}")
        if not problems:
            click.echo(f"{name}: no mistakes")
    return 1 if wrong else 0
