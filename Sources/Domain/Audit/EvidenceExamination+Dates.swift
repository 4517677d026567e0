import Conversations
import Credentials
import Cryptography
import Encoding

/// When it can have been. Evidence that was made at a desk has whatever date its maker likes: what keys and credentials
/// say of their own times bounds that.
extension EvidenceExamination {
    /// Seconds by which clocks of an office, of a gate and of whoever checks may differ.
    private static let dateTolerance: Int64 = 600

    var checkDates: EvidenceCheck {
        let seconds = record.seconds, latest = seconds + Self.dateTolerance
        func impossible(_ sentence: String) -> EvidenceCheck { EvidenceCheck(.dates, .datesImpossible, sentence) }
        if let now = trust.now, seconds - Self.dateTolerance > now {
            return impossible("The record is dated \(Self.words(seconds)), which is still to come.")
        }
        if let made = gate.flatMap({ trust.keyDates[$0.key]?.from }), made > latest {
            return impossible("The record is dated \(Self.words(seconds)), and the gate's key was made on \(Self.words(made)).")
        }
        if case .issued(let time) = trust.office?.issue, time > latest {
            return impossible("The record is dated \(Self.words(seconds)), and the token was issued on \(Self.words(time)).")
        }
        let issuers = signers.compactMap { trust.keyDates[$0] }
        if let made = issuers.compactMap(\.from).min(), made > latest {
            return impossible("The record is dated \(Self.words(seconds)), and the issuer's key was made on \(Self.words(made)).")
        }
        if let dropped = issuers.compactMap(\.to).max(), issuers.allSatisfy({ $0.to != nil }), dropped <= seconds {
            return impossible("The record is dated \(Self.words(seconds)), and the issuer was dropped on \(Self.words(dropped)).")
        }
        return EvidenceCheck(.dates, "By what is known of keys and credentials it can have been \(span).")
    }

    /// The times that what was given leaves open, in words.
    var span: String {
        let times = bounds
        switch (times.from, times.to) {
        case (.some(let from), .some(let to)): return "at any time from \(Self.words(from)) to \(Self.words(to))"
        case (.some(let from), .none): return "at any time since \(Self.words(from))"
        case (.none, .some(let to)): return "at any time before \(Self.words(to))"
        case (.none, .none): return "at any time whatsoever"
        }
    }

    private var bounds: (from: Int64?, to: Int64?) {
        let issuers = signers.compactMap { trust.keyDates[$0] }
        var from = [gate.flatMap { trust.keyDates[$0.key]?.from }, issuers.compactMap(\.from).min()]
        var to = [gate.flatMap { trust.gateEnds[$0.key] }, trust.now]
        if case .token(let shown)? = gate {
            from.append(shown.claims.notBefore)
            to.append(shown.claims.expiresAt)
        }
        if let token = credential.token {
            from.append(token.notBefore)
            to.append(token.expiresAt)
            if case .issued(let time) = trust.office?.issue { from.append(time) }
        } else if let enrolment {
            from += [enrolment.since, enrolment.key.notBefore]
            to.append(enrolment.key.expiresAt)
        }
        return (from.compactMap { $0 }.max(), to.compactMap { $0 }.min())
    }
}
