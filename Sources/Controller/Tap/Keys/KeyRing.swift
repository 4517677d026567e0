import Cryptography
import PhoneProtocol
import Service

/// The keys that a gate proves itself with, now and later. Which of them is in force follows from the clock at every
/// tap, so that all gates of a site change at the same moment and nobody has to be there.
package struct KeyRing: Sendable {
    /// For methods 0 and 2.
    let signing: KeySlot
    /// For methods 1 and 3.
    let agreement: KeySlot
    /// When the next keys come into force, UNIX seconds.
    let switchAt: Int64?
    /// Every key of the gate, now and later.
    private let all: [PublicKey]

    init(signing: KeySlot, agreement: KeySlot, switchAt: Int64?) {
        self.signing = signing
        self.agreement = agreement
        self.switchAt = switchAt
        all = (signing.all + agreement.all).map(\.key.publicKey)
    }

    /// Whether the time of the next keys has come. A clock that nobody vouches for says so only if its floor does.
    func isSwitched(at moment: KeyMoment) -> Bool { switchAt.map { $0 <= moment.seconds } ?? false }

    /// The date of the next keys, once a clock that somebody vouches for has passed it: from then on the gate's time is
    /// never before it again. UNIX seconds.
    func settledDate(at moment: KeyMoment) -> Int64? { moment.isTrusted && isSwitched(at: moment) ? switchAt : nil }

    /// The keys in force, with what they show. They know the others too, so that none is taken for a person's.
    func keys(at moment: KeyMoment) -> GateKeys {
        let isSwitched = isSwitched(at: moment)
        return GateKeys(signing: signing.inForce(isSwitched: isSwitched).flatMap { Self.signing($0, at: moment) },
                        agreement: agreement.inForce(isSwitched: isSwitched).flatMap { Self.agreement($0, at: moment) },
                        reserved: all)
    }

    private static func signing(_ key: GateKey, at moment: KeyMoment) -> (key: SigningKey, credential: GateKeys.Credential)? {
        switch key.key {
        case .signing(let own): (own, key.credential(at: moment))
        case .agreement: nil
        }
    }

    private static func agreement(_ key: GateKey, at moment: KeyMoment) -> (key: AgreementKey, credential: GateKeys.Credential)? {
        switch key.key {
        case .agreement(let own): (own, key.credential(at: moment))
        case .signing: nil
        }
    }
}

/// The keys for one purpose, signing or agreeing: the one of today and the one that follows it.
struct KeySlot: Sendable {
    /// Nil where none is named, or it cannot be used.
    let current: GateKey?
    /// Nil where none is named, or it cannot be used.
    let next: GateKey?

    /// The key in force. A next key that cannot be used changes nothing: a gate with the old key still serves
    /// everybody who knows it.
    func inForce(isSwitched: Bool) -> GateKey? { isSwitched ? next ?? current : current }

    var all: [GateKey] { [current, next].compactMap { $0 } }
}

/// What the gate's clock says about its keys and their credentials.
struct KeyMoment: Hashable, Sendable {
    /// UNIX seconds. It is this time or, where nobody vouches for the clock, this or later: the floor.
    let seconds: Int64
    /// Whether somebody vouches for the clock.
    let isTrusted: Bool

    /// - Parameter floor: of the clock, milliseconds since 1970. What has been kept of it counts also after a power
    ///   cut, so that a gate does not go back to a key that it has left.
    init(_ time: WallTime, floor: Int64) {
        switch time.trust {
        case .synchronised, .holdover: self.init(seconds: time.seconds, isTrusted: true)
        case .untrusted: self.init(seconds: floor / 1000, isTrusted: false)
        }
    }

    init(seconds: Int64, isTrusted: Bool) {
        self.seconds = seconds
        self.isTrusted = isTrusted
    }
}

extension SystemClock {
    /// The moment of a reading of this clock.
    func keyMoment(of time: WallTime) -> KeyMoment { KeyMoment(time, floor: floorMilliseconds) }
}
