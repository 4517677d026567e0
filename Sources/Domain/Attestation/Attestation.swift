import Cryptography

/// Judges what an Android phone's hardware says of a key (docs/phone-protocol.md, "The key").
public enum Attestation {
    /// - Parameters:
    ///   - chain: certificates in DER as `KeyStore.getCertificateChain` gives them, the key's own first.
    ///   - challenge: what the issuer gave out for this key alone.
    ///   - key: the key that asks for a token, on P-256.
    ///   - policy: what the site takes.
    ///   - now: UNIX seconds.
    /// - Returns: what hardware says of the key; whether it is released only after user verification is said there too.
    /// - Throws: the first rule that does not hold.
    public static func judge(chain: [[UInt8]], challenge: [UInt8], key: PublicKey, policy: AttestationPolicy, now: Int64) throws(AttestationFault)
        -> AttestedKey {
        let chain = try CertificateChain(chain, policy: policy)
        guard let bytes = chain.leaf.extensions.attestation else { throw .recordMissing }
        guard let record = KeyDescription(bytes) else { throw .recordMalformed }
        try chain.check(now: now)
        guard PublicKey(p256SubjectPublicKeyInfo: chain.leaf.keyInformation) == key else { throw .keyDiffers }
        guard record.challenge == challenge else { throw .challengeDiffers }
        try checkLevel(record, chain, policy)
        try checkUse(record.hardware)
        let boot = try checkBoot(record.hardware)
        guard record.software.application?.fits(policy) == true else { throw .applicationDiffers }
        return AttestedKey(level: record.keyLevel, authentication: try authentication(record.hardware, policy), boot: boot,
                           patchLevel: record.hardware.patchLevel)
    }

    private static func checkLevel(_ record: KeyDescription, _ chain: CertificateChain, _ policy: AttestationPolicy) throws(AttestationFault) {
        guard record.attestationLevel != .software, record.keyLevel != .software else { throw .softwareLevel }
        guard record.attestationLevel == record.keyLevel, chain.allows(record.keyLevel) else { throw .levelsDiffer }
        guard record.keyLevel == .strongBox || !policy.wantsStrongBox else { throw .noStrongBox }
    }

    private static func checkUse(_ hardware: AuthorizationList) throws(AttestationFault) {
        guard hardware.purposes == [purposeSign] else { throw .purposeDiffers }
        guard hardware.origin == originGenerated else { throw .keyImported }
        guard !hardware.isForAnyApplication else { throw .anyApplication }
    }

    private static func checkBoot(_ hardware: AuthorizationList) throws(AttestationFault) -> BootState {
        guard let root = hardware.rootOfTrust else { throw .bootUnknown }
        guard root.isLocked else { throw .bootUnlocked }
        guard root.state == .verified else { throw .bootNotVerified }
        return root.state
    }

    private static func authentication(_ hardware: AuthorizationList, _ policy: AttestationPolicy) throws(AttestationFault) -> UserAuthentication {
        guard let kinds = hardware.authenticationKinds, kinds != 0 else { return .notRequired }
        guard !hardware.needsNoAuthentication, !hardware.allowsWhileOnBody else { throw .authenticationUnclear }
        guard let seconds = hardware.authenticationTimeout, seconds > 0 else { return .everyUse }
        guard seconds <= policy.longestTimeout else { throw .timeoutTooLong(seconds: seconds) }
        return .within(seconds: seconds)
    }

    /// KeyPurpose and KeyOrigin of KeyMint.
    private static let purposeSign: Int64 = 2
    private static let originGenerated: Int64 = 0
}
