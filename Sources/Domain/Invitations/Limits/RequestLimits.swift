/// How often requests may fail, by address and by code. What succeeds takes nothing away: behind one address of a carrier may stand ten thousand
/// phones, and while those with good codes come in, one that guesses waits.
///
/// An address that guessed too much is told to wait, instead of what its guess was; a code that is known is served even then.
public struct RequestLimits: Sendable {
    private var addresses: RateLimit<SenderAddress>
    private var codes: RateLimit<[UInt8]>

    /// 30 failures at once from an address, and one more every two seconds.
    public static let addressPace = RateLimit<SenderAddress>.Pace(burst: 30, interval: 2000)
    /// 10 failures at once with a code, and one more every six seconds.
    public static let codePace = RateLimit<[UInt8]>.Pace(burst: 10, interval: 6000)

    /// Nobody has failed yet.
    public init(addressPace: RateLimit<SenderAddress>.Pace = addressPace, codePace: RateLimit<[UInt8]>.Pace = codePace, capacity: Int = 10_000) {
        addresses = RateLimit(pace: addressPace, capacity: capacity)
        codes = RateLimit(pace: codePace, capacity: capacity)
    }

    /// Whether a request may be judged at all. Of a code, too many wrong proofs are one too many, wherever they come from.
    /// - Parameters:
    ///   - codeHash: of the code that it names; nil: it names none.
    ///   - now: milliseconds on a clock that only grows.
    public func check(codeHash: [UInt8]?, now: Int64) throws(InvitationFault) {
        if let codeHash, let wait = codes.wait(codeHash, now: now) { throw .tooMany(retryAfter: Self.seconds(wait)) }
    }

    /// What a fault becomes for the sender, who is charged for it: beyond the pace, "wait" instead of an answer, so that guessing learns nothing
    /// more. Faults that say nothing of codes and keys cost nothing.
    public mutating func answer(_ fault: InvitationFault, from address: SenderAddress, codeHash: [UInt8]?, now: Int64) -> InvitationFault {
        guard fault.isGuess else { return fault }
        // Whoever has a code that is known guesses no other; behind the same address stand thousands.
        if let codeHash, fault != .codeUnknown {
            codes.note(codeHash, now: now)
            return fault
        }
        let wait = addresses.wait(address, now: now)
        addresses.note(address, now: now)
        return wait.map { .tooMany(retryAfter: Self.seconds($0)) } ?? fault
    }

    private static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1000) }
}

extension InvitationFault {
    /// Whether somebody who tries codes, keys and proofs would get this answer.
    var isGuess: Bool {
        switch self {
        case .codeUnknown, .codeUsed, .proofWrong, .nonceUnknown, .keyUnknown, .keyInUse, .attestationRefused: true
        case .codeExpired, .codeWithdrawn, .notYet, .clockDiffers, .keyRefused, .suspended, .revoked, .over, .tooMany, .busy, .databaseAway,
             .requestMalformed, .tooLong: false
        }
    }
}
