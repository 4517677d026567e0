import Conversations
import Cryptography

/// The keys that a gate proves itself with, now and later. Which of them is in force follows from the clock at every
/// tap, so that all gates of a site change at the same moment and nobody has to be there.
struct KeyRing: Sendable {
    /// For methods 0 and 2.
    let signing: KeySlot
    /// For methods 1 and 3.
    let agreement: KeySlot
    /// When the next keys come into force, UNIX seconds.
    let switchAt: Int64?

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
                        reserved: (signing.all + agreement.all).map(\.key.publicKey))
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
