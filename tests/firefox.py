"""Firefox under test, by the protocol that it speaks itself (WebDriver BiDi).

Owns the few commands of the protocol that a smoke test needs. Imports websockets. Invariant: what
the page logged as an error is kept, and the browser ends with the block that started it.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser import NoBrowser, installed
from websockets.sync.client import ClientConnection, connect

# Nothing of the browser's own asks the network.
PREFERENCES = {
    "app.normandy.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


class Firefox:
    """One window. Errors: AssertionError, where the browser refuses a command."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._sent = 0
        self.errors: list[str] = []
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._tab = self._call("browsingContext.getTree")["contexts"][0]["context"]

    def goto(self, url: str) -> None:
        self._call("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, awaited, by way of JSON."""
        made = self._call(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value))",
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert made["type"] == "success", made["exceptionDetails"]["text"]
        return json.loads(made["result"]["value"]) if "value" in made["result"] else None

    def until(self, expression: str, seconds: int = 180) -> None:
        """Wait until an expression is true."""
        for _ in range(seconds * 10):
            if self.evaluate(f"Boolean({expression})"):
                return
            time.sleep(0.1)
        raise AssertionError(f"{expression} did not come to be true")

    def keys(self, text: str) -> None:
        """Press keys where the focus is."""
        self._act(
            "key", [{"type": f"key{way}", "value": k} for k in text for way in ("Down", "Up")]
        )

    def click(self, element: str) -> None:
        """Press the mouse on what an expression gives."""
        place = (
            f"((one) => {{ one.scrollIntoView({{ block: 'center' }});"
            " const { x, y, width, height } = one.getBoundingClientRect();"
            f" return [x + width / 2, y + height / 2].map(Math.round); }})({element})"
        )
        x, y = self.evaluate(place)
        moved = {"type": "pointerMove", "x": x, "y": y}
        pressed = [{"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")]
        self._act("pointer", [moved, *pressed])

    def _act(self, kind: str, actions: list[dict[str, Any]]) -> None:
        given = [{"type": kind, "id": kind, "actions": actions}]
        self._call("input.performActions", context=self._tab, actions=given)

    def screenshot(self, path: Path) -> None:
        made = self._call("browsingContext.captureScreenshot", context=self._tab)
        path.write_bytes(base64.b64decode(made["data"]))

    def _call(self, method: str, **params: Any) -> Any:
        self._sent += 1
        self._connection.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            message = json.loads(self._connection.recv(timeout=180))
            if message.get("id") == self._sent:
                assert message["type"] == "success", f"{method}: {message['message']}"
                return message["result"]
            entry = message.get("params", {})
            if message.get("method") == "log.entryAdded" and entry["level"] == "error":
                self.errors.append(entry["text"])


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Firefox without a window on the screen, with a profile of its own. Errors: NoBrowser."""
    path = installed("firefox-esr", "firefox")
    set_ = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items())
    (profile / "user.js").write_text("".join(set_))
    options = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
    with subprocess.Popen(
        [path, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr
            lines = iter(process.stderr.readline, "")
            found = (re.search(r"BiDi listening on (ws://\S+)", line) for line in lines)
            address = next((one[1] for one in found if one), None)
            if address is None:
                raise NoBrowser(f"{path} does not start, or does not speak WebDriver BiDi")
            # What it writes later is of no use, but would fill the pipe.
            drain = threading.Thread(target=process.stderr.read, daemon=True)
            drain.start()
            with connect(f"{address}/session", max_size=None, proxy=None) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()
            process.wait(60)
