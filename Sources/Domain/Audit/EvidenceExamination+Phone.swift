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
}
