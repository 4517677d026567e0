import Credentials
import Cryptography
import Encoding
import PhoneProtocol

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

/// The gate's own word that it granted. All else that a gate signs it signs for every stranger, before it knows anybody.
extension EvidenceExamination {
    var checkOutcome: EvidenceCheck {
        guard let outcome = file.outcome else { return checkCover }
        guard outcome.recordHash == file.computedHash, outcome.transcript == record.transcript, Self.same(outcome.reason, record.reason),
              isOfThisGate(outcome.site, outcome.gate) else {
            return EvidenceCheck(.outcome, .outcomeDiffers, "The gate signed the outcome of another record or exchange, or another gate did.")
        }
        guard !trust.auditKeys.isEmpty else {
            return EvidenceCheck(.outcome, .auditKeyNotGiven, "No audit key was given to check the gate's signature over the outcome with.")
        }
        guard let key = trust.auditKeys.first(where: { $0.thumbprint == outcome.keyIdentifier }) else {
            return EvidenceCheck(.outcome, .auditKeyUnknown, "None of the audit keys that were given is said to have signed the outcome.")
        }
        guard outcome.isSigned(by: key) else {
            return EvidenceCheck(.outcome, .outcomeSignatureWrong, "The signature over the outcome is not one by the audit key that it names.")
        }
        let relay = outcome.relayFailed ? "; but its relay could not be driven then, so that nobody passed by it" : ""
        return EvidenceCheck(.outcome, "The gate \(Quotation.of(outcome.gate)) signed that this record stands in its journal, and that it granted\(relay).")
    }

    /// A record may be signed by what stands above it in its journal, too.
    private var checkCover: EvidenceCheck {
        guard let cover else {
            return EvidenceCheck(.outcome, .onlyPhone, "Nothing in the file that the gate signed says that it granted: it signs message_2 for every stranger.")
        }
        guard isOfThisGate(cover.site, cover.gate) else {
            return EvidenceCheck(.outcome, .outcomeDiffers, "The record stands in the journal of another gate.")
        }
        return EvidenceCheck(.outcome, "A checkpoint that the gate \(Quotation.of(cover.gate)) signed stands for this record, which says that it granted.")
    }

    private var cover: CoveredRecord? { trust.covered.first { $0.hash == file.computedHash } }

    /// The older format does not name the gate.
    private func isOfThisGate(_ site: String, _ name: String) -> Bool {
        evidence.gate == nil || Self.same(site, gate?.site) && Self.same(name, context?.gateIdentifier)
    }

    /// Who can have made all of it, and for when, even if every check holds.
    var remainder: String {
        let phone = evidence.method.initiatorUsesSignature ? ["the phone's key"] : []
        let isGateSigned = evidence.gate?.isSignature == true
        guard file.outcome == nil, cover == nil else {
            let keys = ["the gate's audit key"] + (isGateSigned ? ["the gate's key"] : []) + phone
            return "What remains: whoever has \(Self.list(keys)) can make all of it at a desk, dated \(span)."
        }
        guard isGateSigned else { return "What remains: whoever has \(Self.list(phone)) can make such a file at a desk, dated \(span)." }
        let parts = phone + ["what a gate's reader signs for every stranger"]
        return "What remains: \(Self.list(parts)) make such a file; with the gate's key it can be made at a desk, dated \(span)."
    }

    private static func list(_ things: [String]) -> String {
        guard let last = things.last else { return "no key at all" }
        return things.count == 1 ? last : things.dropLast().joined(separator: ", ") + " and " + last
    }
}
