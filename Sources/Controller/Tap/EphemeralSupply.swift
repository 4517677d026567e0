import Conversations
import Threads

/// Keeps an ephemeral key ready, so that nobody waits for one to be made while a phone is in the
/// field. Each is handed out once.
final class EphemeralSupply: Sendable {
    private let ready = Mutex<EphemeralKey?>(nil)

    /// The key that is ready, or a fresh one; nil only if the library cannot make one.
    func take() -> EphemeralKey? {
        if let key = ready.withLock({ $0.take() }) { return key }
        return try? EphemeralKey.generate(for: .suite2)
    }

    /// Makes the next one, while nobody waits.
    func refill() {
        guard ready.withLock({ $0 == nil }), let key = try? EphemeralKey.generate(for: .suite2) else { return }
        put(key)
    }

    private func put(_ key: consuming EphemeralKey) {
        var key: EphemeralKey? = key
        ready.withLock { $0 = key.take() }
    }
}
