import Controller
import Credentials
import Readers
import Threads
import VirtualPhone

/// A lane of the soak: taps go to it one at a time, and it knows what the gate said about the last one.
final class SoakLane: Sendable {
    /// Far beyond every deadline of the gate: a result that has not come by then is lost.
    private static let patience: Int64 = 60_000_000_000

    let name: String
    private let reader: ReaderName
    /// A reader of the lane that gives up early.
    private let quickReader: ReaderName
    private let result = Monitor<String?>(nil)

    init(_ number: Int) {
        name = BenchSite.laneName(number)
        reader = BenchSite.reader(number)
        quickReader = BenchSite.quickReader(number)
    }

    /// The gate has told a result here.
    func note(_ reason: String) {
        result.change { $0 = reason }
    }

    /// Presents a phone and answers the reason that the gate told.
    func tap(_ kind: SoakKind, _ phone: PhoneIdentity, at controller: Controller) throws(BenchError) -> String {
        result.withLock { $0 = nil }
        let reader = if case .isSilent = kind.behaviour { quickReader } else { reader }
        _ = controller.present(SoakLink(phone, kind.settings, kind.behaviour), at: reader)
        // The keeper of deadlines tells its results on its own thread, perhaps a moment later.
        guard let reason = result.wait(untilNanoseconds: Clock.now + Self.patience, { $0 }) else {
            throw BenchError("a tap had no result (\(kind.name), \(name))")
        }
        return reason
    }
}
