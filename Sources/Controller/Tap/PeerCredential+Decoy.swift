import Cryptography
import Encoding
import PhoneProtocol

extension PeerCredential {
    /// Nobody's credential, with a key whose private half was thrown away; it fits every method. The proof of a
    /// stranger is checked with it and fails: a refusal takes about as long as that of somebody who is known, so that a
    /// stranger cannot ask by the clock who is. For that the key is made ready anew each time, as somebody's
    /// would be. Empty only if the library can make no key, and then nobody is served.
    static var decoy: [PeerCredential] {
        decoyKey.map { [PeerCredential(credential: decoyBytes, key: $0.unprepared)] } ?? []
    }

    private static let decoyKey = try? SigningKey.generate(.p256).publicKey
    /// A byte string, about as long as a token.
    private static let decoyBytes = CBOR.bytes([UInt8](repeating: 0, count: 200)).encoded
}
