import Conversations
import Cryptography

extension PeerCredential {
    /// Nobody's credential, with a key whose private half was thrown away; it fits every method. The proof of a stranger is
    /// checked with it and fails: a refusal takes about as long as that of somebody who is known, so that a
    /// stranger cannot ask by the clock who is. Empty only if the library can make no key, and then
    /// nobody is served.
    static let decoy: [PeerCredential] = {
        guard let key = try? SigningKey.generate(.p256) else { return [] }
        return [PeerCredential(credential: [0xA0], key: key.publicKey)]
    }()
}
