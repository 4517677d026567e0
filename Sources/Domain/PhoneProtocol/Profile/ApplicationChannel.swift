import Cryptography

/// One direction of protected data after an exchange: key and first nonce are exported under labels
/// of their own, the nonce counts (RFC 9528, 4.2.1; RFC 9053, 4.2.1).
public struct ApplicationChannel: Sendable {
    private let algorithm: AEADAlgorithm
    private let key: [UInt8]
    private let firstNonce: [UInt8]
    private var count: UInt64 = 0

    init(_ session: EDHOCSession, keyLabel: UInt16, nonceLabel: UInt16) {
        algorithm = session.suite.applicationAEAD
        key = session.export(label: keyLabel, length: algorithm.keyLength)
        firstNonce = session.export(label: nonceLabel, length: algorithm.nonceLength)
    }

    /// From the gate to the phone.
    public static func gateToPhone(_ session: EDHOCSession) -> ApplicationChannel {
        ApplicationChannel(
            session, keyLabel: PhoneProtocolProfile.gateToPhoneKeyLabel, nonceLabel: PhoneProtocolProfile.gateToPhoneNonceLabel)
    }

    /// The sender's side: ciphertext and tag.
    mutating func seal(_ plaintext: [UInt8]) throws(EDHOCError) -> [UInt8] {
        let nonce = nextNonce()
        do {
            return try algorithm.seal(plaintext, key: key, nonce: nonce, additionalData: [])
        } catch {
            throw .cryptography(error.code)
        }
    }

    /// The receiver's side; nil if it does not open. A message counts even if it was bad.
    public mutating func open(_ sealed: [UInt8]) -> [UInt8]? {
        try? algorithm.open(sealed, key: key, nonce: nextNonce(), additionalData: [])
    }

    /// The first nonce, its last bytes XORed with the count in big-endian order.
    private mutating func nextNonce() -> [UInt8] {
        var nonce = firstNonce
        var rest = count
        for index in nonce.indices.reversed().prefix(8) {
            nonce[index] ^= UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
        count += 1
        return nonce
    }
}
