import Readers
import Threads

/// A phone in the same process whose own computing is counted apart: it is no work of the gate's.
final class ForeignTimeLink: Link {
    private let phone: PhoneLink
    private let foreign: Mutex<Int64>

    /// Nanoseconds that the phone has computed, on whatever thread.
    var computed: Int64 { foreign.withLock { $0 } }

    init(_ phone: PhoneLink) {
        self.phone = phone
        foreign = Mutex(0)
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] {
        let start = Clock.threadProcessor
        defer {
            let end = Clock.threadProcessor
            foreign.withLock { $0 += end - start }
        }
        return try phone.transmit(command)
    }

    func close(atMonotonicMilliseconds deadline: Int64) { phone.close(atMonotonicMilliseconds: deadline) }

    func invalidate() { phone.invalidate() }
}
