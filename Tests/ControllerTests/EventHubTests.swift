import ControlProtocol
@testable import Controller
import Encoding
import Service
import Testing
import Threads

@Suite("The event hub")
struct EventHubTests {
    @Test("What nobody listens to is not even made, and is told again to whoever listens then")
    func whatNobodyListensToIsNotMade() {
        let hub = EventHub(clock: SystemClock(directory: nil))
        let isListening = Mutex(false), made = Mutex(0), told = Mutex(0)
        hub.add(while: { isListening.withLock { $0 } }, { _ in told.withLock { $0 += 1 } })
        func fields() -> JSONObject {
            made.withLock { $0 += 1 }
            return ["state": "tried"]
        }
        hub.emit(.service, fields())
        #expect(made.withLock { $0 } == 0)
        isListening.withLock { $0 = true }
        hub.emit(.service, fields())
        #expect(made.withLock { $0 } == 1 && told.withLock { $0 } == 1)
    }
}
