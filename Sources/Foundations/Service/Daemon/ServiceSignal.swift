import Glibc

/// What a signal asks of the service.
public enum ServiceSignal: Hashable, Sendable {
    /// SIGTERM, SIGINT: end in good order.
    case stop
    /// SIGHUP: read the configuration again.
    case reload

    static let numbers: [Int32] = [SIGTERM, SIGINT, SIGHUP]

    init?(number: Int32) {
        switch number {
        case SIGTERM, SIGINT: self = .stop
        case SIGHUP: self = .reload
        default: return nil
        }
    }
}
