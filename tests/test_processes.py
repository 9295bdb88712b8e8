"""Other processes: what they import, and what happens if one does not answer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from uriproof.processes import BrokenProcessPool, Pool, Worker

pytestmark = pytest.mark.prove

# Some are imported by Python when it starts, some by multiprocessing, some by what is pickled.
NAMES: tuple[str, ...] = (
    *("multiprocessing", "pickle", "encodings", "runpy", "struct", "threading", "signal", "json"),
)
NAMES += ("uriproof", "lark", "sitecustomize", "tempfile", "concurrent", "copyreg", "pkgutil")

SCRIPT = """
import sys
{before}
if __name__ == "__main__":
    from uriproof.cli import main
    sys.exit(main())
"""

EXPLAINER = """
import sys
from uriproof.data.explain import explainer
from uriproof import Rule
if __name__ == "__main__":
    with explainer(Rule(), 2) as explained:
        print(list(explained(["http://a b/"])))
"""

SPAWNED = """
import multiprocessing, uriproof.lint.engine.run as run
multiprocessing.set_start_method("spawn", force=True)
run._PLATFORM, run._MUCH = "darwin", 0
"""

POOLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "grade": (SCRIPT.format(before=""), ("grammar", "grade", ".", "--against=rfc3986:port")),
    "lint": (SCRIPT.format(before=SPAWNED), ("lint", "--no-cache", "-j2", ".")),
    "untrusted": (SCRIPT.format(before=""), ("lint", "--untrusted", "-j2", ".")),
    "explainer": (EXPLAINER, ()),
}


@pytest.mark.parametrize("pool", POOLS)
def test_no_process_imports_from_the_working_directory(tmp_path: Path, pool: str) -> None:
    folder, marker = tmp_path / "tree", tmp_path / "marker"
    folder.mkdir()
    for number, name in enumerate(NAMES):
        file = folder / (f"{name}.py" if number % 2 else f"{name}/__init__.py")
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"open({str(marker)!r}, 'a').write(__file__ + '\\n')\n")
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("http://a b/\n" * 100)
    (folder / "pupil.abnf").write_text("port = 1*DIGIT\n")
    script, arguments = POOLS[pool]
    file = tmp_path / "script.py"
    file.write_text(script)
    run = subprocess.run(
        [sys.executable, str(file), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not marker.exists(), marker.read_text()
    assert run.returncode in {0, 1}, run.stderr
    assert "Traceback" not in run.stderr
    assert re.search("host|different|diagnostic", run.stdout), run.stdout + run.stderr


def test_as_a_module_the_command_line_imports_nothing_more_from_there(tmp_path: Path) -> None:
    for name in ("click", "json", "lark"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(99)\n")
    command = [sys.executable, "-m", "uriproof", "check", "--format=json", "http://a b/"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, "host-illegal" in run.stdout) == (1, True), run.stderr


def begin(start: int) -> Callable[[Any], Any]:
    def answer(request: Any) -> Any:
        if request == "loop":
            re.fullmatch(r"(a+)+b", "a" * 100)  # an expression that is not done in a lifetime
        if request == "end":
            os._exit(9)
        return start + request, os.getpid()

    return answer


def test_a_process_is_replaced_that_does_not_answer() -> None:
    worker = Worker(begin, 5)
    try:
        found, first = worker.ask(1, 60)
        assert (found, worker.ask(2, 60)) == (6, (7, first))
        with pytest.raises(TimeoutError):
            worker.ask("loop", 0.1)
        found, second = worker.ask(3, 60)
        assert found == 8
        assert second != first
        with pytest.raises((EOFError, OSError)):
            worker.ask("end", 60)
        assert worker.ask(4, 60)[0] == 9
    finally:
        worker.stop()


def test_a_pool_answers_in_order_and_reads_few_requests_ahead() -> None:
    asked: list[int] = []

    def requests() -> Iterator[int]:
        for number in range(20):
            asked.append(number)
            yield number

    with Pool(2, begin, 5) as pool:
        answers = pool.answers(requests())
        assert next(answers)[0] == 5
        assert len(asked) <= 5
        assert [found for found, _ in answers] == list(range(6, 25))


@pytest.mark.parametrize("fork", [False, pytest.param(True, marks=pytest.mark.posix)])
def test_a_process_of_a_pool_that_dies_is_one_error(fork: bool) -> None:
    with pytest.raises(BrokenProcessPool), Pool(2, begin, 5, fork=fork) as pool:
        list(pool.answers([1, "end", 2]))


STARTER = """
import sys, time
from test_processes import begin
from uriproof.processes import Pool
if __name__ == "__main__":
    with Pool(1, begin, 5) as pool:
        print(*pool.answers([1]), flush=True)
        time.sleep(1_000)
"""


@pytest.mark.posix
def test_no_process_of_a_pool_outlives_the_one_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "starter.py").write_text(STARTER)
    command = [sys.executable, str(tmp_path / "starter.py")]
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as run:
        assert run.stdout is not None
        found = re.fullmatch(r"\((\d+), (\d+)\)\n", run.stdout.readline())
        assert found is not None
        run.kill()
        # The process of the pool has the other end of the pipe, too: it closes when that ends.
        assert run.stdout.read() == ""
