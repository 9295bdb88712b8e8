"""A connection of uvicorn, as the service needs it.

Owns what a client may do to a connection before its answer is complete. Imports uvicorn (extra
``serve``). Invariant: what was answered to a whole request is sent; no client causes a traceback.
"""

from __future__ import annotations

from uvicorn.protocols.http.h11_impl import H11Protocol


class Connection(H11Protocol):
    """uvicorn's own closes as soon as the client closes its side, in the middle of an answer.

    And it lets the application continue an answer after an invalid chunk, which ends in an error.
    """

    def eof_received(self) -> bool:  # type: ignore[override]
        """Stay open if a whole request was read and its answer is not complete."""
        cycle = self.cycle
        return cycle is not None and not (cycle.more_body or cycle.response_complete)

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(msg)
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
