"""One thread that waits for descriptors and for moments."""

import heapq
import itertools
import selectors
import time


class Loop:
    def __init__(self):
        self._selector = selectors.DefaultSelector()
        self._moments = []
        self._number = itertools.count()
        self._runs = True

    def watch(self, file, callback) -> None:
        self._selector.register(file, selectors.EVENT_READ, callback)

    def forget(self, file) -> None:
        self._selector.unregister(file)

    def at(self, moment: float, callback) -> None:
        """Calls once the monotonic clock has reached `moment`; calls for the same moment keep their order."""
        heapq.heappush(self._moments, (moment, next(self._number), callback))

    def stop(self) -> None:
        self._runs = False

    def run(self) -> None:
        while self._runs:
            for key, _ in self._selector.select(self._patience()):
                # An earlier callback of this round may have closed it.
                if key.fd in self._selector.get_map():
                    key.data()
            now = time.monotonic()
            while self._moments and self._moments[0][0] <= now:
                heapq.heappop(self._moments)[2]()

    def _patience(self) -> float | None:
        if not self._moments:
            return None
        return max(0.0, self._moments[0][0] - time.monotonic())
