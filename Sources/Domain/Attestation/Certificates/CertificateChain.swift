import Cryptography

/// Certificates from that of an attested key to a root.
///
/// Google's own verifier (github.com/android/keyattestation) decides what is not said in RFC 5280, with these differences: names are
/// compared byte for byte, issuers must be authorities, and critical extensions must be understood.
struct CertificateChain {
    /// How many certificates there are: leaf, attestation, intermediates, root.
    static let lengths = 3...8

    let certificates: [Certificate]
    private let policy: AttestationPolicy

    /// Reads the certificates, leaf first. Nothing of what they say is known to be true yet.
    init(_ chain: [[UInt8]], policy: AttestationPolicy) throws(AttestationFault) {
        guard Self.lengths.contains(chain.count) else { throw .chainLength(chain.count) }
        var certificates: [Certificate] = []
        for (place, bytes) in chain.enumerated() { certificates.append(try Certificate(bytes, number: place + 1)) }
        self.certificates = certificates
        self.policy = policy
    }

    var leaf: Certificate { certificates[0] }
    private var root: Certificate { certificates[certificates.count - 1] }
    private var attestation: Certificate { certificates[1] }
    /// What the root signed.
    private var intermediate: Certificate { certificates[certificates.count - 2] }

    /// Whether the phone's factory put the attestation key in. Google signs all others over the network, for some weeks each. Such
    /// chains have a number in the name of the certificate below the root.
    var isFromFactory: Bool { intermediate.subjectAttribute(.serialNumber) != nil }

    /// Judges all but what the leaf attests, beginning at the root: no key is used before somebody vouches for it.
    func check(now: Int64) throws(AttestationFault) {
        guard policy.roots.contains(SHA256.hash(root.keyInformation)) else { throw .rootUnknown }
        for place in certificates.indices.reversed() {
            try checkExtensions(place)
            try checkIssuer(of: place)
            try checkSignature(of: place)
            try checkTime(of: place, now: now)
            guard !policy.revoked.contains(certificates[place].serial) else { throw .revoked(number: place + 1) }
        }
    }

    /// Only the first certificate may attest something. The key in it signs whatever its app wants, also a certificate that says more.
    private func checkExtensions(_ place: Int) throws(AttestationFault) {
        let extensions = certificates[place].extensions
        if extensions.hasUnknownCritical { throw .certificateExtension(number: place + 1) }
        if place > 0, extensions.attestation != nil || extensions.hasOtherAttestation { throw .recordElsewhere(number: place + 1) }
    }

    /// The root issues itself.
    private func issuer(of place: Int) -> Certificate { certificates[min(place + 1, certificates.count - 1)] }

    private func checkIssuer(of place: Int) throws(AttestationFault) {
        let issuer = issuer(of: place)
        guard certificates[place].issuer == issuer.subject else { throw .namesDiffer(number: place + 1) }
        // Attestation keys of 2016 call themselves no authority. Whoever holds one attests what he likes anyway; but keys that Google
        // certifies over the network may be those of apps (virtual machines), so that there the word counts.
        if place == 0 && isFromFactory { return }
        // As many authorities are below the issuer as there are certificates before this one, with it and without the leaf.
        let isWithinPath = place == certificates.count - 1 || issuer.extensions.pathLength.map { $0 >= Int64(place) } ?? true
        guard issuer.extensions.isAuthority == true, issuer.extensions.keySignsCertificates != false, isWithinPath else {
            throw .issuerIsNoAuthority(number: place + 1)
        }
    }

    private func checkSignature(of place: Int) throws(AttestationFault) {
        let certificate = certificates[place]
        guard let algorithm = certificate.algorithm, let key = CertificateKey(subjectPublicKeyInfo: issuer(of: place).keyInformation) else {
            throw .signatureUnknown(number: place + 1)
        }
        guard key.verify(certificate.signature, over: certificate.signed, by: algorithm) else { throw .signatureWrong(number: place + 1) }
    }

    /// As Google's verifier: the times of a leaf are the phone's to write and say nothing; those of a root are not asked, as its key is
    /// named by the policy; attestation keys of a factory cannot be changed any more and outlive their certificates.
    private func checkTime(of place: Int, now: Int64) throws(AttestationFault) {
        guard place > 0, place < certificates.count - 1 else { return }
        guard let period = certificates[place].period else { throw .certificateMalformed(number: place + 1) }
        guard now >= period.lowerBound else { throw .notYetValid(number: place + 1) }
        guard now <= period.upperBound || isFromFactory else { throw .expired(number: place + 1) }
    }
}

extension CertificateChain {
    /// Whether a key may be kept as it says, judged by the names that Google signed. Certificates over the network name the level; those of
    /// factories name a StrongBox, and say nothing of a trusted environment.
    func allows(_ level: SecurityLevel) -> Bool {
        guard isFromFactory else { return attestation.subjectAttribute(.organisation) == level.name.map { Array($0.utf8) } }
        let isStrongBox = [attestation, intermediate].contains { Self.namesStrongBox($0) }
        return isStrongBox == (level == .strongBox)
    }

    private static func namesStrongBox(_ certificate: Certificate) -> Bool {
        let name = String(decoding: certificate.subject, as: UTF8.self).lowercased()
        return name.contains("strongbox")
    }
}

extension SecurityLevel {
    /// What Google's certificates call it; software has none.
    fileprivate var name: String? {
        switch self {
        case .software: nil
        case .trustedEnvironment: "TEE"
        case .strongBox: "StrongBox"
        }
    }
}
