import Threads

/// The answer that a phone is owed for what it wrote. From any thread, at once or later; only the first one counts.
///
/// A phone gives up after 30 s (Core Specification 5.3, vol. 3, part F, 3.3.3).
///
/// `route` guards whether it was given, and is free while it is sent.
public final class WriteAnswer: Sendable {
    /// What is done with an answer; in a type of its own because a lock must not hold a bare function.
    struct Route: Sendable {
        let send: @Sendable (Verdict) -> Void
    }

    package enum Verdict: Hashable, Sendable {
        case accepted
        case refused(UInt8)
    }

    private let route: Mutex<Route?>

    package init(_ send: @escaping @Sendable (Verdict) -> Void) {
        route = Mutex(Route(send: send))
    }

    /// The value is taken.
    public func accept() { give(.accepted) }

    /// It is not.
    /// - Parameter error: 0x80 to 0x9F (Core Specification 5.3, vol. 3, part F, 3.4.1.1); anything else becomes 0x80.
    public func refuse(_ error: UInt8) { give(.refused(error)) }

    /// True once it was given.
    var isGiven: Bool { route.withLock { $0 == nil } }

    private func give(_ verdict: Verdict) {
        let route = route.withLock { route in
            defer { route = nil }
            return route
        }
        route?.send(verdict)
    }
}
