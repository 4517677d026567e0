import Lanes
import Readers
import Threads

/// One UID-only card in one reader's field (V8): nothing is said to it, and it proves nothing. It is judged as a phone is that has an enrolled
/// key, and what it comes to is marked.
struct CardPresentation: ~Copyable {
    private var tap: TapTransaction

    init(station: TapStation) {
        let began = MonotonicTime.milliseconds
        let attempt = Attempt(reader: station.reader, carrier: .nfc, assurance: .low, began: began, deadline: began + station.deadline) { attempt in
            station.concludeUnproven(.timeout, of: attempt)
        }
        tap = TapTransaction(station: station, attempt: attempt, wantsSecondFactor: station.wantsSecondFactor(at: station.clock.now()))
    }

    /// Judges the card. Returns what shall happen to it while it stays in the field.
    mutating func run(_ number: [UInt8]) -> PresentationDisposition {
        tap.begin()
        tap.judge(card: number)
        tap.close()
        return PresentationDisposition(after: tap.end)
    }
}
