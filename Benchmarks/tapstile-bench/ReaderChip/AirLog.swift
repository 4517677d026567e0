import Threads
import VirtualPhone

/// What was on the air at a virtual PN532.
final class AirLog: Sendable {
    private let records = Monitor<[AirRecord]>([])

    /// Called by the chip.
    @Sendable func add(_ record: AirRecord) {
        records.change { $0.append(record) }
    }

    /// Forgets all of it.
    func forget() {
        records.withLock { $0 = [] }
    }

    /// All of it.
    var all: [AirRecord] { records.withLock { $0 } }

    /// From the last time that the field went on.
    var sinceFieldOn: ArraySlice<AirRecord> {
        let all = self.all
        return all[(all.lastIndex { $0.event == .fieldOn } ?? 0)...]
    }
}
