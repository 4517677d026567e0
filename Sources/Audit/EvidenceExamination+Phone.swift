import Conversations
import Credentials
import Encoding

/// The phone: who it was, and whether it signed.
extension EvidenceExamination {
    var checkCredential: EvidenceCheck {
        guard credential.identifier == record.credential else {
            return differs("The record names another credential than the phone proved.")
        }
        if case .tokenBeside(let token, let claims) = credential, token.confirmationKey != claims.key.key {
            return differs("The token is not for the key beside it.")
        }
        if let token = credential.token, !Self.same(token.subject, record.subject) {
            return differs("The token is of \(Quotation.of(token.subject)), the record says \(Quotation.of(record.subject)).")
        }
        if credential.key == gate?.key { return differs("The phone's key is the gate's own.") }
        let kind = credential.token == nil ? "enrolled key" : "token"
        return EvidenceCheck(.credential, "The \(kind) \(Hex.encode(credential.identifier)) is the one that the record names.")
    }

    private func differs(_ sentence: String) -> EvidenceCheck { EvidenceCheck(.credential, .credentialDiffers, sentence) }

    var checkPhone: EvidenceCheck {
        guard evidence.method.initiatorUsesSignature else {
            return EvidenceCheck(
                .phone, .onlyMAC,
                "In method \(evidence.method.rawValue) the phone proves itself by a MAC, which the gate could have made itself: it proves nothing to anybody else.")
        }
        guard evidence.isSigned(by: credential.key) else {
            return EvidenceCheck(.phone, .signatureWrong, "The phone's signature is not one by the key of its credential over this exchange.")
        }
        return EvidenceCheck(.phone, "The holder of the key \(Hex.encode(credential.key.thumbprint)) signed this exchange.")
    }

    var checkPerson: [EvidenceCheck] {
        guard let known = trust.phoneKey else { return [] }
        guard known == credential.key.thumbprint else {
            return [EvidenceCheck(.person, .otherPhone, "The phone's key is not the one that was given.")]
        }
        return [EvidenceCheck(.person, "It is the key that was given.")]
    }

    var checkIssuer: EvidenceCheck {
        guard let token = credential.token else { return checkEnrolment }
        guard !trust.issuers.isEmpty else {
            return EvidenceCheck(.issuer, .issuerNotGiven, "No issuer's key was given to check the token with.")
        }
        guard trust.issuers.contains(where: { token.isSigned(by: $0) }) else {
            return EvidenceCheck(.issuer, .issuerUnknown, "No issuer whose key was given has signed the token.")
        }
        return EvidenceCheck(.issuer, "The issuer \(Quotation.of(token.issuer)) signed that this key is of \(Quotation.of(token.subject)).")
    }

    private var checkEnrolment: EvidenceCheck {
        let known = trust.enrolled.filter { $0.key == credential.key }
        guard !known.isEmpty else {
            return EvidenceCheck(.issuer, .enrolmentNotGiven, "Nothing was given that says whose this enrolled key is.")
        }
        guard known.contains(where: { Self.same($0.subject, record.subject) }) else {
            return EvidenceCheck(.issuer, .enrolmentDiffers, "The key is enrolled for another than \(Quotation.of(record.subject)).")
        }
        return EvidenceCheck(.issuer, "The site has enrolled this key for \(Quotation.of(record.subject)).")
    }

    /// Rights of an enrolled key are not in the evidence, and those of today need not be those of then.
    var checkRights: [EvidenceCheck] {
        guard let token = credential.token else { return [] }
        let problem: String? = if !(token.notBefore <= record.seconds && record.seconds < token.expiresAt) {
            "The token was not valid at the time of the record."
        } else if !token.scope.contains(where: { Self.same($0, record.command) }) {
            "The token does not allow the command."
        } else if let site = gate?.site, !token.audiences.contains(where: { covers($0, site) }) {
            "The token is for another site or lane."
        } else {
            nil
        }
        if let problem { return [EvidenceCheck(.rights, .rightsDiffer, problem)] }
        return [EvidenceCheck(.rights, "The token was valid then, for this place and this command.")]
    }

    /// Whether an audience may mean the lane. In which zone the lane lies is not in the evidence.
    private func covers(_ audience: String, _ site: String) -> Bool {
        let whole = Place.scheme + site
        if Self.same(audience, whole) { return true }
        let bytes = Array(audience.utf8), head = Array((whole + "/").utf8)
        guard bytes.starts(with: head) else { return false }
        let names = bytes.dropFirst(head.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // No zone and no lane has an empty name: at no gate does that cover anything.
        guard names.allSatisfy({ !$0.isEmpty }) else { return false }
        switch names.count {
        case 1: return true
        case 2: return names[1].elementsEqual((record.lane ?? "").utf8)
        default: return false
        }
    }
}
