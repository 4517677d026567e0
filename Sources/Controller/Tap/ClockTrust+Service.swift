import Credentials
import Service

extension ClockTrust {
    /// The same level in the words of the room `Credentials`.
    init(_ trust: TimeTrust) {
        self = switch trust {
        case .synchronised: .synchronised
        case .holdover(let age): .holdover(ageSeconds: age)
        case .untrusted: .untrusted
        }
    }
}

extension ClockReading {
    /// The reading that verification works with.
    init(_ time: WallTime) {
        self.init(seconds: time.seconds, trust: ClockTrust(time.trust), isConfirmed: time.isConfirmed)
    }
}
