/// Why an attestation says nothing for a key. Certificates are counted from the leaf, which is number 1.
public enum AttestationFault: Error, Hashable, Sendable {
    /// So many certificates are no chain from a key to a root.
    case chainLength(Int)
    /// A certificate is longer than any that phones have.
    case certificateTooLong(number: Int)
    /// A certificate is no X.509 certificate of version 3 in DER, or has bytes behind it.
    case certificateMalformed(number: Int)
    /// A certificate has a critical extension that nobody here understands.
    case certificateExtension(number: Int)
    /// A certificate names another issuer than the one that follows it.
    case namesDiffer(number: Int)
    /// The last certificate's key is none of the roots that count.
    case rootUnknown
    /// A certificate was signed by somebody who may sign none, or fewer below it.
    case issuerIsNoAuthority(number: Int)
    /// The signature of a certificate is by an algorithm or a kind of key that is not taken.
    case signatureUnknown(number: Int)
    /// The signature of a certificate is not by the one that follows it.
    case signatureWrong(number: Int)
    /// A certificate is over.
    case expired(number: Int)
    /// A certificate holds only from a later time on.
    case notYetValid(number: Int)
    /// A certificate was taken back.
    case revoked(number: Int)
    /// The first certificate has no attestation.
    case recordMissing
    /// Another certificate than the first has an attestation: an attested key signed more certificates.
    case recordElsewhere(number: Int)
    /// The attestation is not written as Android's documents say.
    case recordMalformed
    /// The challenge is not the one that was given out.
    case challengeDiffers
    /// The key, or what attests it, is software.
    case softwareLevel
    /// Attestation, key and certificates speak of different security levels.
    case levelsDiffer
    /// The key is in no StrongBox.
    case noStrongBox
    /// The key does more, or something else, than sign.
    case purposeDiffers
    /// The key was made elsewhere and brought in.
    case keyImported
    /// Every app of the phone can use the key.
    case anyApplication
    /// The key claims user authentication, and signs without it too.
    case authenticationUnclear
    /// The key signs for so many seconds after its user was verified.
    case timeoutTooLong(seconds: Int64)
    /// The hardware does not say how the phone was started.
    case bootUnknown
    /// The phone's boot loader is unlocked.
    case bootUnlocked
    /// The phone was started with other software than its maker's.
    case bootNotVerified
    /// The key is another app's.
    case applicationDiffers
    /// The attested key is not the one that was sent.
    case keyDiffers
}

extension AttestationFault {
    /// Stable code.
    public var code: String {
        switch self {
        case .chainLength: "attestation-chain-length"
        case .certificateTooLong: "attestation-certificate-too-long"
        case .certificateMalformed: "attestation-certificate-malformed"
        case .certificateExtension: "attestation-certificate-extension"
        case .namesDiffer: "attestation-names-differ"
        case .rootUnknown: "attestation-root-unknown"
        case .issuerIsNoAuthority: "attestation-issuer-no-authority"
        case .signatureUnknown: "attestation-signature-unknown"
        case .signatureWrong: "attestation-signature-wrong"
        case .expired: "attestation-expired"
        case .notYetValid: "attestation-not-yet-valid"
        case .revoked: "attestation-revoked"
        case .recordMissing: "attestation-record-missing"
        case .recordElsewhere: "attestation-record-elsewhere"
        case .recordMalformed: "attestation-record-malformed"
        case .challengeDiffers: "attestation-challenge-differs"
        case .softwareLevel: "attestation-software-level"
        case .levelsDiffer: "attestation-levels-differ"
        case .noStrongBox: "attestation-no-strongbox"
        case .purposeDiffers: "attestation-purpose-differs"
        case .keyImported: "attestation-key-imported"
        case .anyApplication: "attestation-any-application"
        case .authenticationUnclear: "attestation-authentication-unclear"
        case .timeoutTooLong: "attestation-timeout-too-long"
        case .bootUnknown: "attestation-boot-unknown"
        case .bootUnlocked: "attestation-boot-unlocked"
        case .bootNotVerified: "attestation-boot-not-verified"
        case .applicationDiffers: "attestation-application-differs"
        case .keyDiffers: "attestation-key-differs"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .chainLength(let count):
            "An attestation has from \(CertificateChain.lengths.lowerBound) to \(CertificateChain.lengths.upperBound) certificates; this one has \(count)."
        case .certificateTooLong(let number): "Certificate \(number) has more than \(Certificate.longest) bytes."
        case .certificateMalformed(let number): "Certificate \(number) is no X.509 certificate of version 3 in DER."
        case .certificateExtension(let number): "Certificate \(number) has a critical extension that is not understood here."
        case .namesDiffer(let number): "Certificate \(number) names another issuer than the certificate that follows it."
        case .rootUnknown: "The last certificate is none of the roots that the site takes, such as Google's."
        case .issuerIsNoAuthority(let number): "Certificate \(number) was signed by a certificate that may not sign it."
        case .signatureUnknown(let number): "Certificate \(number) is signed by an algorithm or a key that is not taken."
        case .signatureWrong(let number): "Certificate \(number) was not signed by the certificate that follows it."
        case .expired(let number): "Certificate \(number) has expired: the phone has to fetch a new one and make a new key."
        case .notYetValid(let number): "Certificate \(number) is not valid yet: is the server's clock right?"
        case .revoked(let number): "Certificate \(number) was taken back by whoever issued it."
        case .recordMissing: "The first certificate attests nothing: the key was made without a challenge."
        case .recordElsewhere(let number): "Certificate \(number) attests a key too: an attested key may sign no further certificate."
        case .recordMalformed: "What the first certificate attests is not written as Android's documents say."
        case .challengeDiffers: "The key was made for another challenge than the one that was given out."
        case .softwareLevel: "The key is kept by software, or only software says that it is not."
        case .levelsDiffer: "Attestation, key and certificates speak of different security levels."
        case .noStrongBox: "The key is in no StrongBox, and the site wants one."
        case .purposeDiffers: "The key may do more, or something else, than sign."
        case .keyImported: "The key was not made in the phone's hardware."
        case .anyApplication: "Every app on the phone may use the key."
        case .authenticationUnclear: "The key claims that its user is verified, and signs without that too (noAuthRequired, allowWhileOnBody)."
        case .timeoutTooLong(let seconds): "The key signs for \(seconds) seconds after its user was verified, longer than the site takes."
        case .bootUnknown: "The phone's hardware does not say how the phone was started."
        case .bootUnlocked: "The boot loader of the phone is unlocked."
        case .bootNotVerified: "The phone was not started with its maker's own software."
        case .applicationDiffers: "The key belongs to another app than the site's, or to one with another signer."
        case .keyDiffers: "The attested key is not the one that was sent."
        }
    }
}
